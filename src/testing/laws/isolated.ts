import { clusterNetworkName } from '../../domain/network/key.ts';
import { partKey, uplinkPart } from '../../domain/network/part.ts';
import type { NetworkOnNode, NodePlan } from '../../domain/plan/node-plan.ts';
import type { NodeSnapshot } from '../../domain/snapshot/node-snapshot.ts';
import { isWayOut } from '../../domain/snapshot/ways-out.ts';
import type { Case } from '../case.ts';
import type { Engine } from '../engine.ts';
import { entityPrefix } from '../../domain/network/names/logical-network.ts';
import { isLearned, withRelativeZones } from '../../domain/entities/switch/flow.ts';
import { changesOf, type SingleOperation, partsOf } from '../../domain/entities/operations/operation.ts';
import { exceptionLabel } from './exceptions.ts';
import type { CaseLabels } from './labels.ts';
import { LawViolation } from './violation.ts';

const law = '4 isolated';

/** Ties between networks: texts that are the same for two networks where they share something. */
type Ties = ReadonlySet<string>;

/** The ties of the law itself: a bridge, every VRF that is asked for, and the node's default routes. */
function tiesOf(row: NetworkOnNode, plan: NodePlan, node: NodeSnapshot): Ties {
  const { network, uplink, vrf, routingDomain } = row;
  const { domain } = routingDomain;
  const vrfs = domain.kind === 'contradiction' ? domain.vrfs : [vrf];
  const bridge = row.bridge ?? plan.uplinks.find((onNode) => onNode.uplink === uplink)?.facts?.bridge;
  return new Set([
    ...(bridge === undefined ? [] : [`bridge ${bridge}`]),
    ...vrfs.flatMap((name) => (name === undefined ? [] : [`vrf ${name}`])),
    // In the default domain a network has a VRF of its own for its services.
    `vrf ${network}`,
    ...lastWaysOutOf(row, plan, node),
  ]);
}

function interfaceOf({ uplink }: NetworkOnNode, { uplinks }: NodePlan): string | undefined {
  return uplinks.find((onNode) => onNode.uplink === uplink)?.hostInterfaceName;
}

/** The families whose default routes lead out of an uplink's interface or a VLAN device on it: the last ones must not all go. */
function lastWaysOutOf(row: NetworkOnNode, plan: NodePlan, { links, routes }: NodeSnapshot): readonly string[] {
  const device = interfaceOf(row, plan);
  const own = new Set(
    links.filter(({ name, lowerDevice }) => name === device || lowerDevice === device).map(({ name }) => name),
  );
  const defaults = routes.filter((route) => isWayOut(route) && route.nextHops.some((hop) => own.has(hop.device ?? '')));
  return defaults.map(({ family }) => `default routes of IPv${family}`);
}

type TieException = 'group of next hops' | 'source address';

/** Ties between networks by exception. */
const exceptionalTies: { readonly [Name in TieException]: (device: string, node: NodeSnapshot) => Ties } = {
  'group of next hops': (device, { nextHopObjects }) => {
    const own = new Set(nextHopObjects.filter((object) => object.device === device).map(({ id }) => id));
    const groups = nextHopObjects.filter(({ group = [] }) => group.some(({ id }) => own.has(id)));
    return new Set(groups.map(({ id }) => `${id}`));
  },
  'source address': (device, { links, routes }) => {
    const own = links.filter(({ name }) => name === device).flatMap(({ addresses }) => addresses);
    const sources = routes
      .filter(({ nextHops }) => nextHops.some((hop) => hop.device === device))
      .flatMap(({ preferredSource }) => preferredSource ?? []);
    return new Set([...own.map(({ address }) => address), ...sources]);
  },
};

const exceptionNames = Object.keys(exceptionalTies) as readonly TieException[];

/** The exceptions under which the decisions about one network may depend on another one. */
function exceptionsFor(
  row: NetworkOnNode,
  others: readonly NetworkOnNode[],
  plan: NodePlan,
  node: NodeSnapshot,
): readonly TieException[] {
  return exceptionNames.filter((name) => {
    const of = (each: NetworkOnNode) => exceptionalTies[name](interfaceOf(each, plan) ?? '', node);
    return others.some((other) => share(of(row), of(other)));
  });
}

function share(ties: Ties, others: Ties): boolean {
  return [...ties].some((tie) => others.has(tie));
}

function isOfLearned(change: SingleOperation): boolean {
  return change.entity.kind === 'flow' && isLearned(change.entity);
}

/** Whether a change is about how pods reach an address of the node. */
function isOfPolicy({ entity }: SingleOperation): boolean {
  return entity.kind === 'northbound-row' && entity.row.table === 'Logical_Router_Policy';
}

/** Whether a change is about what networks share on a bridge. */
function isOfBridge({ entity: { kind } }: SingleOperation): boolean {
  return kind === 'flow' || kind === 'fdb-entry' || kind === 'neighbour';
}

/** Whether a network that is tied to a row and to networks that are removed is ready in only one of two plans: with and without these. */
function hasNetworkBetween(
  row: NetworkOnNode,
  removed: readonly NetworkOnNode[],
  [plan, planWithout]: readonly [NodePlan, NodePlan],
  node: NodeSnapshot,
): boolean {
  const isTiedTo = (other: NetworkOnNode) => (each: NetworkOnNode) =>
    share(tiesOf(each, plan, node), tiesOf(other, plan, node));
  const isReadyIn = ({ networks }: NodePlan, { network, uplink }: NetworkOnNode) =>
    networks.some((each) => each.network === network && each.uplink === uplink && each.failure === undefined);
  return plan.networks
    .filter((other) => isReadyIn(plan, other) !== isReadyIn(planWithout, other))
    .some((other) => isTiedTo(other)(row) && removed.some(isTiedTo(other)));
}

