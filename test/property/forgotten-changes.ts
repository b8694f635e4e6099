/** Joins that forget one kind of change each: what follows from it stays as it was. */
import type { ListChanges } from '../../src/domain/basics/incremental/list-changes.ts';
import type { ClusterSnapshot, UplinkState } from '../../src/domain/index.ts';
import type { Joins } from '../../src/domain/plan/cluster/joins/joins.ts';
import { viewCluster } from '../../src/domain/plan/view/cluster-view.ts';
import { PairSet } from '../../src/domain/basics/names/pairs.ts';

/** A list in which what was replaced is what it was before. */
function withFormer<Item extends { readonly metadata: { readonly name: string } }>(
  before: readonly Item[],
  after: readonly Item[],
): readonly Item[] {
  const former = new Map(before.map((item) => [item.metadata.name, item]));
  return after.map((item) => former.get(item.metadata.name) ?? item);
}

/** The objects that came and went; those that were replaced are forgotten. */
function withoutReplaced({ removed, added }: ListChanges<UplinkState>): ListChanges<UplinkState> {
  const [before, after] = [removed, added].map((states) => new Set(states.map(({ metadata }) => metadata.name)));
  return {
    removed: removed.filter(({ metadata }) => after?.has(metadata.name) !== true),
    added: added.filter(({ metadata }) => before?.has(metadata.name) !== true),
  };
}

/** Changes joins so that the function of one of them forgets something. */
function changing<Name extends 'selections' | 'reports' | 'states' | 'activity' | 'readiness'>(
  name: Name,
  change: (take: Joins[Name]['take']) => Joins[Name]['take'],
): (joins: Joins) => void {
  return (joins) => {
    const part: { take: Joins[Name]['take'] } = joins[name];
    part.take = change(part.take.bind(part));
  };
}

/** The activity of networks does not follow one part of a snapshot. */
const activityWithout = (...parts: readonly (keyof ClusterSnapshot)[]) =>
  changing('activity', (take) => (former, view, ...rest) => {
    const same = Object.fromEntries(parts.map((part) => [part, view.snapshot[part]]));
    return take({ ...former, ...same }, view, ...rest);
  });

type TakeProvided = NonNullable<Joins['provided']>['take'];

/** Changes joins so that provided networks forget something. */
function changingProvided(change: (take: TakeProvided) => TakeProvided): (joins: Joins) => void {
  return ({ provided }) => {
    if (provided !== undefined) provided.take = change(provided.take.bind(provided));
  };
}

type TakeServices = NonNullable<Joins['provided']>['services']['take'];

/** Changes joins so that Services forget something. */
const changingServices =
  (change: (take: TakeServices) => TakeServices) =>
  ({ provided }: Joins): void => {
    if (provided !== undefined) provided.services.take = change(provided.services.take.bind(provided.services));
  };

type TakeNames = NonNullable<Joins['provided']>['services']['names']['take'];

/** Changes joins so that names of Services forget something. */
const changingNames =
  (change: (take: TakeNames) => TakeNames) =>
  ({ provided }: Joins): void => {
    if (provided === undefined) return;
    const { names } = provided.services;
    names.take = change(names.take.bind(names));
  };

const nothing: ListChanges<never> = { removed: [], added: [] };

/** Provided networks follow one list a plan too late. */
const providedWithout = (part: keyof ClusterSnapshot) =>
  changingProvided((take) => {
    let former: ClusterSnapshot | undefined;
    return (view, changes) => {
      const late = viewCluster({ ...view.snapshot, ...(former && { [part]: former[part] }) }, view.settings);
      former = view.snapshot;
      return take(late, changes);
    };
  });

const none: ReadonlySet<never> = new Set();

