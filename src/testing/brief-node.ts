/**
 * Nodes in short form: a NodeSnapshot without what has its usual value.
 */
import { VRF_MTU } from '../domain/node-model/vrf.ts';
import { familyOf } from '../domain/basics/addresses/ip-address.ts';
import { type Displaced, emptyLedger, type Ledger, type LedgerEntry } from '../domain/snapshot/ledger.ts';
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
import { withRoutesOfAddresses } from './kernel-routes.ts';

type Brief<Item, Said extends keyof Item> = Pick<Item, Said> & Partial<Item>;

/** An item in which `null` stands for the absence of what is usually there. */
type Lacking<Item, Key extends keyof Item> = Omit<Item, Key> & { readonly [Each in Key]?: Item[Each] | null };

/** An address: at least the address itself and its prefix length. */
export type BriefAddress = Brief<Address, 'address' | 'prefixLength'>;

/** An interface of a port: at least its name. */
export type BriefInterface = Lacking<Brief<SwitchInterface, 'name'>, 'openFlowPort'>;

/** A link: at least its name. */
export interface BriefLink extends Omit<Lacking<Brief<Link, 'name'>, 'macAddress'>, 'addresses'> {
  readonly addresses?: readonly BriefAddress[];
}

/** A port: at least its name; its one interface has the same name. */
export interface BriefPort extends Omit<Brief<SwitchPort, 'name'>, 'interfaces'> {
  readonly interfaces?: readonly BriefInterface[];
}

/** A bridge: at least its name; its LOCAL port is there, and first, without being listed. */
export interface BriefBridge extends Omit<Brief<Bridge, 'name'>, 'ports'> {
  readonly ports?: readonly BriefPort[];
  /** `false`: it has no LOCAL port, which Open vSwitch never reports. */
  readonly localPort?: false;
}

/** A route: at least destination and next hops. */
export type BriefRoute = Brief<Route, 'destination' | 'nextHops'>;

/** A next hop object: at least its id. */
export type BriefNextHopObject = Lacking<Brief<NextHopObject, 'id'>, 'family'>;

/** A rule: at least its priority. */
export type BriefRule = Brief<Rule, 'priority'>;

/** A neighbour: at least device and address. */
export type BriefNeighbour = Brief<Neighbour, 'device' | 'address'>;

/** An entry of the ledger; a route that was displaced is in short form. */
export type BriefLedgerEntry =
  | LedgerEntry
  | (Omit<Displaced, 'entity'> & { readonly entity: { readonly kind: 'route'; readonly route: BriefRoute } });

/** A node: at least its name. */
export interface BriefNode extends Omit<
  Brief<NodeSnapshot, 'nodeName'>,
  'links' | 'routes' | 'nextHopObjects' | 'rules' | 'neighbours' | 'bridges' | 'devlinkPorts' | 'ledger'
> {
  readonly links?: readonly BriefLink[];
  readonly routes?: readonly BriefRoute[];
  /** Whether the routes that the kernel makes of the links' addresses are there too, after those that are listed. */
  readonly kernelRoutes?: true;
  readonly nextHopObjects?: readonly BriefNextHopObject[];
  /** Every rule, or with `kernelRules` those after the kernel's; left out, the node has those that the kernel makes. */
  readonly rules?: readonly BriefRule[];
  readonly kernelRules?: true;
  /** Left out, a neighbour is permanent, as `ip neighbour add` makes it. */
  readonly neighbours?: readonly BriefNeighbour[];
  /** The ledger's entries, or the whole ledger. */
  readonly ledger?: readonly BriefLedgerEntry[] | Partial<Ledger>;
  /** Settings; `*` in the place of a device stands for `all`, `default` and every link that is not named. */
  readonly sysctls?: Readonly<Record<string, string>>;
  readonly bridges?: readonly BriefBridge[];
  readonly devlinkPorts?: readonly Brief<DevlinkPort, 'device' | 'flavour'>[];
}

/** The item without what is `null`. */
function withoutNulls<Item extends object>(item: Item): { readonly [Key in keyof Item]: Exclude<Item[Key], null> } {
  const entries = Object.entries(item).filter(([, value]) => value !== null);
  return Object.fromEntries(entries) as { [Key in keyof Item]: Exclude<Item[Key], null> };
}

/** An address. */
export function completeAddress(brief: BriefAddress): Address {
  return { scope: 'global', flags: [], ...brief };
}

/** A link; its place in the list is its index unless one is given. */
export function completeLink(brief: BriefLink, position: number): Link {
  const index = brief.index ?? position + 1;
  return withoutNulls({
    up: true,
    operationalState: 'up',
    mtu: brief.kind === 'vrf' ? VRF_MTU : 1500,
    type: 'ether',
    macAddress: `02:00:00:00:00:${(index % 256).toString(16).padStart(2, '0')}`,
    ...brief,
    index,
    addresses: (brief.addresses ?? []).map(completeAddress),
  });
}

/** An interface of a port; its place in the list is the number of its OpenFlow port unless one is given. */
export function completeInterface(brief: BriefInterface, position: number): SwitchInterface {
  return withoutNulls({ type: '', openFlowPort: position + 1, externalIds: {}, ...brief });
}