const isInDefaultDomain = ({ routingDomain: { domain } }: NetworkOnNode) => domain.kind === 'default';

/** Decisions about a network on an uplink: its row, and what is done for the network, some changes aside. */
function decided(engine: Engine, plan: NodePlan, node: NodeSnapshot) {
  const all = engine.diffNode(plan, node).flatMap(changesOf);
  return ({ key, uplink }: NetworkOnNode, isAside = (_: SingleOperation) => false): string =>
    JSON.stringify({
      row: plan.networks.find((row) => row.key === key && row.uplink === uplink),
      // It may share an operation with a network that is removed, or with the network itself.
      operations: all
        .filter((change) => partsOf(change).includes(uplinkPart(key)) && !isAside(change))
        .map(({ part: _, ...operation }) => ({ ...operation, networks: [key] })),
    });
}

/** Decisions about each provided network, by its name in OVN. */
export function decidedAsAWhole(engine: Engine, plan: NodePlan, node: NodeSnapshot): ReadonlyMap<string, string> {
  const all = engine.diffNode(plan, node).flatMap(changesOf);
  return new Map(
    (plan.zones ?? []).map((logicalNetwork) => {
      const operations = all
        .filter((change) => partsOf(change).includes(partKey({ network: logicalNetwork.object, part: 'network' })))
        // One filter is for all networks that leave by the node: that each is in it is another law (filtered.ts).
        .filter(({ entity }) => entity.kind !== 'filter-table')
        // It may share a chassis with a network that is removed, and its VRF with its uplink.
        .map(({ part: _, ...operation }) => ({ ...operation, networks: [logicalNetwork.object] }));
      return [logicalNetwork.networkName, JSON.stringify({ logicalNetwork, operations })] as const;
    }),
  );
}

/** Throws unless the same was decided about provided networks, where they are in both plans. */
function assertProvidedNetworksAlike(
  node: NodeSnapshot,
  removed: string,
  [before, after]: readonly [ReadonlyMap<string, string>, ReadonlyMap<string, string>],
): CaseLabels {
  const removedPrefix = entityPrefix(clusterNetworkName(removed));
  return [...after].flatMap(([networkName, right]): CaseLabels => {
    const left = before.get(networkName);
    if (left === right) return ['provided network'];
    if (entityPrefix(networkName) === removedPrefix) return [exceptionLabel(law, 'equal names in OVN')];
    const what = `${networkName} on ${node.nodeName} with and without network ${removed}`;
    throw new LawViolation(law, `decisions about ${what} differ:\n${left}\n--- and ---\n${right}`);
  });
}

/** Law 4: removing a network changes nothing that was decided about networks that share neither bridge nor VRF nor the last way out with it. */
export function checkIsolated(engine: Engine, { cluster, nodes, settings }: Case): CaseLabels {
  return nodes.flatMap((node) => {
    const plan = engine.planNode(cluster, node, settings);
    const before = decided(engine, plan, node);
    const wholeBefore = decidedAsAWhole(engine, plan, node);
    return cluster.clusterUserDefinedNetworks.flatMap(({ metadata: { name } }): CaseLabels => {
      const removed = plan.networks.filter(({ network }) => network === name);
      const tied = (network: string) =>
        plan.networks
          .filter((row) => row.network === network)
          .some((row) => removed.some((other) => share(tiesOf(row, plan, node), tiesOf(other, plan, node))));
      const bystanders = plan.networks.filter(({ network }) => network !== name && !tied(network));
      if (bystanders.length === 0 && wholeBefore.size === 0) return [];
      const clusterUserDefinedNetworks = cluster.clusterUserDefinedNetworks.filter(
        (network) => network.metadata.name !== name,
      );
      const planWithout = engine.planNode({ ...cluster, clusterUserDefinedNetworks }, node, settings);
      const provided = assertProvidedNetworksAlike(node, name, [
        wholeBefore,
        decidedAsAWhole(engine, planWithout, node),
      ]);
      if (bystanders.length === 0) return provided;
      const after = decided(engine, planWithout, node);
      const labels = bystanders.flatMap((row): CaseLabels => {
        const [left, right] = [before(row), after(row)];
        if (left === right) return [];
        if (withRelativeZones(left) === withRelativeZones(right)) return [exceptionLabel(law, 'conntrack zone')];
        const isSameBut = (isAside: (change: SingleOperation) => boolean) =>
          withRelativeZones(before(row, isAside)) === withRelativeZones(after(row, isAside));
        if (isSameBut(isOfLearned)) return [exceptionLabel(law, 'learned flow')];
        if (
          isInDefaultDomain(row) &&
          removed.some(isInDefaultDomain) &&
          isSameBut((change) => isOfLearned(change) || isOfPolicy(change))
        ) {
          return [exceptionLabel(law, 'default routing domain')];
        }
        if (
          hasNetworkBetween(row, removed, [plan, planWithout], node) &&
          isSameBut((change) => isOfLearned(change) || isOfBridge(change))
        ) {
          return [exceptionLabel(law, 'network in between')];
        }
        const found = exceptionsFor(row, removed, plan, node);
        if (found.length > 0) return found.map((exception) => exceptionLabel(law, exception));
        const what = `${row.network} on ${node.nodeName} with and without network ${name}`;
        throw new LawViolation(law, `decisions about ${what} differ:\n${left}\n--- and ---\n${right}`);
      });
      return [...(removed.length > 0 ? ['bystander'] : []), ...provided, ...labels];
    });
  });
}
