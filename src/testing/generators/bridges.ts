/**
 * Uplink bridges: one or several uplinks, with VLANs or without, whose addresses, gateways and networks may be alike.
 */
import fc from 'fast-check';
import { ZONES_PER_UPLINK } from '../../domain/basics/conventions.ts';
import type {
  BridgeInput,
  NeighbourInput,
  NetworkInput,
  PerFamily,
  UplinkInput,
} from '../../domain/dataplane/pipeline/bridge-input.ts';

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

/** Networks of an uplink that has some addresses: none has a family that the uplink lacks, since it would not be programmed (AddressFamilyMissing). */
function networkShapes(addresses: PerFamily<string>) {
  const present = ([4, 6] as const).filter((family) => addresses[family] !== undefined);
  return fc.array(fc.record({ families: fc.subarray(present, { minLength: 1 }), isAdvertised: fc.boolean() }), {
    maxLength: 3,
  });
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
export const bridges: fc.Arbitrary<BridgeInput> = fc
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
    const uplinks = shapes.map(({ vlan, networks, ...rest }, at): UplinkInput => ({
      ...rest,
      uplink: `uplink-${String(at)}`,
      firstZone: lowestZone + ZONES_PER_UPLINK * at,
      // The bridge's own port, or internal ports beside it.
      hostPort: at === 0 ? 'LOCAL' : String(10 + at),
      macAddress: `0a:00:00:00:00:0${String(at)}`,
      ...(vlan !== undefined && { vlan }),
      networks: networks.map(({ families, isAdvertised }) => {
        networkId++;
        return network(networkId, families, isAdvertised);
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
    };
  });
