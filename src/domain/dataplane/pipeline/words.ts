/**
 * Matches and actions that several rows have in common.
 */
import { GENEVE_PORT } from '../../conventions.ts';
import type { Action, Match } from '../../openflow/flow.ts';
import type { BridgeInput, PerFamily, UplinkInput } from './bridge-input.ts';
import { type TableName, tables, zones } from './tables.ts';

/** What a flow of a row matches and does. */
export interface MatchAndActions {
  readonly match: Match;
  readonly actions: readonly Action[];
}

export const families = [4, 6] as const;
export type Family = (typeof families)[number];

/** Words of a family in matches. */
const familyWords = {
  4: { protocol: 'ip', icmp: 'icmp', udp: 'udp', source: 'nw_src', destination: 'nw_dst' },
  6: { protocol: 'ipv6', icmp: 'icmp6', udp: 'udp6', source: 'ipv6_src', destination: 'ipv6_dst' },
} as const;

/** A value for each family that has one. */
export function ofFamilies<Value, Result>(
  values: PerFamily<Value>,
  make: (value: Value, family: Family) => Result | readonly Result[],
): readonly Result[] {
  return families.flatMap((family) => {
    const value = values[family];
    return value === undefined ? [] : make(value, family);
  });
}

/** Any packet of a family. */
export function packet(family: Family): Match {
  return { protocol: familyWords[family].protocol };
}

export function icmp(family: Family, type: number, code?: number): Match {
  const { icmp: protocol } = familyWords[family];
  return { protocol, icmp_type: String(type), ...(code !== undefined && { icmp_code: String(code) }) };
}

export function geneve(family: Family): Match {
  return { protocol: familyWords[family].udp, tp_dst: String(GENEVE_PORT) };
}

export function from(family: Family, addresses: string): Match {
  return { [familyWords[family].source]: addresses };
}

export function setSource(family: Family, address: string): Action {
  return { kind: 'set', field: familyWords[family].source, value: address };
}

export function to(family: Family, addresses: string): Match {
  return { [familyWords[family].destination]: addresses };
}

/** Frames of the uplink's VLAN; without one, frames without a tag. */
export function tagged({ vlan }: Pick<UplinkInput, 'vlan'>): Match {
  return vlan === undefined ? { vlan_tci: '0x0000/0x1fff' } : { dl_vlan: String(vlan) };
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

/** Tracks a connection and marks it with whose it is; with a source, its packets get that one, and go on from a table as translated. */
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

/** Gives a frame from the wire to the host, whose port is an access port. */
export function toHost({ vlan, hostPort }: Pick<UplinkInput, 'vlan' | 'hostPort'>): readonly Action[] {
  return [...(vlan === undefined ? [] : [{ kind: 'pop-vlan' } as const]), output(hostPort)];
}

/** Bit of a VLAN id as `set_field` takes it that says that there is a tag (OFPVID_PRESENT). */
const VLAN_ID_PRESENT = 0x1000;

/** Sends a frame of the host to the wire. */
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
