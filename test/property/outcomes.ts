/**
 * The outcomes of a case or a story as labels, all of which generated ones must reach.
 */
import type { NetworkKey } from '../../src/domain/network/key.ts';
import {
  diffNode,
  semanticsOf,
  type NetworkOnNode,
  type NodeSettings,
  type NodeSnapshot,
  type Operation,
  type PutBack,
  planNode,
  type Preview,
  preview,
} from '../../src/domain/index.ts';
import type { NetworkFailure } from '../../src/domain/network-readiness/network-check.ts';
import type { ClusterSnapshot } from '../../src/domain/snapshot/cluster-snapshot.ts';
import { applyAll, type Case, disturbed, NodeModel, type Story } from '../../src/testing/index.ts';
import { withoutNetworks } from '../../src/testing/without-networks.ts';
import { isOn } from '../../src/domain/entities/operations/operation-semantics.ts';

function lossOf(by: Extract<NetworkFailure, { cause: 'cuts-node-off' }>['by']): string {
  if ('address' in by) return 'address';
  return by.alongside.length === 0 ? 'its default route' : 'the default routes of several';
}

function failureLabel({ failure }: NetworkOnNode): readonly string[] {
  if (failure === undefined) return ['network Ready'];
  const word = `network ${failure.reason}`;
  if (failure.reason === 'UplinkConfigurationConflict') {
    return [word, ...failure.conflicts.map(({ over }) => `conflict over ${over}`)];
  }
  if (!('cause' in failure)) return [word];
  const cause = `${word}: ${failure.cause}`;
  if (failure.cause === 'cuts-node-off') return [word, `${cause} by ${lossOf(failure.by)}`];
  if (failure.cause === 'cannot-be-put-back') return [word, `${cause} for its ${Object.keys(failure.by).join()}`];
  if (failure.cause === 'other-device' && failure.alternativeNameOf !== undefined) {
    return [word, `${cause} by an alternative name`];
  }
  if (failure.cause === 'in-the-way') {
    const { found } = failure;
    return [word, `${cause} of ${found.kind === 'northbound-row' ? found.row.table : found.kind}`];
  }
  return [word, cause];
}

function decisionLabels({ nodes, states, cluster }: Preview): readonly string[] {
  return [
    ...states.flatMap(({ status }) => status.conditions.map(({ reason }) => `Ready ${reason}`)),
    ...nodes.flatMap(({ networks }) =>
      networks.flatMap((row) => [
        ...failureLabel(row),
        `domain ${row.routingDomain.domain.kind}`,
        ...(row.held ? ['held'] : []),
      ]),
    ),
    ...cluster.uplinks.map(({ condition }) => `Degraded ${condition.reason}`),
    ...cluster.networks.map(({ condition }) => `UplinksReady ${condition.reason}`),
    ...(cluster.deletions.length > 0 ? ['deletion'] : []),
  ];
}

/** The operations, their inverses, and the kinds of restored entities. */
function operationLabels(node: NodeSnapshot, operations: readonly Operation[]): readonly string[] {
  const model = new NodeModel(node);
  return operations.flatMap((operation) => {
    const inverse = semanticsOf(operation).inverse(operation, model.snapshot);
    model.apply(operation);
    return [
      `operation ${semanticsOf(operation).name}`,
      ...inverse.map((each) => `inverse ${semanticsOf(each).name}`),
      ...(operation.verb === 'put-back' ? [`restored ${operation.entity.kind}`] : []),
      ...(operation.verb === 'put-back' && isMoved(operation) ? ['route moved'] : []),
    ];
  });
}

function isMoved({ entity, origin }: PutBack): boolean {
  return entity.kind === 'route' && origin?.kind === 'route' && entity.route.table !== origin.route.table;
}

function operationsOf(cluster: ClusterSnapshot, node: NodeSnapshot, settings: NodeSettings): readonly Operation[] {
  return diffNode(planNode(cluster, node, settings), node);
}

/** The decisions and operations when the networks of a case are created, and when they are deleted. */
export function outcomesOfCase({ cluster, nodes, settings }: Case): readonly string[] {
  const without = withoutNetworks(cluster);
  return [
    ...decisionLabels(preview(cluster, nodes, settings)),
    ...nodes.flatMap((node) => {
      const coming = operationsOf(cluster, node, settings);
      const programmed = applyAll('2 converges', node, coming);
      return [
        ...operationLabels(node, coming),
        ...operationLabels(programmed, operationsOf(without, programmed, settings)),
      ];
    }),
  ];
}

function recreatedVrfs(operations: readonly Operation[]): boolean {
  const named = (verb: Operation['verb']) =>
    operations.flatMap((operation) =>
      operation.verb === verb && isOn(operation, 'vrf') ? [operation.entity.name] : [],
    );
  return named('add').some((name) => named('remove').includes(name));
}

/** The VRF that each network is programmed in. */
type Places = ReadonlyMap<NetworkKey, string>;

/** The operations in a story. */
export function outcomesOfStory({ node: found, steps, settings }: Story): readonly string[] {
  const words: string[] = [];
  let node = found;
  let places: Places = new Map();
  for (const step of steps) {
    const before = disturbed(node, step);
    if (before !== node) words.push('disturbance');
    const plan = planNode(step.cluster, before, settings);
    const operations = diffNode(plan, before);
    words.push(...operationLabels(before, operations));
    if (recreatedVrfs(operations)) words.push('VRF created again');
    const now: Places = new Map(
      plan.dataplane.programmed.map(({ network, vrf }) => [network, vrf.enslaves ? vrf.name : 'default']),
    );
    const moving = [...now].filter(([network, place]) => places.has(network) && places.get(network) !== place);
    const withRoutes = operations.some(
      (operation) =>
        operation.verb === 'put-back' &&
        operation.entity.kind === 'route' &&
        moving.some(([name]) => operation.networks.includes(name)),
    );
    if (moving.length > 0) words.push('network moved');
    if (withRoutes) words.push('network moved with routes');
    if (plan.dataplane.kept.some(({ network }) => places.has(network))) words.push('programmed network kept');
    places = new Map([...places, ...now].filter(([network]) => now.has(network) || isKept(plan, network)));
    node = applyAll('2 converges', before, operations);
  }
  return words;
}

function isKept({ dataplane }: ReturnType<typeof planNode>, network: NetworkKey): boolean {
  return dataplane.kept.some((kept) => kept.network === network);
}
