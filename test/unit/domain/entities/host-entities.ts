/**
 * Entities of the administrator on a node, and entries of the ledger, in a few words.
 */
import type { Address, LedgerEntry, NextHopObject, NodeSnapshot, Route } from '../../../../src/domain/index.ts';
import { familyOf } from '../../../../src/domain/basics/addresses/ip-address.ts';
import { type DisplacedEntity, emptyLedger, type Ledger } from '../../../../src/domain/snapshot/ledger.ts';
import { type BriefNode, completeNode } from '../../../../src/testing/index.ts';

/** A displaceable entity of one kind. */
type Displaceable<Kind extends DisplacedEntity['kind']> = Extract<DisplacedEntity, { kind: Kind }>;

/** An entry of one kind. */
export type EntryOf<Kind extends LedgerEntry['kind']> = Extract<LedgerEntry, { kind: Kind }>;

/** A node, by default with `br-blue` in no VRF and VRF `blue` with table 1012. */
export function nodeWith(brief: Omit<BriefNode, 'nodeName'> = {}): NodeSnapshot {
  return completeNode({ nodeName: 'a', links: devices(), ...brief });
}

/** `br-blue` in a VRF or in none, VRFs `blue` (1012) and `corp` (500), and VLAN device `br-blue.7`. */
export function devices(master?: string): NonNullable<BriefNode['links']> {
  return [
    { name: 'br-blue', ...(master !== undefined && { master }) },
    { name: 'br-blue.7', kind: 'vlan', lowerDevice: 'br-blue' },
    { name: 'blue', kind: 'vrf', vrfTable: 1012 },
    { name: 'corp', kind: 'vrf', vrfTable: 500 },
  ];
}

/** An administrator's route out of `br-blue` in the main table. */
export function route(destination: string, brief: Partial<Route> = {}): Route {
  const family = familyOf(destination) ?? 4;
  return {
    family,
    destination,
    table: 254,
    type: 'unicast',
    protocol: 'static',
    metric: 0,
    nextHops: [{ device: 'br-blue', gateway: family === 4 ? '192.0.2.1' : '2001:db8:b::1' }],
    ...brief,
  };
}

/** A permanent address. */
export function address(text: string, brief: Partial<Address> = {}): Address {
  const [ip = '', length = ''] = text.split('/');
  return { address: ip, prefixLength: Number(length), scope: 'global', flags: [], ...brief };
}

export const hostRoute = (destination: string, brief: Partial<Route> = {}): Displaceable<'route'> => ({
  kind: 'route',
  route: route(destination, brief),
});

export const hostAddress = (
  text: string,
  brief: Partial<Address> = {},
  device = 'br-blue',
): Displaceable<'address'> => ({
  kind: 'address',
  device,
  address: address(text, brief),
});

export const hostNeighbour = (ip: string, device = 'br-blue'): Displaceable<'neighbour'> => ({
  kind: 'neighbour',
  neighbour: { device, address: ip, macAddress: '02:00:00:00:00:99', states: ['permanent'] },
});

export const hostProxy = (ip: string, device = 'br-blue'): Displaceable<'neighbour-proxy'> => ({
  kind: 'neighbour-proxy',
  proxy: { device, address: ip },
});

export const hostNextHopObject = (id: number, brief: Partial<NextHopObject> = {}): Displaceable<'next-hop-object'> => ({
  kind: 'next-hop-object',
  object: { id, family: 4, device: 'br-blue', gateway: '192.0.2.1', protocol: 'static', ...brief },
});

/** The entry of an entity that a change of `br-blue` displaced. */
export function displaced(
  entity: DisplacedEntity,
  state: 'awaiting' | 'placed' = 'awaiting',
  brief: Partial<EntryOf<'displaced'>> = {},
): EntryOf<'displaced'> {
  return { kind: 'displaced', device: 'br-blue', entity, state, ...brief };
}

/** A ledger of some entries. */
export function ledgerOf(...entries: readonly LedgerEntry[]): Ledger {
  return { ...emptyLedger, entries };
}

/** The entry that says that we put `br-blue` into a VRF. */
export function membership(brief: Partial<EntryOf<'membership'>> = {}): EntryOf<'membership'> {
  return { kind: 'membership', device: 'br-blue', vrf: 'blue', table: 1012, network: 'cluster_udn_blue', ...brief };
}
