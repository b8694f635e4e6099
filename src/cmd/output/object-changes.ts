/**
 * The differences between the plan and the stored cluster objects.
 */
import type { ClusterSnapshot, Condition, Preview } from '../../domain/index.ts';
import { ID_CLAIMS_NAME, NETWORK_ID_ANNOTATION, NODE_ID_ANNOTATION } from '../../domain/basics/conventions.ts';
import { by, distinct } from '../../domain/basics/names/ordering.ts';
import type { ProvidedNetworkPlan } from '../../domain/plan/cluster/provided-network-plan.ts';
import {
  conditionDifference,
  differingFields,
  finalizerDifference,
  type StoredCondition,
} from '../../domain/objects/differences.ts';

/** A condition that this project writes, with its object as `Kind/name` or `Kind/namespace/name`. */
export interface WrittenCondition {
  readonly object: string;
  readonly condition: Condition;
}

/** A change of an object other than of its conditions. */
export interface ObjectDifference {
  readonly mark: '+' | '~' | '-';
  /** `Kind/name` */
  readonly object: string;
  /** The changed part; empty for the whole object. */
  readonly what: string;
}

interface WithConditions {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
  };
  readonly status?: { readonly conditions?: readonly StoredCondition[] };
}

function objectIn(cluster: ClusterSnapshot, object: string): WithConditions | undefined {
  const [kind, ...path] = object.split('/');
  const lists: Readonly<Record<string, readonly WithConditions[]>> = {
    ClusterUserDefinedNetwork: cluster.clusterUserDefinedNetworks,
    UserDefinedNetwork: cluster.userDefinedNetworks,
    Uplink: cluster.uplinks,
    UplinkState: cluster.uplinkStates,
  };
  return lists[kind ?? '']?.find(
    ({ metadata: { namespace, name } }) => [namespace, name].filter(Boolean).join('/') === path.join('/'),
  );
}

/** The object of a network that ovn-uplinks provides, as `Kind/name` or `Kind/namespace/name`. */
function providedObject({ kind, namespace, name }: ProvidedNetworkPlan): string {
  return [kind, namespace, name].filter((part) => part !== undefined).join('/');
}

/** All conditions, by kind and object. */
export function writtenConditions({ states, cluster }: Preview): readonly WrittenCondition[] {
  return [
    ...[
      ...cluster.networks.map(({ name, condition }) => ({ object: `ClusterUserDefinedNetwork/${name}`, condition })),
      ...(cluster.provision?.networks ?? []).flatMap((network) =>
        network.conditions.map((condition) => ({ object: providedObject(network), condition })),
      ),
    ].sort(by(({ object, condition }) => `${object} ${condition.type}`)),
    ...cluster.uplinks.map(({ name, condition }) => ({ object: `Uplink/${name}`, condition })),
    ...states.flatMap(({ metadata, status }) =>
      status.conditions.map((condition) => ({ object: `UplinkState/${metadata.name}`, condition })),
    ),
  ];
}

/** How a condition differs from the stored one: `+` new, `~` changed, empty if equal. */
export function changeMark(before: ClusterSnapshot, { object, condition }: WrittenCondition): '+' | '~' | '' {
  switch (conditionDifference(condition, objectIn(before, object)?.status?.conditions ?? [])) {
    case 'missing':
      return '+';
    case 'status-or-reason':
    case 'generation':
    case 'message':
      return '~';
    case 'none':
      return '';
  }
}

function finalizerChanges({ cluster }: Preview, before: ClusterSnapshot): readonly ObjectDifference[] {
  const objects = [
    ...cluster.uplinks.map(({ name, finalizers }) => ({ object: `Uplink/${name}`, finalizers })),
    ...(cluster.provision?.networks ?? []).map((network) => ({
      object: providedObject(network),
      finalizers: network.finalizers,
    })),
  ];
  return objects.flatMap(({ object, finalizers }) => {
    const stored = objectIn(before, object)?.metadata.finalizers ?? [];
    const { added, removed } = finalizerDifference(finalizers, stored);
    const change = (mark: '+' | '-') => (finalizer: string) => ({ mark, object, what: `finalizer ${finalizer}` });
    return [...added.map(change('+')), ...removed.map(change('-'))];
  });
}

