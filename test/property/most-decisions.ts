/** The most decisions that a change of one object may cost: the table of docs/design/cluster-plan.md in numbers. */
import type { ClusterUserDefinedNetwork } from '../../src/domain/api/cluster-user-defined-network.ts';
import type { KindKey } from '../../src/domain/api/kinds.ts';
import { distinct } from '../../src/domain/basics/names/ordering.ts';
import type { ClusterSettings, ClusterSnapshot } from '../../src/domain/index.ts';
import type { Decisions } from '../../src/domain/plan/cluster/cluster-planner.ts';
import type { Network } from '../../src/domain/network/network.ts';
import { selects, understandSelector } from '../../src/domain/selection/label-selector.ts';
import { podsOfSlice } from '../../src/domain/services/mirror.ts';
import { namesScope } from '../../src/domain/services/names.ts';
import { mirrorName, placeOfName, serviceOfSource } from '../../src/domain/services/slices.ts';
import { uplinkStateName } from '../../src/domain/status/state-identity.ts';
import type { ClusterChange, ClusterObject } from './cluster-changes.ts';

/** A change of one object, with the cluster before and after it. */
interface ObjectChange {
  readonly object: ClusterObject;
  readonly isGone: boolean;
  readonly before: ClusterSnapshot;
  readonly after: ClusterSnapshot;
  readonly settings: ClusterSettings;
}

const none: Decisions = { selections: 0, reports: 0, readiness: 0, uplinks: 0, networks: 0, provided: 0, services: 0 };

/** One of ours, whichever it is. */
const anyNetwork = { kind: 'ours', network: {} as Network, networkId: 1 } as const;

const namespaceOf = ({ metadata }: ClusterObject) => metadata.namespace ?? 'default';

/** Number of Services, their warnings, slices and mirrors in some namespaces of both clusters. */
function servicesIn(change: ObjectChange, isMeant = (_namespace: string) => true): number {
  const both = [change.before, change.after];
  const keys = both.flatMap(({ services, endpointSlices }) => {
    const named = (kind: string) => (each: ClusterObject) => `${kind} ${namespaceOf(each)}/${each.metadata.name}`;
    const isIn = (each: ClusterObject) => isMeant(namespaceOf(each));
    return [
      ...services
        .filter(isIn)
        .flatMap((service) => ['service', 'warned', 'names 4', 'names 6'].map((kind) => named(kind)(service))),
      ...endpointSlices.filter(isIn).flatMap((slice) => {
        const { name } = slice.metadata;
        return [
          named('slice')(slice),
          named('slice')({ metadata: { ...slice.metadata, name: mirrorName(name) } }),
          named('warned')({ metadata: { ...slice.metadata, name: serviceOfSource(slice) ?? '' } }),
        ];
      }),
    ];
  });
  return distinct(keys).length;
}

/** The most slices of names of a Service that are judged: those that there are, and one that comes for each family. */
function namesOf(key: string, { before, after }: ObjectChange): number {
  const all = [before, after].flatMap(({ endpointSlices }) => endpointSlices);
  const names = all.flatMap((slice) => {
    const place = placeOfName(slice.metadata.name);
    return place !== undefined && `${namespaceOf(slice)}/${place.service}` === key ? [slice.metadata.name] : [];
  });
  return distinct(names).length + 2;
}

/** Number of slices of names in which a pod is, or comes to be, and of the Services of these. */
function namesWith({ object, before, after }: ObjectChange): number {
  const services = [before, after].flatMap((each) =>
    each.services.filter(
      (service) => namespaceOf(service) === namespaceOf(object) && namesScope(service, anyNetwork).kind === 'led',
    ),
  );
  return distinct(services.map(({ metadata }) => metadata.name)).length * (2 * 2 + 1);
}