/** By the change that is forgotten. */
export const forgottenChanges: Readonly<Record<string, (joins: Joins) => void>> = {
  'labels of a node, for selections': changing(
    'selections',
    (take) => (former, next) => take(former, { ...next, nodes: withFormer(former.nodes, next.nodes) }),
  ),
  'an Uplink’s table, for selections': changing(
    'selections',
    (take) => (former, next) => take(former, { ...next, uplinks: withFormer(former.uplinks, next.uplinks) }),
  ),
  'a selection, for reports': changing(
    'reports',
    (take) => (states, selections) => take(states, selections, { pairs: new PairSet() }),
  ),
  'a state, for reports': changing(
    'reports',
    (take) =>
      (states, ...rest) =>
        take(withoutReplaced(states), ...rest),
  ),
  'a report, for its Uplink': changing('reports', (take) => (...given) => ({ ...take(...given), uplinks: none })),
  'a report, for networks': changing('readiness', (take) => (changes) => take({ ...changes, reports: new PairSet() })),
  'an Uplink’s metadata, for its finalizers and its condition': changing('selections', (take) => (former, next) => {
    const found = take(former, next);
    return { ...found, uplinks: found.onAllNodes };
  }),
  'an Uplink that comes, goes or is not understood, for networks': changing(
    'readiness',
    (take) => (changes) => take({ ...changes, onAllNodes: none }),
  ),
  'a network, for its Uplinks': changing('readiness', (take) => (changes) => ({ ...take(changes), uplinks: none })),
  'a network, for its activity': changing(
    'activity',
    (take) => (former, view, networks, nodes) => take(former, view, { ...networks, changed: none }, nodes),
  ),
  'a network, for its readiness': changing(
    'readiness',
    (take) => (changes) => take({ ...changes, networks: { ...changes.networks, changed: none } }),
  ),
  'a network, for its own condition': (joins) => {
    const [take, judge] = [joins.take.bind(joins), joins.readiness.take.bind(joins.readiness)];
    let judged: ReturnType<typeof judge> | undefined;
    joins.readiness.take = (changes) => (judged = judge(changes));
    joins.take = (view) => ({ ...take(view), networks: judged?.networks ?? new Set() });
  },
  'a node that comes or goes, for activity': changing(
    'activity',
    (take) => (former, view, networks) => take(former, view, networks, none),
  ),
  'activity, for readiness': changing(
    'readiness',
    (take) => (changes) => take({ ...changes, activity: new PairSet() }),
  ),
  'namespaces, for activity': activityWithout('namespaces', 'networkAttachmentDefinitions'),
  'pods, for activity': activityWithout('pods'),
  'former activity, for activity': activityWithout('formerActivity'),
  'a state, for what is obsolete': changing(
    'states',
    (take) =>
      (states, ...rest) =>
        take(withoutReplaced(states), ...rest),
  ),
  'a selection, for what is obsolete': changing(
    'states',
    (take) => (states, selections, changes) => take(states, selections, { ...changes, pairs: new PairSet() }),
  ),
  'an Uplink that is not understood, for what is obsolete': changing(
    'states',
    (take) => (states, selections, changes) => take(states, selections, { ...changes, onAllNodes: none }),
  ),
  ...Object.fromEntries(
    (
      [
        'nodes',
        'configMaps',
        'uplinkStates',
        'networkAttachmentDefinitions',
        'namespaces',
        'pods',
        'clusterUserDefinedNetworks',
        'userDefinedNetworks',
        'services',
        'endpointSlices',
      ] as const
    ).map((part) => [`${part}, for provided networks`, providedWithout(part)]),
  ),
  'pods, for mirrors': changingServices(
    (take) => (former, view, changes) => take({ ...former, pods: view.snapshot.pods }, view, changes),
  ),
  'pods, for names': changingNames((take) => (changes) => take({ ...changes, pods: nothing })),
  'slices, for names': changingNames((take) => (changes) => take({ ...changes, slices: nothing })),
  'Services, for names': changingNames((take) => (changes) => take({ ...changes, services: none })),
  'pods of names, for warnings': changingNames((take) => (changes) => {
    take(changes);
    return none;
  }),
  'networks of namespaces, for Services': changingServices(
    (take) => (former, view, changes) => take(former, view, { ...changes, namespaces: [] }),
  ),
  'activity, for provided networks': changingProvided(
    (take) => (view, changes) => take(view, { ...changes, activity: new PairSet() }),
  ),
  'networks in the same namespace, for provided networks': ({ provided }) => {
    if (provided !== undefined) provided.touched.take = (_former, _view, { changed }) => changed;
  },
  'networks, for provided networks': changingProvided(
    (take) => (view, changes) => take(view, { ...changes, networks: { ...changes.networks, changed: none } }),
  ),
};