/** Changes for networks that ovn-uplinks provides: claims, ids, NetworkAttachmentDefinitions. */
function provisionChanges({ cluster: { provision } }: Preview, before: ClusterSnapshot): readonly ObjectDifference[] {
  if (provision === undefined) return [];
  const { claims, networks, nodeIds, definitions, obsoleteDefinitions } = provision;
  const claimsObject = before.configMaps.find(({ metadata }) => metadata.name === ID_CLAIMS_NAME);
  const found = new Set(
    before.networkAttachmentDefinitions.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`),
  );
  const changed = (object: string, what: string): ObjectDifference => ({ mark: '~', object, what });
  return [
    ...(claims === undefined
      ? []
      : [
          {
            mark: claimsObject === undefined ? ('+' as const) : ('~' as const),
            object: `ConfigMap/${ID_CLAIMS_NAME}`,
            what: 'claims of ids',
          },
        ]),
    ...nodeIds.map(({ node, id }) => changed(`Node/${node}`, `annotation ${NODE_ID_ANNOTATION} ${id}`)),
    ...networks.flatMap((network) => {
      const object = providedObject(network);
      const id = network.networkId === undefined ? undefined : String(network.networkId);
      const stored = objectIn(before, object)?.metadata.annotations?.[NETWORK_ID_ANNOTATION];
      return id === undefined || id === stored ? [] : [changed(object, `annotation ${NETWORK_ID_ANNOTATION} ${id}`)];
    }),
    ...definitions.map(({ metadata: { namespace, name } }) => ({
      mark: found.has(`${namespace}/${name}`) ? ('~' as const) : ('+' as const),
      object: `NetworkAttachmentDefinition/${namespace}/${name}`,
      what: '',
    })),
    ...obsoleteDefinitions.map(({ namespace, name }) => ({
      mark: '-' as const,
      object: `NetworkAttachmentDefinition/${namespace}/${name}`,
      what: '',
    })),
  ];
}

function stateChanges({ states }: Preview, before: ClusterSnapshot): readonly ObjectDifference[] {
  const present = new Map(before.uplinkStates.map((state) => [state.metadata.name, state]));
  return states.flatMap((state): readonly ObjectDifference[] => {
    const object = `UplinkState/${state.metadata.name}`;
    const now = present.get(state.metadata.name);
    // A new state has only new conditions.
    const fields = now === undefined ? [] : differingFields(state, now);
    return fields.length === 0 ? [] : [{ mark: '~', object, what: fields.join(', ') }];
  });
}

/** All other changes: finalizers, what provided networks need, fields of states, deletions. */
export function objectChanges(preview: Preview, before: ClusterSnapshot): readonly ObjectDifference[] {
  return [
    ...finalizerChanges(preview, before),
    ...provisionChanges(preview, before),
    ...stateChanges(preview, before),
    ...preview.cluster.deletions.map((name) => ({ mark: '-' as const, object: `UplinkState/${name}`, what: '' })),
  ];
}

/** The number of objects to write or delete. */
export function changedObjectCount(preview: Preview, before: ClusterSnapshot): number {
  const changed = [
    ...writtenConditions(preview).filter((written) => changeMark(before, written) !== ''),
    ...objectChanges(preview, before),
  ];
  return distinct(changed.map(({ object }) => object)).length;
}

/** Whether there are operations on a captured node or writes. */
export function isAnythingToDo(preview: Preview, before: ClusterSnapshot): boolean {
  const isPending = [...preview.operations.values()].some((operations) => operations.length > 0);
  return isPending || changedObjectCount(preview, before) > 0;
}
