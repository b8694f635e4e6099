/** The writes that a plan of the cluster wants, whether or not everything of them is stored already. */
import { kinds } from '../../api/kinds.ts';
import { NETWORK_ID_ANNOTATION, NODE_ID_ANNOTATION } from '../../basics/conventions.ts';
import type { DesiredAttachmentDefinition } from '../../network/provision/attachment-definition.ts';
import type { StoredObject } from '../../objects/differences.ts';
import {
  type Deletion,
  type FieldsWrite,
  type ObjectName,
  objectText,
  type ObjectWrite,
} from '../../objects/object-write.ts';
import { writtenKinds } from '../../objects/written-kinds.ts';
import {
  claimsWrite,
  conditionsWrite,
  definitionDeletion,
  definitionWrite,
  networkMetadataWrite,
  nodeWrite,
  providedStatusWrite,
  stateDeletion,
} from '../../objects/writes.ts';
import type { ClusterSnapshot } from '../../snapshot/cluster-snapshot.ts';
import type { ClusterPlan } from './plan-cluster.ts';
import type { ProvisionPlan } from './plan-provision.ts';

/** A write that a plan wants. */
export interface WantedWrite<Write extends ObjectWrite = ObjectWrite> {
  readonly write: Write;
  /** Absent if there is no such object. */
  readonly stored: StoredObject | undefined;
}

/** A write for networks that ovn-uplinks provides. */
export interface ProvisionWrite extends WantedWrite {
  /** Objects by which it is not done if one of them was refused: a network without its finalizer could be deleted under its pods. */
  readonly needs: readonly string[];
}

/** All writes that a plan wants. */
export interface WantedWrites {
  /** In their order: claims of ids first, and the finalizer of a network before its NetworkAttachmentDefinitions. */
  readonly provision: readonly ProvisionWrite[];
  /** Statuses of Uplinks, with their finalizers. */
  readonly uplinks: readonly WantedWrite<FieldsWrite>[];
  /** Statuses of networks. */
  readonly networks: readonly WantedWrite<FieldsWrite>[];
  /** Of UplinkStates. */
  readonly deletions: readonly WantedWrite<Deletion>[];
}

/** Adds to a write the object that is stored. */
export type WithStored = <Write extends ObjectWrite>(write: Write) => WantedWrite<Write>;

/** Finds the objects of a cluster that are written; the objects of a kind are indexed once. */
export function withStoredIn(cluster: ClusterSnapshot): WithStored {
  const indexes = new Map<string, ReadonlyMap<string, StoredObject>>();
  const indexOf = (kind: keyof typeof writtenKinds) => {
    const { key } = writtenKinds[kind];
    const present = indexes.get(key);
    if (present !== undefined) return present;
    const objects: readonly (StoredObject & { readonly metadata: Omit<ObjectName, 'kind'> })[] = cluster[key];
    const index = new Map(objects.map((object) => [objectText({ ...object.metadata, kind: kinds[key].kind }), object]));
    indexes.set(key, index);
    return index;
  };
  return (write) => ({ write, stored: indexOf(write.kind).get(objectText(write)) });
}

/** The networks that a NetworkAttachmentDefinition is of, by object. */
function ownersOf({ metadata: { namespace, ownerReferences } }: DesiredAttachmentDefinition): readonly string[] {
  return ownerReferences.map(({ kind, name }) =>
    objectText({ kind, ...(kind === 'UserDefinedNetwork' && { namespace }), name }),
  );
}

function provisionWrites(plan: ProvisionPlan | undefined, withStored: WithStored): readonly ProvisionWrite[] {
  if (plan === undefined) return [];
  const { claims, nodeIds, networks, definitions, obsoleteDefinitions } = plan;
  const alone = (write: ObjectWrite): ProvisionWrite => ({ ...withStored(write), needs: [] });
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
    ...definitions.map((definition) => ({ ...withStored(definitionWrite(definition)), needs: ownersOf(definition) })),
    ...obsoleteDefinitions.map(definitionDeletion).map(alone),
  ];
}

/** The statuses of networks: one that ovn-uplinks provides has all its conditions in one write. */
function networkWrites({ networks, provision }: ClusterPlan): readonly FieldsWrite[] {
  const kind = 'ClusterUserDefinedNetwork';
  const provided = provision?.networks ?? [];
  const ofUplinks = new Map(networks.map(({ name, condition }) => [objectText({ kind, name }), condition]));
  const asWhole = new Set(provided.map(objectText));
  return [
    ...networks
      .filter(({ name }) => !asWhole.has(objectText({ kind, name })))
      .map(({ name, condition }) => conditionsWrite({ kind, name, conditions: [condition] })),
    ...provided.map((network) => {
      const uplinksReady = ofUplinks.get(objectText(network));
      const conditions = [...network.conditions, ...(uplinksReady === undefined ? [] : [uplinksReady])];
      return providedStatusWrite({ ...network, conditions });
    }),
  ];
}

/** The writes that a plan of the cluster wants, with what is stored of their objects. */
export function wantedWrites(plan: ClusterPlan, cluster: ClusterSnapshot): WantedWrites {
  const withStored = withStoredIn(cluster);
  const uplinks = plan.uplinks.map(({ name, finalizers, condition }) =>
    conditionsWrite({ kind: 'Uplink', name, finalizers, conditions: [condition] }),
  );
  return {
    provision: provisionWrites(plan.provision, withStored),
    uplinks: uplinks.map(withStored),
    networks: networkWrites(plan).map(withStored),
    deletions: plan.deletions.map(stateDeletion).map(withStored),
  };
}
