/**
 * Entities and devices that are related to a network: once any of them changes, a failed operation may succeed.
 */
import { INTEGRATION_BRIDGE } from '../../domain/basics/conventions.ts';
import { isStatic } from '../../domain/node-model/neighbours/lasting-neighbour.ts';
import type { NodePlan } from '../../domain/plan/node-plan.ts';
import type { NetworkKey } from '../../domain/network/key.ts';
import type { NetworkOwner } from '../../domain/network/part.ts';
import { groupBy } from '../../domain/basics/names/grouping.ts';
import { lazyByObject } from '../../domain/basics/incremental/by-identity.ts';
import { lazy, lazyByKey } from '../../domain/basics/incremental/lazy.ts';
import { canonical } from '../../domain/basics/names/ordering.ts';
import type { Address, Link, NodeSnapshot, Route } from '../../domain/snapshot/node-snapshot.ts';
import { managementPortName } from '../../domain/network/names/management-port.ts';
import { viewNode } from '../../domain/snapshot/node-view.ts';

/** Everything related to a network as texts, in order. Networks share the texts of what they have in common, such as an interface. */
export type RelatedState = readonly string[];

const textOf = (value: unknown) => JSON.stringify(canonical(value));

/** An address without what the kernel changes by itself. */
function stablePart({ validSeconds: _, preferredSeconds: __, flags, ...address }: Address) {
  return { ...address, flags: flags.filter((flag) => flag !== 'tentative') };
}

function stableLink({ operationalState: _, addresses, ...link }: Link) {
  return { ...link, addresses: addresses.map(stablePart) };
}

/** The kernel adds routes for addresses, some of them a second after the interface is up. */
function stableRoutes(routes: readonly Route[]) {
  return routes.filter(({ protocol }) => protocol !== 'kernel').map(({ expiresSeconds: _, ...route }) => route);
}

/** Also of a chassis: its name follows. */
const isBridgeMapping = (key: string) => key.includes('bridge-mappings');

/** The texts of a node's devices, tables and bridges, each made once. */
const textsOf = lazyByObject((node: NodeSnapshot) => {
  const view = viewNode(node);
  const routesByTable = lazy(() => groupBy(node.routes, ({ table }) => `${table}`));
  const rulesByTable = lazy(() => groupBy(node.rules, ({ table = '' }) => `${table}`));
  const mappings = lazy(() => {
    const entries = Object.entries(node.switchExternalIds).filter(([key]) => isBridgeMapping(key));
    const parts = entries.flatMap(([key, text]) => text.split(',').map((part) => ({ key, part })));
    return groupBy(parts, ({ part }) => part.slice(part.indexOf(':') + 1));
  });
  return {
    view,
    membersOf: (name: string) => view.portsOf(name),
    ofDevice: lazyByKey((name: string) =>
      textOf({
        link: [view.link(name) ?? []].flat().map(stableLink),
        routes: stableRoutes(view.routesOutOf(name)),
        neighbours: view.neighboursOn(name).filter(isStatic),
        sysctls: view.settingsOf(name).map((setting) => [setting, node.sysctls[setting]]),
      }),
    ),
    ofTable: lazyByKey((table: number) =>
      textOf({ routes: stableRoutes(routesByTable().get(`${table}`) ?? []), rules: rulesByTable().get(`${table}`) }),
    ),
    ofBridge: lazyByKey((name: string) =>
      textOf({
        bridges: node.bridges.filter((bridge) => bridge.name === name),
        isWithoutSwitch: node.bridgesWithoutSwitch?.includes(name) === true,
        // Our own operations on networks of other bridges change the other mappings.
        mappings: mappings().get(name),
      }),
    ),
    // Without the other ports, of pods that come and go.
    ofPort: lazyByKey((name: string) =>
      textOf({
        ports: view.portsWith(name).map(({ bridge, port }) => [bridge.name, port]),
        isWithoutSwitch: node.bridgesWithoutSwitch?.includes(INTEGRATION_BRIDGE) === true,
      }),
    ),
    chassis: lazy(() => textOf(node.chassis)),
    ofNode: lazy(() =>
      textOf({
        externalIds: Object.entries(node.switchExternalIds).filter(([key]) => !isBridgeMapping(key)),
        isNorthboundOutdated: node.isNorthboundOutdated,
        isSouthboundOutdated: node.isSouthboundOutdated,
      }),
    ),
  };
});

