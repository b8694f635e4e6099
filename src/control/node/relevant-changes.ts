/**
 * Which changes of cluster objects may affect the plan of a node?
 *
 * When in doubt a change is relevant. Ignored are those that a large cluster makes all the time: of pods, UplinkStates, conditions that the cluster manager
 * writes, and of other nodes unless networks are provided.
 */
import type { Kind } from '../../domain/api/kind.ts';
import { type KindKey, kinds } from '../../domain/api/kinds.ts';
import type { ObjectMeta } from '../../domain/api/object-meta.ts';
import { byName, canonical } from '../../domain/basics/names/ordering.ts';
import { activeNodesByNamespace } from '../../domain/selection/active-nodes.ts';
import type { ClusterSnapshot } from '../../domain/snapshot/cluster-snapshot.ts';
import { changedObjects, type ObjectChange } from '../../domain/snapshot/object-changes.ts';
import { isStored } from '../../domain/objects/differences.ts';
import { stateWrite } from '../../domain/objects/writes.ts';
import { identityOf } from '../../domain/status/state-identity.ts';
import type { Execution, LoopOptions } from './state.ts';

/** Kinds with only relevant changes. */
const relevantKinds = (Object.keys(kinds) as KindKey[]).filter(
  (key) => (kinds[key] as Kind).isRelevantToNodes === true,
);

interface WithStatus {
  readonly metadata: ObjectMeta;
  readonly status?: unknown;
}

/** An object as text, without what controllers and the API server write: status, finalizers, versions. */
function intent(object: WithStatus | undefined): string {
  if (object === undefined) return '';
  const { status: _, metadata, ...rest } = object;
  const { name, uid, labels, annotations, deletionTimestamp } = metadata;
  return JSON.stringify(canonical({ ...rest, name, uid, labels, annotations, deletionTimestamp }));
}

function isIntentChange({ before, after }: { readonly before?: WithStatus; readonly after?: WithStatus }): boolean {
  return intent(before) !== intent(after);
}

/** Whether the networks of namespaces are active on other ones of the relevant nodes. */
function isActivityChanged(
  before: ClusterSnapshot,
  after: ClusterSnapshot,
  isRelevant: (node: string) => boolean,
): boolean {
  if (before.pods === after.pods && before.formerActivity === after.formerActivity) return false;
  const [former, present] = [before, after].map(activeNodesByNamespace);
  const relevant = (nodes: ReadonlySet<string> | undefined) => [...(nodes ?? [])].filter(isRelevant).toSorted(byName);
  return [...new Set([...(former?.keys() ?? []), ...(present?.keys() ?? [])])].some(
    (namespace) => relevant(former?.get(namespace)).join(' ') !== relevant(present?.get(namespace)).join(' '),
  );
}

/** Whether something has changed that provided networks depend on: ids, and the other nodes. */
function areProvidedNetworksAffected(before: ClusterSnapshot, after: ClusterSnapshot): boolean {
  return (
    changedObjects('configMaps', before, after).length > 0 ||
    changedObjects('userDefinedNetworks', before, after).some(isIntentChange) ||
    changedObjects('nodes', before, after).some(isIntentChange)
  );
}

/** Whether two snapshots differ in anything that users or OVN-Kubernetes specify for a node. */
export function isIntentChanged(
  before: ClusterSnapshot,
  after: ClusterSnapshot,
  node: string,
  { settings }: LoopOptions,
): boolean {
  const isWhole = settings.providedNetworks !== 'none';
  return (
    before.unreadable !== after.unreadable ||
    relevantKinds.some((kind) => changedObjects(kind, before, after).length > 0) ||
    changedObjects('uplinks', before, after).some(isIntentChange) ||
    changedObjects('clusterUserDefinedNetworks', before, after).some(isIntentChange) ||
    changedObjects('nodes', before, after).some(({ key }) => key === node) ||
    (isWhole && areProvidedNetworksAffected(before, after)) ||
    (settings.dynamicNetworks && isActivityChanged(before, after, (name) => isWhole || name === node))
  );
}

/** Whether another program wrote a state: discovery prefers the addresses published there. */
function isForeignWrite({ before, after }: ObjectChange<'uplinkStates'>, { states, node }: Execution): boolean {
  const written = states.find(({ metadata }) => metadata.name === (after ?? before)?.metadata.name);
  if (written !== undefined) return after === undefined || !isStored(stateWrite(written), after);
  return [before, after].some((state) => state !== undefined && identityOf(state)?.node === node.nodeName);
}

/** Whether the current cluster may lead to another plan than the one being applied. */
export function isPlanAffected(execution: Execution, after: ClusterSnapshot, options: LoopOptions): boolean {
  const { observation, node } = execution;
  return (
    isIntentChanged(observation.cluster, after, node.nodeName, options) ||
    observation.cluster.servedNetworks !== after.servedNetworks ||
    changedObjects('uplinkStates', observation.cluster, after).some((change) => isForeignWrite(change, execution))
  );
}
