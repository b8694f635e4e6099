import type { ClusterUserDefinedNetwork } from '../../domain/api/cluster-user-defined-network.ts';
import { diffNode } from '../../domain/diff/diff-node.ts';
import type { Operation } from '../../domain/operations/operation.ts';
import { meaningOf } from '../../domain/operations/operation-meaning.ts';
import { viewCluster } from '../../domain/plan/cluster-view.ts';
import type { NetworkOnNode, NodePlan } from '../../domain/plan/node-plan.ts';
import { planNode } from '../../domain/plan/plan-node.ts';
import { ownVrfName } from '../../domain/routing-domain/vrf-name.ts';
import type { Case } from '../case.ts';
import { demand, demandSame } from './violation.ts';

const law = 'symmetric: a conflict has no winner, and who is in one is held';

/** The networks that are in conflict on a node, and those that one of them names. */
function inConflict(rows: readonly NetworkOnNode[]): ReadonlySet<string> {
  return new Set(
    rows.filter(({ failure }) => failure?.reason === 'UplinkConfigurationConflict').map(({ network }) => network),
  );
}

function partnersOf({ failure }: NetworkOnNode): readonly string[] {
  if (failure?.reason !== 'UplinkConfigurationConflict') return [];
  return failure.conflicts.flatMap((conflict) => (conflict.over === 'targets' ? [] : conflict.networks));
}

/** What OVN-Kubernetes still has to do for a network is told before its conflicts. */
const toldBefore: ReadonlySet<string | undefined> = new Set(['NetworkNotAllocated', 'PrerequisiteMissing']);

function checkMembers(rows: readonly NetworkOnNode[]): void {
  for (const row of rows) {
    for (const partner of partnersOf(row)) {
      const ofPartner = rows.filter(({ network, failure }) => network === partner && !isNotCarried(failure?.reason));
      demand(
        law,
        ofPartner.some(
          ({ failure }) => failure?.reason === 'UplinkConfigurationConflict' || toldBefore.has(failure?.reason),
        ),
        () =>
          `${row.network} is in conflict with ${partner}, and that one is ${ofPartner[0]?.failure?.reason ?? 'Ready'}`,
      );
      demand(
        law,
        ofPartner.every(({ held }) => held),
        () => `${partner} is in a conflict set with ${row.network} and not held`,
      );
    }
  }
}

function isNotCarried(reason: string | undefined): boolean {
  return (
    reason === 'UplinkUnsupportedGatewayMode' ||
    reason === 'UplinkUnsupportedTransport' ||
    reason === 'UplinkNotFound' ||
    reason === 'UplinkNotFoundForNode'
  );
}

/** A held network gets no operation at all, not even one that it shares with others. */
function checkUntouched({ networks }: NodePlan, operations: readonly Operation[]): void {
  const held = new Set(networks.filter((row) => row.held).map(({ network }) => network));
  for (const operation of operations) {
    const touched = operation.networks.find((name) => held.has(name));
    demand(
      law,
      touched === undefined,
      () => `${touched ?? ''} is held and gets: ${meaningOf(operation).summary(operation)}`,
    );
  }
}

/** The same networks, each made at another time: who was first. */
function madeInReverse(networks: readonly ClusterUserDefinedNetwork[]): readonly ClusterUserDefinedNetwork[] {
  return networks.map((network, position) => ({
    ...network,
    metadata: {
      ...network.metadata,
      creationTimestamp: `2026-01-01T00:00:${String(59 - (position % 60)).padStart(2, '0')}Z`,
      uid: `00000000-0000-4000-8000-${String(networks.length - position).padStart(12, '0')}`,
    },
  }));
}

/** What the own VRF of each of two networks is called once they have exchanged names: a name that is too long makes it go by the id. */
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

/** The same case in which two networks have changed names, wherever they are named: objects, labels, mapping entries, VRFs of their names. */
function exchanged(subject: Case, left: string, right: string): Case {
  const { cluster, nodes, settings } = subject;
  const names = new Map([
    [left, right],
    [right, left],
    [`cluster_udn_${left}`, `cluster_udn_${right}`],
    [`cluster_udn_${right}`, `cluster_udn_${left}`],
  ]);
  const vrfs = exchangedVrfs(subject, left, right);
  const rename = (key: string, item: unknown) => {
    if (typeof item !== 'string') return item;
    return key === 'targetVRF' ? (vrfs.get(item) ?? item) : item.replace(/[^:,]+/g, (name) => names.get(name) ?? name);
  };
  const renamed = <Value>(value: Value) => JSON.parse(JSON.stringify(value), rename) as Value;
  return {
    settings,
    cluster: renamed({ ...cluster, uplinkStates: [] }),
    nodes: nodes.map((node) => ({ ...node, switchExternalIds: renamed(node.switchExternalIds) })),
  };
}

/** Who is in conflict, and who is held, as a text for each network. */
function outcomes(rows: readonly NetworkOnNode[], nameOf: (network: string) => string): readonly string[] {
  const conflicting = inConflict(rows);
  return rows
    .filter(({ failure }) => failure?.reason === undefined || failure.reason === 'UplinkConfigurationConflict')
    .map(
      ({ network, held }) =>
        `${nameOf(network)}: ${conflicting.has(network) ? 'conflict' : 'none'}, ${held ? 'held' : 'free'}`,
    )
    .sort();
}

/** Exchanging the names of two networks in conflict exchanges what is said of them, and changes nothing else. */
function checkExchange(subject: Case, position: number): void {
  const bare = { ...subject, cluster: { ...subject.cluster, uplinkStates: [] } };
  const before = nodeRows(bare, position);
  const members = [...inConflict(before)];
  const [left, right] = members;
  if (left === undefined || right === undefined) return;
  const after = nodeRows(exchanged(bare, left, right), position);
  const exchange = (name: string) => (name === left ? right : name === right ? left : name);
  const about = (rows: readonly NetworkOnNode[]) => rows.filter(({ network }) => members.includes(network));
  demandSame(
    law,
    `outcomes when ${left} and ${right} exchange names`,
    outcomes(about(before), exchange),
    outcomes(about(after), (name) => name),
  );
}

function nodeRows({ cluster, nodes, settings }: Case, position: number): readonly NetworkOnNode[] {
  const node = nodes[position];
  return node === undefined ? [] : planNode(cluster, node, settings).networks;
}

/** Law 5: every member of a conflict set is in conflict and held, and neither order nor age nor name nor what is programmed makes a winner. */
export function checkSymmetric(subject: Case): void {
  const { cluster, nodes, settings } = subject;
  for (const [position, node] of nodes.entries()) {
    const plan = planNode(cluster, node, settings);
    const { networks } = plan;
    checkMembers(networks);
    checkUntouched(plan, diffNode(plan, node));
    const reversed = {
      ...cluster,
      clusterUserDefinedNetworks: madeInReverse([...cluster.clusterUserDefinedNetworks].reverse()),
    };
    demandSame(
      law,
      'decisions with networks made in another order',
      networks,
      planNode(reversed, node, settings).networks,
    );
    checkExchange(subject, position);
  }
}
