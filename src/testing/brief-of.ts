/**
 * The inverse of `completeNode`: the short form of a node, with nothing lost.
 */
import { emptyLedger, type Ledger, type LedgerEntry } from '../domain/snapshot/ledger.ts';
import type {
  Address,
  Bridge,
  Link,
  NextHopObject,
  NodeSnapshot,
  Route,
  SwitchInterface,
  SwitchPort,
} from '../domain/snapshot/node-snapshot.ts';
import {
  type BriefBridge,
  type BriefLedgerEntry,
  type BriefLink,
  type BriefNextHopObject,
  type BriefNode,
  type BriefPort,
  type BriefRoute,
  completeAddress,
  completeBridge,
  completeInterface,
  completeLink,
  completeNeighbour,
  completeNextHopObject,
  completePort,
  completeRoute,
  completeRule,
  kernelRules,
  expandedSettings,
} from './brief-node.ts';
import { withRoutesOfAddresses } from './kernel-routes.ts';

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/**
 * The short form of an object: what identifies it, what is not as usual, and `null` for what it lacks.
 *
 * @param usual the object of which only the identity is given.
 */
function overrides<Complete extends object, Named extends Partial<Complete>>(
  complete: Complete,
  named: Named,
  usual: Complete,
): Named {
  const known = new Map<string, unknown>(Object.entries(usual));
  const unusual = Object.entries(complete).filter(([key, item]) => !known.has(key) || !isSame(item, known.get(key)));
  const lacking = [...known.keys()].filter((key) => !Object.hasOwn(complete, key)).map((key) => [key, null] as const);
  return { ...named, ...Object.fromEntries([...unusual, ...lacking]) };
}

function briefAddress(address: Address) {
  const named = { address: address.address, prefixLength: address.prefixLength };
  return overrides(address, named, completeAddress(named));
}

function briefLink({ addresses, ...link }: Link, position: number): BriefLink {
  const { name, kind, index } = link;
  const named = { name, ...(kind !== undefined && { kind }), ...(index !== position + 1 && { index }) };
  const { addresses: _none, ...usual } = completeLink(named, position);
  return { ...overrides(link, named, usual), ...(addresses.length > 0 && { addresses: addresses.map(briefAddress) }) };
}

function briefInterface(device: SwitchInterface, position: number) {
  const named = { name: device.name };
  return overrides(device, named, completeInterface(named, position));
}

function briefPort({ interfaces, ...port }: SwitchPort): BriefPort {
  const { interfaces: usualInterfaces, ...usual } = completePort({ name: port.name });
  return {
    ...overrides(port, { name: port.name }, usual),
    ...(!isSame(interfaces, usualInterfaces) && { interfaces: interfaces.map(briefInterface) }),
  };
}

function briefBridge({ ports, ...bridge }: Bridge): BriefBridge {
  const { ports: usualPorts, ...usual } = completeBridge({ name: bridge.name });
  const isLocal = ({ name }: SwitchPort) => name === bridge.name;
  const isUsual = ports.filter(isLocal).length === 1 && isSame(ports.slice(0, 1), usualPorts);
  const others = isUsual ? ports.slice(1) : ports;
  return {
    ...overrides(bridge, { name: bridge.name }, usual),
    ...(!ports.some(isLocal) && { localPort: false as const }),
    ...(others.length > 0 && { ports: others.map(briefPort) }),
  };
}

function briefNextHopObject(object: NextHopObject): BriefNextHopObject {
  const { id, gateway, group } = object;
  const named = { id, ...(gateway !== undefined && { gateway }), ...(group !== undefined && { group }) };
  return overrides(object, named, completeNextHopObject(named));
}

function briefRoute(route: Route): BriefRoute {
  const named = { destination: route.destination, nextHops: route.nextHops };
  return overrides(route, named, completeRoute(named));
}

/** The value that most have, where all have one. */
function usualValue(values: readonly (string | undefined)[]): string | undefined {
  if (values.includes(undefined)) return undefined;
  const count = (value: string | undefined) => values.filter((other) => other === value).length;
  return [...new Set(values)].sort((left, right) => count(right) - count(left))[0];
}

/** The settings. Where every device has one, the value that most of them have is given once. */
function briefSettings({ sysctls, links }: NodeSnapshot): Readonly<Record<string, string>> {
  const patterns = new Set(Object.keys(sysctls).map((name) => name.replace(/\.conf\.[^.]+\.(?=[^.]+$)/, '.conf.*.')));
  const starred = [...patterns]
    .filter((pattern) => pattern.includes('.*.'))
    .flatMap((pattern) => {
      const names = Object.keys(expandedSettings({ [pattern]: '' }, links));
      const value = usualValue(names.map((name) => sysctls[name]));
      return value === undefined ? [] : [[pattern, value] as const];
    });
  const meant = expandedSettings(Object.fromEntries(starred), links);
  const others = Object.entries(sysctls).filter(([name, value]) => meant[name] !== value);
  return Object.fromEntries([...starred, ...others]);
}