/** A port. */
export function completePort(brief: BriefPort): SwitchPort {
  const interfaces = brief.interfaces ?? [{ name: brief.name }];
  return {
    externalIds: {},
    ...brief,
    interfaces: interfaces.map(completeInterface),
  };
}

/** A bridge. */
export function completeBridge({ localPort, ...brief }: BriefBridge): Bridge {
  const local: BriefPort = { name: brief.name, interfaces: [{ name: brief.name, type: 'internal' }] };
  const ports = brief.ports ?? [];
  const said = localPort === false || ports.some(({ name }) => name === brief.name);
  return { externalIds: {}, ...brief, ports: (said ? ports : [local, ...ports]).map(completePort) };
}

/** The rules that the kernel starts with (net/ipv4/fib_rules.c, fib_default_rules_init; net/ipv6/fib6_rules.c, fib6_rules_net_init_default). */
const initialRules: readonly Rule[] = [
  { family: 4, priority: 0, table: 255, protocol: 'kernel', others: {} },
  { family: 4, priority: 32766, table: 254, protocol: 'kernel', others: {} },
  { family: 4, priority: 32767, table: 253, protocol: 'kernel', others: {} },
  { family: 6, priority: 0, table: 255, protocol: 'kernel', others: {} },
  { family: 6, priority: 32766, table: 254, protocol: 'kernel', others: {} },
];

/** The rules that the kernel makes: those that it starts with, and those that come with the first VRF device (drivers/net/vrf.c). */
export function kernelRules(links: readonly Link[]): readonly Rule[] {
  if (links.every(({ kind }) => kind !== 'vrf')) return initialRules;
  const ofVrfs = ([4, 6] as const).map((family): Rule => ({
    family,
    priority: 1000,
    protocol: 'kernel',
    others: { l3mdev: 'null' },
  }));
  return [...initialRules, ...ofVrfs];
}

/** A next hop object. */
export function completeNextHopObject(brief: BriefNextHopObject): NextHopObject {
  const family = brief.gateway === undefined ? 4 : (familyOf(brief.gateway) ?? 4);
  return withoutNulls({ protocol: 'static', ...(brief.group === undefined && { family }), ...brief });
}

/** A route. */
export function completeRoute(brief: BriefRoute): Route {
  return {
    family: familyOf(brief.destination) ?? 4,
    type: 'unicast',
    table: 254,
    protocol: 'static',
    metric: 0,
    ...brief,
  };
}

/** A rule. */
export function completeRule(brief: BriefRule): Rule {
  return { family: 4, protocol: 'static', others: {}, ...brief };
}

/** A neighbour. */
export function completeNeighbour(brief: BriefNeighbour): Neighbour {
  return { states: ['permanent'], ...brief };
}

/** All settings: `*` in the place of a device stands for `all`, `default` and every link; a setting of one device comes first. */
export function expandedSettings(
  brief: Readonly<Record<string, string>>,
  links: readonly Link[],
): Readonly<Record<string, string>> {
  const devices = ['all', 'default', ...links.map(({ name }) => name.replaceAll('.', '/'))];
  const starred = Object.entries(brief).filter(([name]) => name.includes('.*.'));
  const plain = Object.entries(brief).filter(([name]) => !name.includes('.*.'));
  const meant = starred.flatMap(([name, value]) =>
    devices.map((device) => [name.replace('.*.', () => `.${device}.`), value] as const),
  );
  return Object.fromEntries([...meant, ...plain]);
}

function completeEntry(brief: BriefLedgerEntry): LedgerEntry {
  if (brief.kind !== 'displaced' || brief.entity.kind !== 'route') return brief as LedgerEntry;
  return { ...brief, entity: { ...brief.entity, route: completeRoute(brief.entity.route) } };
}

/** The whole node of one in short form. */
export function completeNode({ kernelRoutes, kernelRules: hasKernelRules, ...brief }: BriefNode): NodeSnapshot {
  const links = (brief.links ?? []).map(completeLink);
  const node: NodeSnapshot = {
    switchExternalIds: {},
    devlinkPorts: [],
    neighbourProxies: [],
    flows: [],
    fdbEntries: [],
    noFloodPorts: [],
    northbound: [],
    chassis: [],
    remotePorts: [],
    filterTables: [],
    forwardDrops: [],
    ...brief,
    links,
    sysctls: expandedSettings(brief.sysctls ?? {}, links),
    routes: (brief.routes ?? []).map(completeRoute),
    nextHopObjects: (brief.nextHopObjects ?? []).map(completeNextHopObject),
    rules: [...(hasKernelRules || !brief.rules ? kernelRules(links) : []), ...(brief.rules ?? []).map(completeRule)],
    neighbours: (brief.neighbours ?? []).map(completeNeighbour),
    bridges: (brief.bridges ?? []).map(completeBridge),
    ledger: {
      ...emptyLedger,
      ...(isEntries(brief.ledger) ? { entries: brief.ledger.map(completeEntry) } : brief.ledger),
    },
  };
  return kernelRoutes === undefined ? node : withRoutesOfAddresses(node);
}

function isEntries(ledger: BriefNode['ledger']): ledger is readonly BriefLedgerEntry[] {
  return Array.isArray(ledger);
}
