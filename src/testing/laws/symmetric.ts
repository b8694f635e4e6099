import { isNamespaced, nameOfNetwork, type NetworkKey } from '../../domain/network/key.ts';
import type { ClusterUserDefinedNetwork } from '../../domain/api/cluster-user-defined-network.ts';
import { entityPrefix } from '../../domain/network/names/logical-network.ts';
import { type NodeSnapshot, operationText } from '../../domain/index.ts';
import { viewCluster } from '../../domain/plan/view/cluster-view.ts';
import type { NetworkOnNode, NodePlan } from '../../domain/plan/node-plan.ts';
import { ownVrfName } from '../../domain/network/names/vrf.ts';
import { partKey, uplinkPart } from '../../domain/network/part.ts';
import { changesOf, type Operation, partsOf } from '../../domain/entities/operations/operation.ts';
import type { Case } from '../case.ts';
import { type Convergence, converge, type Surroundings } from '../convergence.ts';
import type { Engine } from '../engine.ts';
import { heldNames } from './held-entities.ts';
import { exceptionLabel } from './exceptions.ts';
import type { CaseLabels } from './labels.ts';
import { programmedForHeld } from './programmed-for-held.ts';
import { assertLaw, assertSame } from './violation.ts';

const law = '5 symmetric';

/** The networks that are in conflict on a node, and those that one of them names. */
function inConflict(rows: readonly NetworkOnNode[]): ReadonlySet<NetworkKey> {
  return new Set(rows.filter(({ failure }) => failure?.reason === 'UplinkConfigurationConflict').map(({ key }) => key));
}

function partnersOf({ failure }: NetworkOnNode): readonly NetworkKey[] {
  if (failure?.reason !== 'UplinkConfigurationConflict') return [];
  return failure.conflicts.flatMap((conflict) => (conflict.over === 'targets' ? [] : conflict.networks));
}

/** Reasons that come before a conflict: what OVN-Kubernetes still has to do for a network. */
const reasonsBefore: ReadonlySet<string | undefined> = new Set(['NetworkNotAllocated', 'PrerequisiteMissing']);

function checkMembers({ networks: rows, dataplane: { kept } }: NodePlan): CaseLabels {
  return rows.flatMap((row) =>
    partnersOf(row).flatMap((partner): CaseLabels => {
      // A tenant's own network takes no bridge from those of administrators: it is in conflict with them, and they are not with it.
      if (isNamespaced(row.key) && !isNamespaced(partner)) return [];
      const ofPartner = rows.filter(({ key }) => key === partner);
      // Of a network that cannot be read is only known what it has on the node, and that it keeps it.
      if (ofPartner.length === 0 && kept.some(({ network }) => network === partner)) {
        return [exceptionLabel(law, 'network that cannot be read')];
      }
      const isInConflict = ofPartner.some(({ failure }) => failure?.reason === 'UplinkConfigurationConflict');
      assertLaw(
        law,
        isInConflict || ofPartner.some(({ failure }) => reasonsBefore.has(failure?.reason)),
        () =>
          `${row.network} is in conflict with ${nameOfNetwork(partner)}, and that one is ${ofPartner[0]?.failure?.reason ?? 'Ready'}`,
      );
      assertLaw(
        law,
        ofPartner.every(({ held }) => held),
        () => `${nameOfNetwork(partner)} is in a conflict set with ${row.network} and not held`,
      );
      return isInConflict ? [] : [exceptionLabel(law, 'network that waits')];
    }),
  );
}

/** Networks that overlap with one that says so are all held: none was first. */
function checkOverlaps({ networks: rows }: NodePlan): CaseLabels {
  const overlapping = rows.flatMap(({ key, failure }) =>
    failure?.reason === 'SubnetsOverlap' && failure.cause === 'advertised'
      ? failure.overlaps.map(({ other }) => ({ network: key, other: other.network }))
      : [],
  );
  for (const { network, other } of overlapping) {
    assertLaw(
      law,
      rows.some((row) => row.key === other && row.held),
      () => `${nameOfNetwork(network)} overlaps with ${nameOfNetwork(other)}, which is not held`,
    );
  }
  return overlapping.length > 0 ? ['overlap'] : [];
}

/** Whether an operation releases ports of other nodes whose chassis go: a port is there as long as its chassis. @param after the node without them */
function isRelease(operation: Operation, { chassis }: NodeSnapshot): boolean {
  const names = new Set(chassis.map(({ name }) => name));
  return changesOf(operation).every(
    ({ verb, entity }) => verb === 'remove' && entity.kind === 'remote-port' && !names.has(entity.chassis),
  );
}

/** A held network gets no operation, not even one that it shares with others, and nothing of it is changed by an operation that names others. */
function checkHeld(surroundings: Surroundings, { plan, operations, states }: Convergence): CaseLabels {
  const parts = new Map([
    ...plan.networks.map((row) => [uplinkPart(row.key), row.held] as const),
    ...(plan.zones ?? []).map(
      ({ object, failure }) => [partKey({ network: object, part: 'network' }), failure !== undefined] as const,
    ),
  ]);
  const [before, after] = [states.at(0), states.at(-1)];
  if (before === undefined || after === undefined) return [];
  const names = heldNames(surroundings, [[plan, before]]);
  if (names.networks.size + names.logicalNetworks.size === 0) return [];
  for (const operation of operations) {
    if (isRelease(operation, after)) continue;
    // One for both parts of a network is for that which is not held.
    const touched = operation.networks.find((network) => {
      const known = partsOf({ ...operation, networks: [network] }).filter((part) => parts.has(part));
      return known.length > 0 && known.every((part) => parts.get(part) === true);
    });
    assertLaw(law, touched === undefined, () => `${touched} is held and gets: ${operationText(operation)}`);
  }
  const programmedOn = programmedForHeld(names, plan, before);
  const programmed = programmedOn(before);
  assertSame(law, 'what held networks have before and after', programmed, programmedOn(after));
  const kinds = Object.entries(programmed).flatMap(([kind, lines]) => (lines.length > 0 ? [`held ${kind}`] : []));
  return ['held', ...(kinds.length > 0 ? ['held and programmed'] : []), ...kinds];
}

