/**
 * Matches and actions that several rows have in common.
 */
import { GENEVE_PORT } from '../../basics/conventions.ts';
import { addressFamilies, type AddressFamily } from '../../basics/addresses/ip-address.ts';
import type { Action, Match } from '../../datapath/openflow/flow.ts';
import type { BridgeInput, PerFamily, UplinkInput } from './bridge-input.ts';
import { type TableName, tables, zones } from './tables.ts';

/** Names of protocols and fields in matches, by address family. */
const familyNames = {
  4: { protocol: 'ip', icmp: 'icmp', udp: 'udp', source: 'nw_src', destination: 'nw_dst' },
  6: { protocol: 'ipv6', icmp: 'icmp6', udp: 'udp6', source: 'ipv6_src', destination: 'ipv6_dst' },
} as const;

/** Results for the value of each address family that has one. */
export function ofFamilies<Value, Result>(
  values: PerFamily<Value>,
  make: (value: Value, family: AddressFamily) => Result | readonly Result[],
): readonly Result[] {
  return addressFamilies.flatMap((family) => {
    const value = values[family];
    return value === undefined ? [] : make(value, family);
  });
}

/** Any packet of a family. */
export function packet(family: AddressFamily): Match {
  return { protocol: familyNames[family].protocol };
}

export function icmp(family: AddressFamily, type: number, code?: number): Match {
  const { icmp: protocol } = familyNames[family];
  return { protocol, icmp_type: String(type), ...(code !== undefined && { icmp_code: String(code) }) };
}

/** Packets of a protocol to a port. */
export function toPort(protocol: 'tcp' | 'udp' | 'sctp', family: AddressFamily, port: number): Match {
  return { protocol: family === 4 ? protocol : `${protocol}6`, tp_dst: String(port) };
}

export function geneve(family: AddressFamily): Match {
  return { protocol: familyNames[family].udp, tp_dst: String(GENEVE_PORT) };
}

export function from(family: AddressFamily, addresses: string): Match {
  return { [familyNames[family].source]: addresses };
}

export function setSource(family: AddressFamily, address: string): Action {
  return { kind: 'set', field: familyNames[family].source, value: address };
}

export function to(family: AddressFamily, addresses: string): Match {
  return { [familyNames[family].destination]: addresses };
}

/** Frames of the uplink's VLAN; without one, untagged frames. */
export function tagged({ vlan }: Pick<UplinkInput, 'vlan'>): Match {
  return vlan === undefined ? { vlan_tci: '0x0000/0x1fff' } : { dl_vlan: String(vlan) };
}

/** Frames of the uplink's VLAN from the wire. */
export function fromWire({
  bridge,
  uplink,
}: {
  readonly bridge: Pick<BridgeInput, 'physicalPort'>;
  readonly uplink: Pick<UplinkInput, 'vlan'>;
}): Match {
  return { in_port: bridge.physicalPort, ...tagged(uplink) };
}

export function output(port: string): Action {
  return { kind: 'output', port };
}

export function goTo(table: TableName): Action {
  return { kind: 'resubmit', table: tables[table] };
}

/** Number of a conntrack zone of the uplink. */
export function zoneOf({ firstZone }: Pick<UplinkInput, 'firstZone'>, zone: keyof typeof zones): number {
  return firstZone + zones[zone];
}

/**
 * Commits a connection to conntrack with the mark of its owner.
 *
 * @param source the address that its source is translated to; absent for no translation
 * @param next the table in which translated packets continue
 */
export function commit(
  uplink: Pick<UplinkInput, 'firstZone'>,
  mark: number,
  source?: string,
  next?: TableName,
): Action {
  return {
    kind: 'ct',
    commit: true,
    ...(next !== undefined && { table: tables[next] }),
    zone: zoneOf(uplink, 'connections'),
    ...(source !== undefined && { nat: { source } }),
    exec: [{ kind: 'set', field: 'ct_mark', value: hexadecimal(mark) }],
  };
}

/** A number as ovs-ofctl prints marks and registers. */
export function hexadecimal(number: number): string {
  return number === 0 ? '0' : `0x${number.toString(16)}`;
}

/** Outputs a frame from the wire to the host, whose port is an access port. */
export function toHost({ vlan, hostPort }: Pick<UplinkInput, 'vlan' | 'hostPort'>): readonly Action[] {
  return [...(vlan === undefined ? [] : [{ kind: 'pop-vlan' } as const]), output(hostPort)];
}

/** The bit of `vlan_vid` that says that the frame has a tag (OFPVID_PRESENT). */
const VLAN_ID_PRESENT = 0x1000;

/** Outputs a frame of the host to the wire, tagged with the VLAN of the uplink. */
export function toWire(
  { physicalPort }: Pick<BridgeInput, 'physicalPort'>,
  { vlan }: Pick<UplinkInput, 'vlan'>,
): readonly Action[] {
  const tag: readonly Action[] =
    vlan === undefined
      ? []
      : [{ kind: 'push-vlan' }, { kind: 'set', field: 'vlan_tci', value: String(VLAN_ID_PRESENT + vlan) }];
  return [...tag, output(physicalPort)];
}
