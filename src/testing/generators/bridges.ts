/**
 * Uplink bridges: one or several uplinks, with VLANs or without, whose addresses, gateways and networks may be alike.
 */
import fc from 'fast-check';
import { ZONES_PER_UPLINK } from '../../domain/basics/conventions.ts';
import type {
  ExposedPort,
  NeighbourInput,
  NetworkInput,
  PerFamily,
  UplinkInput,
} from '../../domain/dataplane/pipeline/bridge-input.ts';
import type { ExposingBridge } from '../pipeline/bridge-model.ts';

/** Which ports of Services in a network are reached by a bridge. */
interface ExposedShape {
  readonly atUplink: boolean;
  /** An address of its own, one that it shares with other networks, or none. */
  readonly address: 'own' | 'shared' | 'none';
  /** Subnets from which they are reached; absent for all. */
  readonly sources?: PerFamily<readonly string[]>;
}

/** The physical port of every generated bridge. */
const PHYSICAL_PORT = '1';

/** Numbers of the patch ports of networks begin here. */
const FIRST_PATCH_PORT = 200;

const masqueradeSubnets = { 4: '169.254.0.0/17', 6: 'fd69::/112' } as const;

/** Uplinks may have addresses of each other's, as tenants' networks know nothing of one another. */
const addresses: fc.Arbitrary<PerFamily<string>> = fc.constantFrom(
  { 4: '192.0.2.6' },
  { 4: '192.0.2.6', 6: '2001:db8:2::6' },
  { 4: '192.0.2.7', 6: '2001:db8:2::7' },
  { 6: '2001:db8:2::6' },
);

const neighbours: fc.Arbitrary<readonly NeighbourInput[]> = fc.uniqueArray(
  fc.record({
    address: fc.constantFrom('192.0.2.1', '192.0.2.2', 'fe80::1', '2001:db8:2::1'),
    macAddress: fc.constantFrom('02:00:00:00:00:aa', '02:00:00:00:00:bb'),
    isGateway: fc.boolean(),
  }),
  { maxLength: 3, selector: ({ address }) => address },
);

/** A network by its id, which determines its patch port and masquerade addresses. */
function network(networkId: number, families: readonly (4 | 6)[], isAdvertised: boolean): NetworkInput {
  const offset = 10 + 2 * networkId - 1;
  const of = <Value>(make: (family: 4 | 6) => Value): PerFamily<Value> =>
    Object.fromEntries(families.map((family) => [family, make(family)]));
  return {
    network: `ClusterUserDefinedNetwork/network-${String(networkId)}`,
    networkId,
    patchPort: String(FIRST_PATCH_PORT + networkId),
    masqueradeAddresses: of((family) =>
      family === 4 ? `169.254.0.${String(offset)}` : `fd69::${offset.toString(16)}`,
    ),
    advertisedSubnets: isAdvertised
      ? of((family) => [family === 4 ? `10.${String(100 + networkId)}.0.0/24` : `fd00:${networkId.toString(16)}::/64`])
      : {},
  };
}

const noPorts: ExposedShape = { atUplink: false, address: 'none' };

/** Ports of Services. Half of the networks have none. */
const exposedShapes: fc.Arbitrary<ExposedShape> = fc.oneof(
  fc.constant(noPorts),
  fc
    .record({
      atUplink: fc.boolean(),
      address: fc.constantFrom('own' as const, 'shared' as const, 'none' as const),
      sources: fc.constantFrom(undefined, {
        4: ['198.51.100.0/25', '203.0.113.0/24'],
        6: ['2001:db8:99::/48'],
      }),
    })
    .map(({ sources, ...rest }) => ({ ...rest, ...(sources && { sources }) })),
);

/**
 * The ports of a network. Those at the address of an uplink are those from which pods and hosts send, too.
 *
 * @param place of the network on its uplink: no two have one port there
 */
function exposedPorts(
  { atUplink, address, sources }: ExposedShape,
  networkId: number,
  place: number,
  families: readonly (4 | 6)[],
): readonly ExposedPort[] {
  return families.flatMap((family) => {
    const common = { family, protocol: 'tcp' as const };
    const host = address === 'shared' ? '49' : String(50 + networkId);
    const ofService = {
      ...common,
      address: family === 4 ? `192.0.2.${host}` : `2001:db8:2::${host}`,
      isOfService: true,
      ...(sources?.[family] && { sources: sources[family] }),
    };
    // Another network has the address with another port.
    const first = address === 'shared' ? 1000 + networkId : 443;
    return [
      ...(atUplink ? [{ ...common, address: '', isOfService: false, port: 40_000 + place }] : []),
      ...(address === 'none'
        ? []
        : [
            { ...ofService, port: first },
            { ...ofService, protocol: 'udp' as const, port: first },
          ]),
    ];
  });
}

/** Networks of an uplink that has some addresses: none has a family that the uplink lacks, since it would not be programmed (AddressFamilyMissing). */
function networkShapes(addresses: PerFamily<string>) {
  const present = ([4, 6] as const).filter((family) => addresses[family] !== undefined);
  const families = fc.subarray(present, { minLength: 1 });
  return fc.array(fc.record({ families, isAdvertised: fc.boolean(), ports: exposedShapes }), { maxLength: 3 });
}

const uplinkShapes = addresses.chain((each) =>
  fc.record({
    vlan: fc.constantFrom(undefined, undefined, 100, 200),
    addresses: fc.constant(each),
    neighbours,
    networks: networkShapes(each),
  }),
);

/** Bridges, each with one to three uplinks. */
export const bridges: fc.Arbitrary<ExposingBridge> = fc
  .record({
    lowestZone: fc.constantFrom(64_100, 64_104),
    // Tunnels may end at the address of an uplink.
    encapsulationAddresses: fc.constantFrom<PerFamily<readonly string[]>[]>(
      {},
      { 4: ['172.30.0.1'] },
      { 6: ['fd30::1'] },
      { 4: ['172.30.0.1', '192.0.2.6'], 6: ['2001:db8:2::6'] },
      { 4: ['192.0.2.6', '192.0.2.7'], 6: ['2001:db8:2::6'] },
    ),
    shapes: fc.array(uplinkShapes, { minLength: 1, maxLength: 3 }),
  })
  .map(({ lowestZone, encapsulationAddresses, shapes }) => {
    let networkId = 0;
    const exposed: Record<string, readonly ExposedPort[]> = {};
    const uplinks = shapes.map(({ vlan, networks, ...rest }, at): UplinkInput => ({
      ...rest,
      uplink: `uplink-${String(at)}`,
      firstZone: lowestZone + ZONES_PER_UPLINK * at,
      // The bridge's own port, or internal ports beside it.
      hostPort: at === 0 ? 'LOCAL' : String(10 + at),
      macAddress: `0a:00:00:00:00:0${String(at)}`,
      ...(vlan !== undefined && { vlan }),
      networks: networks.map(({ families, isAdvertised, ports }, place) => {
        networkId++;
        const made = network(networkId, families, isAdvertised);
        exposed[made.network] = exposedPorts(ports, networkId, place, families);
        return made;
      }),
    }));
    const own = (family: 4 | 6) => [...new Set(uplinks.flatMap((uplink) => uplink.addresses[family] ?? []))];
    return {
      bridge: 'br-blue',
      physicalPort: PHYSICAL_PORT,
      masqueradeSubnets,
      serviceSubnets: { 4: ['10.96.0.0/16'], 6: ['fd00:10:96::/112'] },
      uplinkAddresses: { 4: own(4), 6: own(6) },
      encapsulationAddresses,
      uplinks,
      exposed,
    };
  });