/** Number of mirrors of slices in which a pod is an endpoint, and of the Services of these. */
function mirrorsOf({ object, before, after }: ObjectChange): number {
  const slices = [before, after].flatMap(({ endpointSlices }) =>
    endpointSlices.filter(
      (slice) => namespaceOf(slice) === namespaceOf(object) && podsOfSlice(slice).includes(object.metadata.name),
    ),
  );
  const services = slices.map((slice) => serviceOfSource(slice) ?? '');
  return distinct(slices.map(({ metadata }) => metadata.name)).length + distinct(services).length;
}

/** Number of objects of both clusters. */
function sizesOf({ before, after }: ObjectChange) {
  const both = [before, after];
  const namesOf = (objects: readonly ClusterObject[]) => objects.map(({ metadata }) => metadata.name);
  const withUplinks = ({ spec }: ClusterUserDefinedNetwork) => spec.uplinks !== undefined;
  return {
    // Those that go, and come, count too.
    nodes: after.nodes.length + 1,
    uplinks: distinct(both.flatMap(({ uplinks }) => namesOf(uplinks))),
    networks: distinct(both.flatMap((each) => namesOf(each.clusterUserDefinedNetworks.filter(withUplinks)))).length,
    provided: Math.max(...both.map((each) => each.clusterUserDefinedNetworks.length + each.userDefinedNetworks.length)),
  };
}

const networksOn = (uplink: string | undefined, { after }: ObjectChange) =>
  after.clusterUserDefinedNetworks.filter(({ spec }) => uplink !== undefined && spec.uplinks?.includes(uplink)).length;

/** Number of networks that have, or had, something to do with a namespace, or with a network that has. */
function networksIn(namespace: string, change: ObjectChange): number {
  const both = [change.before, change.after];
  const labels = both.map(
    ({ namespaces }) => namespaces.find(({ metadata }) => metadata.name === namespace)?.metadata.labels,
  );
  const names = both.flatMap(({ clusterUserDefinedNetworks, networkAttachmentDefinitions }) => [
    ...clusterUserDefinedNetworks
      .filter(({ spec }) =>
        labels.some((found) => found !== undefined && selects(understandSelector(spec.namespaceSelector), found)),
      )
      .map(({ metadata }) => metadata.name),
    ...networkAttachmentDefinitions
      .filter(({ metadata }) => metadata.namespace === namespace)
      .map(({ metadata }) => metadata.name),
  ]);
  return distinct(names).length + 1;
}

/** Whether a node has other labels, and whether it is different otherwise; both if it is new or removed. */
function differencesOf({ object, before, isGone }: ObjectChange) {
  const former = before.nodes.find(({ metadata }) => metadata.name === object.metadata.name);
  if (former === undefined || isGone) return { isRelabelled: true, isOther: true };
  const withoutLabels = (node: ClusterObject) =>
    JSON.stringify({ ...node, metadata: { ...node.metadata, labels: undefined } });
  return {
    isRelabelled: JSON.stringify(former.metadata.labels) !== JSON.stringify(object.metadata.labels),
    isOther: withoutLabels(former) !== withoutLabels(object),
  };
}

function ofNode(change: ObjectChange): Decisions {
  const { uplinks, networks, provided } = sizesOf(change);
  const { isRelabelled, isOther } = differencesOf(change);
  const judged = {
    ...none,
    selections: uplinks.length,
    provided: isOther ? provided : 0,
    services: isOther ? servicesIn(change) : 0,
  };
  if (!isRelabelled) return judged;
  // Every Uplink may select it otherwise, and every network be active on it, and be judged for each of its uplinks.
  return { ...judged, reports: uplinks.length, readiness: networks * 3, uplinks: uplinks.length, networks };
}

function ofUplink(change: ObjectChange): Decisions {
  const { nodes } = sizesOf(change);
  const networks = networksOn(change.object.metadata.name, change);
  return { ...none, selections: 2 * nodes, reports: nodes, readiness: networks * nodes, uplinks: 1, networks };
}