/** A case with its networks created in reverse order. Where ids are claimed for them, they stay the same. */
function createdInReverse(
  networks: readonly ClusterUserDefinedNetwork[],
  areClaimed: boolean,
): readonly ClusterUserDefinedNetwork[] {
  return networks.map((network, position) => ({
    ...network,
    metadata: {
      ...network.metadata,
      creationTimestamp: `2026-01-01T00:00:${String(59 - (position % 60)).padStart(2, '0')}Z`,
      ...(!areClaimed && { uid: `00000000-0000-4000-8000-${String(networks.length - position).padStart(12, '0')}` }),
    },
  }));
}

/** The names of the own VRFs of two networks after these have exchanged names: a name that is too long is replaced by one with the network's id. */
function exchangedVrfs({ cluster, settings }: Case, left: string, right: string): ReadonlyMap<string, string> {
  const view = viewCluster(cluster, settings);
  const entries = view.networks.flatMap((network) => {
    const { name } = network.metadata;
    if (name !== left && name !== right) return [];
    const id = view.networkId(network);
    const [before, after] = [ownVrfName(name, id), ownVrfName(name === left ? right : left, id)];
    return before === undefined || after === undefined ? [] : [[before, after] as const];
  });
  return new Map(entries);
}

/** A case in which two networks have exchanged names, wherever these occur: objects, labels, mapping entries, names of VRFs, rows and flows. */
function exchanged(subject: Case, left: string, right: string): Case {
  const { cluster, nodes, settings } = subject;
  const names = new Map([
    [left, right],
    [right, left],
    [`cluster_udn_${left}`, `cluster_udn_${right}`],
    [`cluster_udn_${right}`, `cluster_udn_${left}`],
  ]);
  const [leftPrefix, rightPrefix] = [entityPrefix(`cluster_udn_${left}`), entityPrefix(`cluster_udn_${right}`)];
  const prefixes = new RegExp(`${leftPrefix}|${rightPrefix}`, 'g');
  const vrfs = exchangedVrfs(subject, left, right);
  const rename = (key: string, item: unknown) => {
    if (typeof item !== 'string') return item;
    if (key === 'targetVRF') return vrfs.get(item) ?? item;
    return item
      .replace(prefixes, (prefix) => (prefix === leftPrefix ? rightPrefix : leftPrefix))
      .replace(/[^:,]+/g, (name) => names.get(name) ?? name);
  };
  const renamed = <Value>(value: Value) => JSON.parse(JSON.stringify(value), rename) as Value;
  return {
    settings,
    cluster: renamed({ ...cluster, uplinkStates: [] }),
    nodes: nodes.map((node) => ({
      ...node,
      switchExternalIds: renamed(node.switchExternalIds),
      northbound: renamed(node.northbound),
      flows: renamed(node.flows),
    })),
  };
}

/** Reasons for which each network fails, and whether it is held. */
function outcomes(rows: readonly NetworkOnNode[], nameOf: (network: string) => string): readonly string[] {
  return rows
    .map(({ network, failure, held }) => `${nameOf(network)}: ${failure?.reason ?? 'none'}, ${held ? 'held' : 'free'}`)
    .sort();
}

/** Exchanging the names of two networks in conflict exchanges the decisions about them, and changes nothing else. */
function checkExchange(engine: Engine, subject: Case, position: number): CaseLabels {
  const bare = { ...subject, cluster: { ...subject.cluster, uplinkStates: [] } };
  const before = nodeRows(engine, bare, position);
  const members = [...inConflict(before)].map(nameOfNetwork);
  const [left, right] = members;
  if (left === undefined || right === undefined) return [];
  const after = nodeRows(engine, exchanged(bare, left, right), position);
  const exchange = (name: string) => (name === left ? right : name === right ? left : name);
  const about = (rows: readonly NetworkOnNode[]) => rows.filter(({ network }) => members.includes(network));
  assertSame(
    law,
    `outcomes when ${left} and ${right} exchange names`,
    outcomes(about(before), exchange),
    outcomes(about(after), (name) => name),
  );
  return ['exchange'];
}

function nodeRows(engine: Engine, { cluster, nodes, settings }: Case, position: number): readonly NetworkOnNode[] {
  const node = nodes[position];
  return node === undefined ? [] : engine.planNode(cluster, node, settings).networks;
}

/** Law 5: all networks of a conflict are in conflict and held, and neither order nor age nor name nor what is programmed makes a winner. */
export function checkSymmetric(engine: Engine, subject: Case): CaseLabels {
  const { cluster, nodes, settings } = subject;
  return nodes.flatMap((node, position) => {
    const run = converge(engine, law, { cluster, settings }, node);
    const { networks } = run.plan;
    const labels = [...checkMembers(run.plan), ...checkOverlaps(run.plan), ...checkHeld({ cluster, settings }, run)];
    const reversed = {
      ...cluster,
      clusterUserDefinedNetworks: createdInReverse(
        [...cluster.clusterUserDefinedNetworks].reverse(),
        settings.providedNetworks !== 'none',
      ),
    };
    assertSame(
      law,
      'decisions with networks created in another order',
      networks,
      engine.planNode(reversed, node, settings).networks,
    );
    return [...labels, ...checkExchange(engine, subject, position)];
  });
}
