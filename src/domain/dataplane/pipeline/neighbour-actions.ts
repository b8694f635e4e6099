/**
 * How networks resolve neighbours on the wire (docs/design/flows.md, "Neighbours"): gateway routers know a neighbour by a virtual MAC address that never
 * changes, and table `nextHop` replaces it by the real one.
 */
import { LEARNED_FLOW_COOKIE, VIRTUAL_MAC_PREFIX } from '../../basics/conventions.ts';
import type { FieldName } from '../../datapath/openflow/fields.ts';
import type { Action, LearnedPart, Subfield } from '../../datapath/openflow/flow.ts';
import type { Scopes } from './row.ts';
import { learning, registers, SLOTS, type TableName, tables } from './tables.ts';
import { goTo, hexadecimal, output } from './matches-and-actions.ts';

/** Priority of learned flows: below those of neighbours that the kernel has resolved. */
const LEARNED_PRIORITY = 90;

/** Priority of the flows that output replies to the networks that wait for them. */
const WAITING_PRIORITY = 100;

const VIRTUAL_PREFIX = hexadecimal((VIRTUAL_MAC_PREFIX[0] << 8) | VIRTUAL_MAC_PREFIX[1]);

/** The bits of a MAC address that hold an IPv4 address, and those of the prefix before it. */
const ADDRESS_BITS = [0, 31] as const;
const PREFIX_BITS = [32, 47] as const;

/** The bits of `vlan_tci` that hold the VLAN id, and whether there is a tag. */
const VLAN_BITS = [0, 12] as const;

function all(field: FieldName): Subfield {
  return { field };
}

/** Matches packets of the same VLAN. */
const sameVlan: LearnedPart = {
  match: { field: 'vlan_tci', bits: VLAN_BITS },
  equals: { field: 'vlan_tci', bits: VLAN_BITS },
};

function learn(
  table: TableName,
  settings: {
    readonly idleTimeout?: number;
    readonly hardTimeout?: number;
    readonly limit?: number;
    readonly priority: number;
  },
  ...parts: readonly LearnedPart[]
): Action {
  return { kind: 'learn', table: tables[table], ...settings, cookie: LEARNED_FLOW_COOKIE, parts };
}

function move(from: Subfield, to: Subfield): Action {
  return { kind: 'move', from, to };
}

function load(value: string, to: Subfield): Action {
  return { kind: 'load', value, to };
}

/** Writes the virtual MAC address of an IPv4 address into a field. */
function virtualMac(address: FieldName, field: FieldName): readonly Action[] {
  return [move(all(address), { field, bits: ADDRESS_BITS }), load(VIRTUAL_PREFIX, { field, bits: PREFIX_BITS })];
}

/** Learns the MAC address behind the virtual one of the neighbour that an ARP packet from the wire comes from. */
export const learnNextHop: Action = learn(
  'nextHop',
  { idleTimeout: learning.nextHopSeconds, limit: learning.limit, priority: LEARNED_PRIORITY },
  sameVlan,
  { match: { field: 'dl_dst', bits: ADDRESS_BITS }, equals: all('arp_spa') },
  { match: { field: 'dl_dst', bits: PREFIX_BITS }, equals: VIRTUAL_PREFIX },
  { load: all('arp_sha'), to: all('dl_dst') },
  { output: all('in_port') },
);

/** Records that a neighbour is known, by the field in which later packets have its address. */
function learnKnown(table: TableName, field: 'arp_spa' | 'arp_tpa', hardTimeout: number): Action {
  return learn(
    table,
    { hardTimeout, limit: learning.limit, priority: LEARNED_PRIORITY },
    { field: 'eth_type', equals: '0x806' },
    sameVlan,
    { match: all(field), equals: all('arp_spa') },
    { load: '0x1', to: all(registers.isKnown) },
  );
}

function setSlot(slot: number): Action {
  return { kind: 'set', field: registers.slot, value: hexadecimal(slot) };
}

/** The slot of a network: networks in different slots can wait for the same neighbour. */
const slotOf = ({ network }: Scopes['network']) => network.networkId % SLOTS;

/** Outputs a reply or an advertisement from the wire to the networks that wait for it, slot by slot. */
const toWaitingNetworks: readonly Action[] = Array.from({ length: SLOTS }, (_, slot) => [
  setSlot(slot),
  goTo('waitingNetworks'),
]).flat();

/** Learns from an ARP reply from the wire, and outputs it, with the virtual MAC address, to the networks that wait for it. */
export const learnNeighbour: readonly Action[] = [
  output('NORMAL'),
  learnNextHop,
  learnKnown('knownTargets', 'arp_tpa', learning.answerSeconds),
  learnKnown('knownSenders', 'arp_spa', learning.refreshSeconds),
  ...virtualMac('arp_spa', 'arp_sha'),
  ...toWaitingNetworks,
];

/** Updates the MAC address of a known neighbour from any other ARP packet from the wire. */
export const refreshNeighbour: readonly Action[] = [output('NORMAL'), goTo('knownSenders'), goTo('refresh')];

/** Answers an ARP request of a network, or sends it to the wire. */
export function askForNeighbour(scope: Scopes['network']): readonly Action[] {
  return [setSlot(slotOf(scope)), goTo('knownTargets'), goTo('answer')];
}

/** Turns an ARP request for a known neighbour into its reply. */
export const answerForNeighbour: readonly Action[] = [
  move(all('dl_src'), all('dl_dst')),
  ...virtualMac('arp_tpa', 'dl_src'),
  { kind: 'set', field: 'arp_op', value: '2' },
  move(all('arp_sha'), all('arp_tha')),
  ...virtualMac('arp_tpa', 'arp_sha'),
  move(all('arp_spa'), all(registers.scratch)),
  move(all('arp_tpa'), all('arp_spa')),
  move(all(registers.scratch), all('arp_tpa')),
  output('IN_PORT'),
];

/** Records which network asks for an IPv4 neighbour, and sends its request to the wire. */
export function askOnWire({ bridge: { physicalPort } }: Scopes['bridge']): readonly Action[] {
  return [
    learn(
      'waitingNetworks',
      { hardTimeout: learning.requestSeconds, priority: WAITING_PRIORITY },
      { field: 'eth_type', equals: '0x806' },
      { match: all(registers.slot), equals: all(registers.slot) },
      sameVlan,
      { match: all('arp_spa'), equals: all('arp_tpa') },
      { output: all('in_port') },
    ),
    output(physicalPort),
  ];
}

/** Records which network solicits an IPv6 neighbour, and sends its solicitation to the wire if its source is allowed. */
export function solicitNeighbour(scope: Scopes['network']): readonly Action[] {
  return [
    learn(
      'waitingNetworks',
      { hardTimeout: learning.solicitationSeconds, priority: WAITING_PRIORITY },
      { field: 'eth_type', equals: '0x86dd' },
      { field: 'nw_proto', equals: '58' },
      { field: 'icmpv6_type', equals: '136' },
      { match: all(registers.slot), equals: hexadecimal(slotOf(scope)) },
      sameVlan,
      { match: all('nd_target'), equals: all('nd_target') },
      { output: all('in_port') },
    ),
    goTo('translated'),
  ];
}

/** Outputs an IPv6 advertisement from the wire to the networks that have solicited it, slot by slot. */
export const advertiseNeighbour: readonly Action[] = [output('NORMAL'), ...toWaitingNetworks];
