/**
 * Nodes in a few words: a NodeSnapshot in which everything that is as usual is left out.
 */
import { familyOf } from '../domain/ip-address.ts';
import { emptyLedger, type LedgerEntry } from '../domain/ownership/ledger.ts';
import type {
  Address,
  Bridge,
  DevlinkPort,
  Link,
  Neighbour,
  NextHopObject,
  NodeSnapshot,
  Route,
  Rule,
  SwitchInterface,
  SwitchPort,
} from '../domain/snapshot/node-snapshot.ts';

type Brief<Item, Said extends keyof Item> = Pick<Item, Said> & Partial<Item>;

/** A link of which at least the name is said. */
export interface BriefLink extends Omit<Brief<Link, 'name'>, 'addresses'> {
  readonly addresses?: readonly Brief<Address, 'address' | 'prefixLength'>[];
}

/** A port of which at least the name is said; its one interface has the same name. */
export interface BriefPort extends Omit<Brief<SwitchPort, 'name'>, 'interfaces'> {
  readonly interfaces?: readonly Brief<SwitchInterface, 'name'>[];
}

/** A bridge of which at least the name is said; its LOCAL port is there without being said. */
export interface BriefBridge extends Omit<Brief<Bridge, 'name'>, 'ports'> {
  readonly ports?: readonly BriefPort[];
}

/** A node of which at least the name is said. */
export interface BriefNode extends Omit<
  Brief<NodeSnapshot, 'nodeName'>,
  'links' | 'routes' | 'nextHopObjects' | 'rules' | 'neighbours' | 'bridges' | 'devlinkPorts' | 'ledger'
> {
  readonly links?: readonly BriefLink[];
  readonly routes?: readonly Brief<Route, 'destination' | 'nextHops'>[];
  readonly nextHopObjects?: readonly Brief<NextHopObject, 'id'>[];
  /** Every rule; left out, the node has those that the kernel starts with. */
  readonly rules?: readonly Brief<Rule, 'priority'>[];
  /** Left out, a neighbour is permanent, as `ip neighbour add` makes it. */
  readonly neighbours?: readonly Brief<Neighbour, 'device' | 'address'>[];
  /** The ledger's entries. */
  readonly ledger?: readonly LedgerEntry[];
  readonly bridges?: readonly BriefBridge[];
  readonly devlinkPorts?: readonly Brief<DevlinkPort, 'device' | 'flavour'>[];
}

function link(brief: BriefLink, position: number): Link {
  const index = brief.index ?? position + 1;
  return {
    up: true,
    operationalState: 'up',
    mtu: 1500,
    type: 'ether',
    macAddress: `02:00:00:00:00:${(index % 256).toString(16).padStart(2, '0')}`,
    ...brief,
    index,
    addresses: (brief.addresses ?? []).map((address) => ({ scope: 'global', flags: [], ...address })),
  };
}

function port(brief: BriefPort): SwitchPort {
  const interfaces = brief.interfaces ?? [{ name: brief.name }];
  return {
    externalIds: {},
    ...brief,
    interfaces: interfaces.map((device, position) => ({
      type: '',
      openFlowPort: position + 1,
      externalIds: {},
      ...device,
    })),
  };
}

function bridge(brief: BriefBridge): Bridge {
  const local: BriefPort = { name: brief.name, interfaces: [{ name: brief.name, type: 'internal' }] };
  const ports = brief.ports ?? [];
  const said = ports.some(({ name }) => name === brief.name);
  return { externalIds: {}, ...brief, ports: (said ? ports : [local, ...ports]).map(port) };
}

/** The rules that the kernel starts with (net/ipv4/fib_rules.c, fib_default_rules_init; net/ipv6/fib6_rules.c, fib6_rules_net_init_default). */
const kernelRules: readonly Rule[] = [
  { family: 4, priority: 0, table: 255, protocol: 'kernel', others: {} },
  { family: 4, priority: 32766, table: 254, protocol: 'kernel', others: {} },
  { family: 4, priority: 32767, table: 253, protocol: 'kernel', others: {} },
  { family: 6, priority: 0, table: 255, protocol: 'kernel', others: {} },
  { family: 6, priority: 32766, table: 254, protocol: 'kernel', others: {} },
];

function nextHopObject(brief: Brief<NextHopObject, 'id'>): NextHopObject {
  const family = brief.gateway === undefined ? 4 : (familyOf(brief.gateway) ?? 4);
  return { protocol: 'static', ...(brief.group === undefined && { family }), ...brief };
}

/** Says everything of a node that the brief one left out. */
export function completeNode(brief: BriefNode): NodeSnapshot {
  return {
    switchExternalIds: {},
    sysctls: {},
    devlinkPorts: [],
    ...brief,
    links: (brief.links ?? []).map(link),
    routes: (brief.routes ?? []).map((route) => ({
      family: familyOf(route.destination) ?? 4,
      type: 'unicast',
      table: 254,
      protocol: 'static',
      metric: 0,
      ...route,
    })),
    nextHopObjects: (brief.nextHopObjects ?? []).map(nextHopObject),
    rules: brief.rules?.map((rule) => ({ family: 4, protocol: 'static', others: {}, ...rule })) ?? kernelRules,
    neighbours: (brief.neighbours ?? []).map((neighbour) => ({ states: ['permanent'], ...neighbour })),
    bridges: (brief.bridges ?? []).map(bridge),
    ledger: { ...emptyLedger, entries: brief.ledger ?? [] },
  };
}