/** The routes, without those that the kernel makes where all of these are there and last. */
function briefRoutes(node: NodeSnapshot): Pick<BriefNode, 'routes' | 'kernelRoutes'> {
  const others = node.routes.findLastIndex(({ protocol }) => protocol !== 'kernel') + 1;
  const first = node.routes.slice(0, others);
  const hasMade = others < node.routes.length && isSame(withRoutesOfAddresses({ ...node, routes: first }), node);
  const routes = (hasMade ? first : node.routes).map(briefRoute);
  return { ...(routes.length > 0 && { routes }), ...(hasMade && { kernelRoutes: true as const }) };
}

/** The rules, without those of the kernel where all of these are there and first. */
function briefRules({ rules, links }: NodeSnapshot): Pick<BriefNode, 'rules' | 'kernelRules'> {
  const usual = kernelRules(links);
  if (isSame(rules, usual)) return {};
  const hasUsual = isSame(rules.slice(0, usual.length), usual);
  const others = hasUsual ? rules.slice(usual.length) : rules;
  return {
    ...(hasUsual && { kernelRules: true as const }),
    rules: others.map((rule) => {
      const named = { priority: rule.priority };
      return overrides(rule, named, completeRule(named));
    }),
  };
}

function briefEntry(entry: LedgerEntry): BriefLedgerEntry {
  if (entry.kind !== 'displaced' || entry.entity.kind !== 'route') return entry;
  return { ...entry, entity: { ...entry.entity, route: briefRoute(entry.entity.route) } };
}

function briefLedger({ entries, ...ledger }: Ledger): Pick<BriefNode, 'ledger'> {
  const { entries: none, ...usual } = emptyLedger;
  if (!isSame(ledger, usual)) return { ledger: overrides({ entries, ...ledger }, {}, { entries: none, ...usual }) };
  return entries.length === 0 ? {} : { ledger: entries.map(briefEntry) };
}

/** Parts of a node that forward packets, without the lists that are empty. */
function briefDatapath(node: NodeSnapshot) {
  const { flows, fdbEntries, noFloodPorts, northbound, isNorthboundRead, chassis, remotePorts } = node;
  const { filterTables, forwardDrops } = node;
  return {
    ...(flows.length > 0 && { flows }),
    ...(fdbEntries.length > 0 && { fdbEntries }),
    ...(noFloodPorts.length > 0 && { noFloodPorts }),
    ...(chassis.length > 0 && { chassis }),
    ...(remotePorts.length > 0 && { remotePorts }),
    ...(filterTables.length > 0 && { filterTables }),
    ...(forwardDrops.length > 0 && { forwardDrops }),
    ...(northbound.length > 0 && { northbound }),
    ...(isNorthboundRead && { isNorthboundRead }),
  };
}

/** A node in short form, which `completeNode` makes the same node of. */
export function briefOf(node: NodeSnapshot): BriefNode {
  const { nodeName, links, neighbourProxies, bridges, switchExternalIds, devlinkPorts, bootId, uptimeSeconds } = node;
  const { kernelRelease, openVSwitchVersion } = node;
  const neighbours = node.neighbours.map((neighbour) => {
    const named = { device: neighbour.device, address: neighbour.address };
    return overrides(neighbour, named, completeNeighbour(named));
  });
  const sysctls = briefSettings(node);
  return {
    nodeName,
    ...(links.length > 0 && { links: links.map(briefLink) }),
    ...(bridges.length > 0 && { bridges: bridges.map(briefBridge) }),
    ...briefRoutes(node),
    ...(node.nextHopObjects.length > 0 && { nextHopObjects: node.nextHopObjects.map(briefNextHopObject) }),
    ...briefRules(node),
    ...(neighbours.length > 0 && { neighbours }),
    ...(neighbourProxies.length > 0 && { neighbourProxies }),
    ...(Object.keys(switchExternalIds).length > 0 && { switchExternalIds }),
    ...(devlinkPorts.length > 0 && { devlinkPorts }),
    ...(Object.keys(sysctls).length > 0 && { sysctls }),
    ...briefDatapath(node),
    ...briefLedger(node.ledger),
    ...(bootId !== undefined && { bootId }),
    ...(uptimeSeconds !== undefined && { uptimeSeconds }),
    ...(kernelRelease !== undefined && { kernelRelease }),
    ...(openVSwitchVersion !== undefined && { openVSwitchVersion }),
  };
}
