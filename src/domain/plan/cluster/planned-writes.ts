/**
 * The writes of a plan of the cluster, with what is stored of their objects: metadata and statuses whether or not they differ; claims, ids of nodes and
 * NetworkAttachmentDefinitions as far as the plan has found that they do.
 */
import { NETWORK_ID_ANNOTATION, NODE_ID_ANNOTATION } from '../../basics/conventions.ts';
import type { Condition } from '../../api/condition.ts';
import { lazyByObject, lazyByObjects } from '../../basics/incremental/by-identity.ts';
import type { DesiredAttachmentDefinition } from '../../network/provision/attachment-definition.ts';
import { type PlannedWrite, withStored } from '../../objects/planned-write.ts';
import { type Deletion, type FieldsWrite, objectText, type ObjectWrite } from '../../objects/object-write.ts';
import {
  claimsWrite,
  conditionsWrite,
  definitionDeletion,
  definitionWrite,
  sliceDeletion,
  sliceWrite,
  networkMetadataWrite,
  nodeWrite,
  providedStatusWrite,
  serviceWrite,
  stateDeletion,
} from '../../objects/writes.ts';
import type { ClusterSnapshot } from '../../snapshot/cluster-snapshot.ts';
import type { ClusterPlan, NetworkPlan, UplinkPlan } from './cluster-plan.ts';
import type { ProvidedNetworkPlan } from './provided-network-plan.ts';
import type { ProvisionPlan } from './provision-plan.ts';

/** A write for networks that ovn-uplinks provides. */
export interface ProvisionWrite extends PlannedWrite {
  /** Objects by which it is not done if one of them was refused: a network without its finalizer could be deleted under its pods. */
  readonly needs: readonly string[];
}

/** All writes of a plan. */
export interface PlannedWrites {
  /** In their order: claims of ids first, and the finalizer of a network before its NetworkAttachmentDefinitions. */
  readonly provision: readonly ProvisionWrite[];
  /** Labels of Services, mirrors of EndpointSlices, and those of names, each on its own. */
  readonly services: readonly PlannedWrite[];
  /** Statuses of Uplinks, with their finalizers. */
  readonly uplinks: readonly PlannedWrite<FieldsWrite>[];
  /** Statuses of networks. */
  readonly networks: readonly PlannedWrite<FieldsWrite>[];
  /** Of UplinkStates. */
  readonly deletions: readonly PlannedWrite<Deletion>[];
}

/** The networks that a NetworkAttachmentDefinition is of, by object. */
function networksOf({ metadata: { namespace, ownerReferences } }: DesiredAttachmentDefinition): readonly string[] {
  return ownerReferences.map(({ kind, name }) =>
    objectText({ kind, ...(kind === 'UserDefinedNetwork' && { namespace }), name }),
  );
}

function provisionWrites(plan: ProvisionPlan | undefined, cluster: ClusterSnapshot): readonly ProvisionWrite[] {
  if (plan === undefined) return [];
  const { claims, nodeIds, networks, definitions, obsoleteDefinitions } = plan;
  const alone = (write: ObjectWrite): ProvisionWrite => ({ ...withStored(write, cluster), needs: [] });
  return [
    ...(claims === undefined ? [] : [alone(claimsWrite(claims))]),
    ...nodeIds.map(({ node: name, id, ...node }) =>
      alone(nodeWrite({ ...node, name, annotations: { [NODE_ID_ANNOTATION]: String(id) } })),
    ),
    ...networks.map(({ networkId: id, ...network }) =>
      alone(
        networkMetadataWrite({
          ...network,
          annotations: id === undefined ? {} : { [NETWORK_ID_ANNOTATION]: String(id) },
        }),
      ),
    ),
    ...definitions.map((definition) => ({
      ...withStored(definitionWrite(definition), cluster),
      needs: networksOf(definition),
    })),
    ...obsoleteDefinitions.map((definition) => ({ write: definitionDeletion(definition), needs: [] })),
  ];
}

/** The write of an EndpointSlice: one for each desired one. */
const sliceWriteOf = lazyByObject(sliceWrite);

function serviceWrites(plan: ProvisionPlan | undefined, cluster: ClusterSnapshot): readonly PlannedWrite[] {
  const { unlabelled = [], mirrors = [], obsoleteMirrors = [], names = [], obsoleteNames = [] } = plan?.services ?? {};
  return [
    ...unlabelled.map((service) => withStored(serviceWrite(service), cluster)),
    ...[...mirrors, ...names].map((slice) => withStored(sliceWriteOf(slice), cluster)),
    ...[...obsoleteMirrors, ...obsoleteNames].map((slice) => ({ write: sliceDeletion(slice) })),
  ];
}

/** The status of an Uplink, with its finalizers: one write for each plan of it. */
const uplinkWrite = lazyByObject(({ name, finalizers, condition }: UplinkPlan) =>
  conditionsWrite({ kind: 'Uplink', name, finalizers, conditions: [condition] }),
);

/** The status of a network that others provide: one write for each plan of it. */
const networkWrite = lazyByObject(({ name, condition }: NetworkPlan) =>
  conditionsWrite({ kind: 'ClusterUserDefinedNetwork', name, conditions: [condition] }),
);

/** The object of a network, as text. */
function objectOfNetwork({ namespace, name }: NetworkPlan): string {
  if (namespace === undefined) return objectText({ kind: 'ClusterUserDefinedNetwork', name });
  return objectText({ kind: 'UserDefinedNetwork', namespace, name });
}

/** The condition of a network that has no Uplinks by which it could be judged. */
const noCondition = {};

/** The status of a network that ovn-uplinks provides: one write for each plan of it, with the condition of its uplinks. */
const providedWrite = lazyByObjects((network: ProvidedNetworkPlan, uplinksReady: Condition | typeof noCondition) =>
  providedStatusWrite({
    ...network,
    conditions: [...network.conditions, ...('type' in uplinksReady ? [uplinksReady] : [])],
  }),
);

/** The statuses of networks: one that ovn-uplinks provides has all its conditions in one write. */
function networkWrites({ networks, provision }: ClusterPlan): readonly FieldsWrite[] {
  if (provision === undefined) return networks.map(networkWrite);
  const provided = provision.networks;
  const ofUplinks = new Map(networks.map((network) => [objectOfNetwork(network), network.condition]));
  const providedObjects = new Set(provided.map(objectText));
  return [
    ...networks.filter((network) => !providedObjects.has(objectOfNetwork(network))).map(networkWrite),
    ...provided.map((network) => providedWrite(network, ofUplinks.get(objectText(network)) ?? noCondition)),
  ];
}

/** The writes of a plan of the cluster. Those of entries that are the same objects as in another plan are the same objects. */
export function plannedWrites(plan: ClusterPlan, cluster: ClusterSnapshot): PlannedWrites {
  return {
    provision: provisionWrites(plan.provision, cluster),
    services: serviceWrites(plan.provision, cluster),
    uplinks: plan.uplinks.map((uplink) => withStored(uplinkWrite(uplink), cluster)),
    networks: networkWrites(plan).map((write) => withStored(write, cluster)),
    deletions: plan.deletions.map((name) => ({ write: stateDeletion(name) })),
  };
}