/** A state may speak of another pair than the one that it is named after, which alone is judged. */
function ofState(change: ObjectChange): Decisions {
  const { uplinks, networks: all } = sizesOf(change);
  const nodes = [change.before, change.after].flatMap((cluster) => cluster.nodes);
  const isNamed = (uplink: string) =>
    nodes.some(({ metadata }) => uplinkStateName(uplink, metadata.name) === change.object.metadata.name);
  const networks = networksOn(uplinks.find(isNamed), change);
  // Addresses are those of the uplink that the state speaks of.
  return { ...none, reports: 1, readiness: networks, uplinks: 1, networks, provided: all };
}

function ofNetwork(change: ObjectChange): Decisions {
  const { nodes, provided } = sizesOf(change);
  const { name } = change.object.metadata;
  const uplinks = [change.before, change.after].flatMap(({ clusterUserDefinedNetworks }) =>
    clusterUserDefinedNetworks
      .filter(({ metadata }) => metadata.name === name)
      .flatMap(({ spec }) => spec.uplinks ?? []),
  );
  const services = servicesIn(change);
  return { ...none, readiness: nodes, uplinks: distinct(uplinks).length, networks: 1, provided, services };
}

/** A namespace may change the activity of every network on every node. */
function ofNamespace(change: ObjectChange): Decisions {
  const { nodes, networks, provided } = sizesOf(change);
  const { namespace, name } = change.object.metadata;
  const judged = { ...none, provided, services: servicesIn(change, (each) => each === (namespace ?? name)) };
  return change.settings.dynamicNetworks ? { ...judged, readiness: networks * nodes, networks } : judged;
}

/** A pod may have been on another node before. */
function ofPod(change: ObjectChange): Decisions {
  const networks = networksIn(change.object.metadata.namespace ?? 'default', change);
  const { dynamicNetworks } = change.settings;
  const judged = { ...none, provided: networks, services: mirrorsOf(change) + namesWith(change) };
  return { ...judged, ...(dynamicNetworks && { readiness: 2 * networks, networks }) };
}

const ofProvided = (change: ObjectChange): Decisions => ({
  ...none,
  provided: sizesOf(change).provided,
  services: servicesIn(change),
});

/** A Service is judged, what is wrong with it, mirrors of its slices, and the network that it is in. */
function ofService(change: ObjectChange): Decisions {
  const { object, before, after } = change;
  const key = `${namespaceOf(object)}/${object.metadata.name}`;
  const slices = [before, after].flatMap(({ endpointSlices }) =>
    endpointSlices.filter(
      (slice) => namespaceOf(slice) === namespaceOf(object) && serviceOfSource(slice) === object.metadata.name,
    ),
  );
  const services = 2 + distinct(slices.map(({ metadata }) => metadata.name)).length + namesOf(key, change);
  return { ...none, provided: 1, services };
}

/** A slice may be a mirror before or after, and have one; each may be of another Service before. Their network says how they are. Pods that are in one of names may leave all others for it. */
function ofSlice(change: ObjectChange): Decisions {
  const place = placeOfName(change.object.metadata.name);
  const names = place === undefined ? 0 : namesOf(`${namespaceOf(change.object)}/${place.service}`, change);
  return { ...none, provided: 1, services: 2 + 3 + names };
}

const byKind: Partial<Record<KindKey, (change: ObjectChange) => Decisions>> = {
  nodes: ofNode,
  uplinks: ofUplink,
  uplinkStates: ofState,
  clusterUserDefinedNetworks: ofNetwork,
  namespaces: ofNamespace,
  networkAttachmentDefinitions: ofNamespace,
  pods: ofPod,
  configMaps: ofProvided,
  userDefinedNetworks: ofProvided,
  services: ofService,
  endpointSlices: ofSlice,
};

/** The most decisions that a change may cost; undefined where it may cost all of them. */
export function mostDecisions(
  change: ClusterChange,
  clusters: Pick<ObjectChange, 'before' | 'after' | 'settings'>,
): Decisions | undefined {
  if (change.change !== 'object') return undefined;
  const { object, isGone } = change;
  return byKind[change.kind]?.({ ...clusters, object, isGone });
}
