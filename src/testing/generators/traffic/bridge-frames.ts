/**
 * Frames and addresses that mean something on an uplink bridge, and some that do not.
 */
import type {
  BridgeInput,
  NetworkInput,
  PerFamily,
  UplinkInput,
} from '../../../domain/dataplane/pipeline/bridge-input.ts';
import { virtualMacOf } from '../../../domain/dataplane/pipeline/virtual-mac.ts';
import type { Match } from '../../../domain/datapath/openflow/flow.ts';

/** Addresses that no uplink has, in its subnet and elsewhere. */
export const outside = { 4: ['198.51.100.10', '192.0.2.9'], 6: ['2001:db8:99::10', '2001:db8:2::9'] } as const;

/** MAC addresses that no uplink has. */
export const otherMacAddresses = ['02:00:00:00:00:99', 'ff:ff:ff:ff:ff:ff'] as const;

/** Addresses of a family that mean something on the bridge, and some that do not. */
export function addressesOf(bridge: BridgeInput, family: 4 | 6): readonly string[] {
  const networks: readonly NetworkInput[] = bridge.uplinks.flatMap((uplink) => uplink.networks);
  return [
    ...outside[family],
    ...(bridge.uplinkAddresses[family] ?? []),
    ...(bridge.encapsulationAddresses[family] ?? []),
    ...networks
      .flatMap(({ masqueradeAddresses, advertisedSubnets }) => [
        masqueradeAddresses[family] ?? [],
        (advertisedSubnets[family] ?? []).map((subnet) => podIn(subnet, family)),
      ])
      .flat(2),
    ...(family === 4 ? ['169.254.0.2', '10.20.1.5', '10.96.0.10'] : ['fd69::2', 'fd20::5', 'fd00:10:96::a']),
  ];
}

/** The address of a pod in a subnet. */
export function podIn(subnet: string, family: 4 | 6): string {
  return subnet.replace(family === 4 ? '0/24' : '/64', '5');
}

/** The tag of frames of an uplink. */
export function tagOf({ vlan }: UplinkInput): Match {
  return vlan === undefined ? {} : { dl_vlan: String(vlan) };
}

/** A frame from the wire for the host interface of an uplink. */
export function fromWire({ physicalPort }: BridgeInput, uplink: UplinkInput): Match {
  return { in_port: physicalPort, dl_src: otherMacAddresses[0], dl_dst: uplink.macAddress, ...tagOf(uplink) };
}

/** Allowed traffic of an uplink: who sends, from which address, into which frame. */
interface Sender {
  readonly frame: Match;
  readonly source: PerFamily<string>;
}

/** The senders of an uplink: the host, and its networks as their gateway routers send. */
export function senders(uplink: UplinkInput): readonly Sender[] {
  const { macAddress, hostPort, addresses, neighbours, networks } = uplink;
  const neighbour = neighbours[0];
  const virtual = neighbour === undefined ? otherMacAddresses[0] : virtualMacOf(neighbour.address);
  return [
    {
      frame: { in_port: hostPort, dl_src: macAddress, dl_dst: neighbour?.macAddress ?? otherMacAddresses[0] },
      source: addresses,
    },
    ...networks.map(({ patchPort, masqueradeAddresses }): Sender => ({
      frame: { in_port: patchPort, dl_src: macAddress, dl_dst: virtual, ...tagOf(uplink) },
      source: Object.fromEntries(
        Object.entries(masqueradeAddresses).filter(([family]) => addresses[family === '4' ? 4 : 6] !== undefined),
      ),
    })),
  ];
}
