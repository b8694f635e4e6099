/** The writes that bring the objects of the cluster in line with a plan. */
import type { ClusterUserDefinedNetwork } from '../../domain/api/cluster-user-defined-network.ts';
import type { Condition } from '../../domain/api/condition.ts';
import { NETWORK_ID_ANNOTATION, NODE_ID_ANNOTATION } from '../../domain/basics/conventions.ts';
import { groupBy } from '../../domain/basics/names/grouping.ts';
import type { DesiredAttachmentDefinition } from '../../domain/network/provision/attachment-definition.ts';
import { conditionDifference, finalizerDifference } from '../../domain/objects/differences.ts';
import { type FieldsWrite, objectText, type ObjectWrite } from '../../domain/objects/object-write.ts';
import {
  claimsWrite,
  conditionsWrite,
  definitionDeletion,
  definitionWrite,
  networkMetadataWrite,
  nodeWrite,
  providedStatusWrite,
  stateDeletion,
} from '../../domain/objects/writes.ts';
import type { ClusterPlan } from '../../domain/plan/cluster/plan-cluster.ts';
import type { ProvisionPlan } from '../../domain/plan/cluster/plan-provision.ts';
import type { ProvidedNetworkPlan } from '../../domain/plan/cluster/provided-network-plan.ts';
import type { ClusterSnapshot } from '../../domain/snapshot/cluster-snapshot.ts';
import type { PlannedWrite } from '../planned-write.ts';

/** A write for networks that ovn-uplinks provides. */
export interface ProvisionWrite extends PlannedWrite {
  /** Objects by which it is not done if one of them was refused: a network without its finalizer could be deleted under its pods. */
  readonly needs: readonly string[];
}

/** A write of the status of an object that users create, perhaps with its finalizers. */
export interface StatusToWrite extends PlannedWrite<FieldsWrite> {
  /** Whether only messages of conditions or the number of pods differ. */
  readonly isMessageOnly: boolean;
  /** Objects that are written before, and on which the status depends: it is written only if none of them was. */
  readonly awaited: readonly string[];
}

/** Pending writes. */
export interface Writes {
  /** In their order. */
  readonly provision: readonly ProvisionWrite[];
  readonly statuses: readonly StatusToWrite[];
  /** Of UplinkStates. */
  readonly deletions: readonly PlannedWrite[];
}

/** A network as it is stored. */
type StoredNetwork = Pick<ClusterUserDefinedNetwork, 'metadata' | 'status'>;

/** All networks of a cluster, by object. */
function networksIn({ clusterUserDefinedNetworks, userDefinedNetworks }: ClusterSnapshot) {
  const named = (kind: string) => (network: StoredNetwork) =>
    [objectText({ kind, ...network.metadata }), network] as const;
  return new Map<string, StoredNetwork>([
    ...clusterUserDefinedNetworks.map(named('ClusterUserDefinedNetwork')),
    ...userDefinedNetworks.map(named('UserDefinedNetwork')),
  ]);
}

/** The metadata of a network, if it differs from the stored one. */
function metadataOf(plan: ProvidedNetworkPlan, stored: ReadonlyMap<string, StoredNetwork>): readonly FieldsWrite[] {
  const { networkId, finalizers } = plan;
  const id = networkId === undefined ? undefined : String(networkId);
  const { metadata } = stored.get(objectText(plan)) ?? {};
  const { added, removed } = finalizerDifference(finalizers, metadata?.finalizers ?? []);
  const hasId = id === undefined || metadata?.annotations?.[NETWORK_ID_ANNOTATION] === id;
  if (hasId && added.length + removed.length === 0) return [];
  const annotations = id === undefined ? {} : { [NETWORK_ID_ANNOTATION]: id };
  return [networkMetadataWrite({ ...plan, annotations })];
}

/** The networks that a NetworkAttachmentDefinition is of, by object. */
function ownersOf({ metadata: { namespace, ownerReferences } }: DesiredAttachmentDefinition): readonly string[] {
  return ownerReferences.map(({ kind, name }) =>
    objectText({ kind, ...(kind === 'UserDefinedNetwork' && { namespace }), name }),
  );
}

/**
 * The writes that bring the objects of provided networks in line with a plan, in their order: claims of ids first, and the finalizer of a network before
 * its NetworkAttachmentDefinitions.
 */
function provisionWrites(plan: ProvisionPlan | undefined, cluster: ClusterSnapshot): readonly ProvisionWrite[] {
  if (plan === undefined) return [];
  const { claims, nodeIds, networks, definitions, obsoleteDefinitions } = plan;
  const stored = networksIn(cluster);
  const alone = (write: ObjectWrite): ProvisionWrite => ({ write, needs: [] });
  return [
    ...(claims === undefined ? [] : [alone(claimsWrite(claims))]),
    ...nodeIds.map(({ node: name, id, ...node }) =>
      alone(nodeWrite({ ...node, name, annotations: { [NODE_ID_ANNOTATION]: String(id) } })),
    ),
    ...networks.flatMap((network) => metadataOf(network, stored)).map(alone),
    ...definitions.map((definition) => ({ write: definitionWrite(definition), needs: ownersOf(definition) })),
    ...obsoleteDefinitions.map(definitionDeletion).map(alone),
  ];
}