/** Of what the plan of a network has, most is the same object in the next plan. */
const ofPart = lazyByObject(textOf);

/** The VRFs that networks themselves need, by network. */
const vrfsOfNetworks = lazyByObject((desired: NodePlan['dataplane']['desired']) => {
  const pairs = desired.flatMap(({ entity, owners }) =>
    entity.kind === 'vrf'
      ? owners.flatMap((owner) =>
          owner.kind === 'network' && owner.part === 'network' ? [{ network: owner.network, vrf: entity.name }] : [],
        )
      : [],
  );
  return groupBy(pairs, ({ network }) => network);
});

/** Needs on the node of a network itself: the names of its devices, and what else is related to it. */
function relatedToNetwork(network: NetworkKey, { zones = [], dataplane }: NodePlan, node: NodeSnapshot) {
  const logicalNetwork = zones.find(({ object }) => object === network);
  if (logicalNetwork === undefined) return { devices: [], state: [] };
  const texts = textsOf(node);
  const ports = logicalNetwork.networkId === undefined ? [] : [managementPortName(logicalNetwork.networkId)];
  const vrfs = (vrfsOfNetworks(dataplane.desired).get(network) ?? []).map(({ vrf }) => vrf);
  return { devices: [...ports, ...vrfs], state: [textOf(logicalNetwork), ...ports.map(texts.ofPort), texts.chassis()] };
}

const unrelated = { devices: [], state: [] };

/**
 * Everything related to a part of a network, without what the kernel changes by itself.
 *
 * @param owner undefined for a change that is for no network: only the node itself is related to it
 */
export function related(owner: NetworkOwner | undefined, plan: NodePlan, node: NodeSnapshot): RelatedState {
  const { networks, uplinks, dataplane } = plan;
  const texts = textsOf(node);
  const logicalNetwork = owner?.part === 'network' ? relatedToNetwork(owner.network, plan, node) : unrelated;
  const isRelated = (key: NetworkKey) => owner?.part === 'uplink' && owner.network === key;
  const rows = networks.filter((row) => isRelated(row.key));
  const programmed = dataplane.programmed.find((each) => isRelated(each.network));
  const interfaces = uplinks
    .filter(({ uplink }) => rows.some((row) => row.uplink === uplink))
    .flatMap(({ hostInterfaceName }) => hostInterfaceName ?? []);
  const names = [...interfaces, ...(programmed === undefined ? [] : [programmed.vrf.name]), ...logicalNetwork.devices];
  const others = names.flatMap((name) => [...texts.membersOf(name), ...texts.view.stackedOn(name)]);
  const devices = [...new Set([...names, ...others.map(({ name }) => name)])];
  const tables = devices.flatMap((name) => texts.view.link(name)?.vrfTable ?? []);
  const bridges = [...new Set(rows.flatMap(({ bridge }) => bridge ?? []))];
  const { entities = [], datapath, ...rest } = programmed ?? {};
  return [
    textOf({ rows, rest }),
    ...(datapath === undefined ? [] : [ofPart(datapath)]),
    ...entities.map(ofPart),
    ...devices.map(texts.ofDevice),
    ...tables.map(texts.ofTable),
    ...bridges.map(texts.ofBridge),
    ...logicalNetwork.state,
    texts.ofNode(),
  ];
}

/** Whether two states are the same. */
export function isSameState(left: RelatedState, right: RelatedState): boolean {
  return left.length === right.length && left.every((text, index) => text === right[index]);
}