/** Which fields besides conditions are stored as they should be. */
interface StoredFields {
  readonly isCountStored: boolean;
  readonly areOthersStored: boolean;
}

/** The status of an object, if it differs from the stored one. */
function changedStatus(
  status: Omit<StatusToWrite, 'isMessageOnly'>,
  { isCountStored, areOthersStored }: StoredFields,
): readonly StatusToWrite[] {
  const { write, stored = [] } = status;
  const differences = (write.status?.conditions ?? []).map((condition) => conditionDifference(condition, stored));
  if (isCountStored && areOthersStored && differences.every((difference) => difference === 'none')) return [];
  const areMessages = differences.every((difference) => difference === 'none' || difference === 'message');
  return [{ ...status, isMessageOnly: areOthersStored && areMessages }];
}

function statusesOfUplinks(plan: ClusterPlan, cluster: ClusterSnapshot): readonly StatusToWrite[] {
  const uplinks = new Map(cluster.uplinks.map((uplink) => [uplink.metadata.name, uplink]));
  return plan.uplinks.flatMap(({ name, finalizers, condition }) => {
    const { metadata, status } = uplinks.get(name) ?? {};
    const { added, removed } = finalizerDifference(finalizers, metadata?.finalizers ?? []);
    const write = conditionsWrite({ kind: 'Uplink', name, finalizers, conditions: [condition] });
    return changedStatus(
      { write, stored: status?.conditions ?? [], awaited: [] },
      { isCountStored: true, areOthersStored: added.length + removed.length === 0 },
    );
  });
}

/** The objects that are written for each network, and on which its status depends, by its object. */
function awaitedObjects(writes: readonly ProvisionWrite[]) {
  const ids = writes.map(({ write }) => write).filter(({ verb, kind }) => verb === 'store-claims' || kind === 'Node');
  const needed = groupBy(
    writes.flatMap(({ write, needs }) => needs.map((owner) => ({ owner, object: objectText(write) }))),
    ({ owner }) => owner,
  );
  return (network: string, conditions: readonly Condition[]) => [
    ...(conditions.some(({ reason }) => reason === 'NetworkIdMissing' || reason === 'NodeIdMissing')
      ? ids.map(objectText)
      : []),
    ...(needed.get(network) ?? []).map(({ object }) => object),
  ];
}

function statusesOfNetworks(
  plan: ClusterPlan,
  cluster: ClusterSnapshot,
  writes: readonly ProvisionWrite[],
): readonly StatusToWrite[] {
  const networks = networksIn(cluster);
  const awaited = awaitedObjects(writes);
  const uplinksReady = new Map(
    plan.networks.map(({ name, condition }) => [objectText({ kind: 'ClusterUserDefinedNetwork', name }), condition]),
  );
  const provided = new Map((plan.provision?.networks ?? []).map((network) => [objectText(network), network]));
  return [
    ...[...uplinksReady].flatMap(([object, condition]) => {
      const { metadata: { name } = { name: '' }, status } = networks.get(object) ?? {};
      const write = conditionsWrite({ kind: 'ClusterUserDefinedNetwork', name, conditions: [condition] });
      return provided.has(object)
        ? []
        : changedStatus(
            { write, stored: status?.conditions ?? [], awaited: [] },
            { isCountStored: true, areOthersStored: true },
          );
    }),
    ...[...provided].flatMap(([object, network]) => {
      const { activeNamespaces, attachedPods } = network;
      const { status } = networks.get(object) ?? {};
      const ofUplinks = uplinksReady.get(object);
      const conditions = [...network.conditions, ...(ofUplinks === undefined ? [] : [ofUplinks])];
      return changedStatus(
        {
          write: providedStatusWrite({ ...network, conditions }),
          stored: status?.conditions ?? [],
          awaited: awaited(object, network.conditions),
        },
        // Definitions of other implementations do not have all fields, nor do UserDefinedNetworks.
        {
          isCountStored: [undefined, attachedPods].includes(status?.attachedPods),
          areOthersStored:
            status?.activeNamespaces === undefined || activeNamespaces.join() === status.activeNamespaces.join(),
        },
      );
    }),
  ];
}

/**
 * The writes that bring the cluster in line with a plan.
 *
 * @param former the writes for provided networks of the plan before; the same ones again have not had the effect that the plan expects
 */
export function writesOf(plan: ClusterPlan, cluster: ClusterSnapshot, former = ''): Writes {
  const provision = provisionWrites(plan.provision, cluster);
  const effective = textOf(provision) === former ? [] : provision;
  return {
    provision,
    statuses: [...statusesOfUplinks(plan, cluster), ...statusesOfNetworks(plan, cluster, effective)],
    deletions: plan.deletions.map((name) => ({ write: stateDeletion(name) })),
  };
}

/** Writes as text: those of the same text do the same. */
export function textOf(writes: readonly ProvisionWrite[]): string {
  return writes.length === 0 ? '' : JSON.stringify(writes);
}
