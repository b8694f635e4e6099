/**
 * May a network be in a namespace? (OKEP-5193, Validations and the conditions on the label of namespaces)
 *
 * A namespace has one primary network, which must be there before its first pod.
 */
import type { Network } from '../network.ts';
import type { Namespace } from '../../api/namespace.ts';
import type { NetworkAttachmentDefinition } from '../../api/network-attachment-definition.ts';
import {
  CNI_PLUGIN,
  NETWORK_ID_ANNOTATION,
  NETWORK_LABEL,
  NETWORK_NAME_ANNOTATION,
  OWN_DEFINITION_LABEL,
  PRIMARY_NETWORK_LABEL,
} from '../../basics/conventions.ts';
import { lazyByObject } from '../../basics/incremental/by-identity.ts';
import { least } from '../../basics/names/ordering.ts';
import { attachmentConfig } from './attachment-config.ts';

/** Why a network is not in a namespace. */
export type AttachmentFailure =
  /** Another network is the primary one: by its object, or by a NetworkAttachmentDefinition of another program. */
  | { readonly reason: 'PrimaryNetworkExists'; readonly other: string }
  | { readonly reason: 'NamespaceLabelMissing' }
  /** There is a NetworkAttachmentDefinition of the name that ovn-uplinks did not create for the network. */
  | { readonly reason: 'ForeignAttachmentDefinition'; readonly name: string }
  /** The namespace had pods before the network was added. */
  | { readonly reason: 'PodsExist'; readonly pods: readonly string[] };

/** A namespace as input. */
export interface AttachmentInput {
  readonly network: Network;
  readonly namespace: Namespace;
  /** The NetworkAttachmentDefinitions in it. */
  readonly definitions: readonly NetworkAttachmentDefinition[];
  /** All networks that select it, this one included. */
  readonly networks: readonly Network[];
  /** Names of its pods that use its networks, without those that are in the network already: its NetworkAttachmentDefinition may have been lost. */
  readonly pods: readonly string[];
}

/** Whether the annotations of a NetworkAttachmentDefinition have the name and the id of a network. Ids are not given again while nodes use them. */
function isAnnotatedFor({ metadata, networkName }: Network, annotations: Readonly<Record<string, string>>): boolean {
  const id = metadata.annotations?.[NETWORK_ID_ANNOTATION];
  return (
    id !== undefined &&
    annotations[NETWORK_ID_ANNOTATION] === id &&
    annotations[NETWORK_NAME_ANNOTATION] === networkName
  );
}

const configOf = lazyByObject(({ spec }: NetworkAttachmentDefinition) => attachmentConfig(spec?.config));

/**
 * Whether ovn-uplinks created a NetworkAttachmentDefinition: no other program can create one with its label or its plugin (config/networks/policy.yaml).
 * Former versions did not set the label, but that of networks, which other implementations set too.
 */
export function isOwn(definition: NetworkAttachmentDefinition): boolean {
  const { labels = {} } = definition.metadata;
  return (
    labels[OWN_DEFINITION_LABEL] !== undefined ||
    (labels[NETWORK_LABEL] !== undefined && configOf(definition)?.type === CNI_PLUGIN)
  );
}

/**
 * Whether a NetworkAttachmentDefinition belongs to a network. Anyone who may create one can write any owner into it: it must be one that ovn-uplinks
 * created. It is the network's then by the uid in its owner reference, or where another program has changed its owners, by annotations that only the cluster
 * manager writes.
 */
export function isOf(network: Network, definition: NetworkAttachmentDefinition): boolean {
  if (!isOwn(definition)) return false;
  const { metadata } = definition;
  const { uid = '', name } = network.metadata;
  return (
    (metadata.ownerReferences ?? []).some((owner) => owner.kind === network.kind && owner.uid === uid) ||
    (metadata.name === name && isAnnotatedFor(network, metadata.annotations ?? {}))
  );
}

/** The network that a namespace has: the one that has a NetworkAttachmentDefinition there, otherwise the oldest. */
function primaryOf({ networks, definitions }: AttachmentInput): Network | undefined {
  const order = (network: Network): string => {
    const own = definitions.find((definition) => isOf(network, definition));
    const { metadata } = own ?? network;
    return `${own === undefined ? 'later' : 'first'} ${metadata.creationTimestamp ?? ''} ${network.key}`;
  };
  return least(networks, (left, right) => (order(left) < order(right) ? -1 : 1));
}

type AttachmentCheck = (input: AttachmentInput) => AttachmentFailure | undefined;

const isOnlyPrimary: AttachmentCheck = (input) => {
  // One of the network's own name is reported as such.
  const foreign = input.definitions.find(
    (definition) =>
      configOf(definition)?.role?.toLowerCase() === 'primary' &&
      !isOwn(definition) &&
      definition.metadata.name !== input.network.metadata.name,
  );
  if (foreign !== undefined) {
    return { reason: 'PrimaryNetworkExists', other: `NetworkAttachmentDefinition/${foreign.metadata.name}` };
  }
  const primary = primaryOf(input);
  return primary === undefined || primary.key === input.network.key
    ? undefined
    : { reason: 'PrimaryNetworkExists', other: primary.key };
};

const hasLabel: AttachmentCheck = ({ namespace }) =>
  namespace.metadata.labels?.[PRIMARY_NETWORK_LABEL] === undefined ? { reason: 'NamespaceLabelMissing' } : undefined;

const hasFreeName: AttachmentCheck = ({ network, definitions }) => {
  const { name } = network.metadata;
  return definitions.some((definition) => definition.metadata.name === name)
    ? { reason: 'ForeignAttachmentDefinition', name }
    : undefined;
};

const hasNoOtherPods: AttachmentCheck = ({ pods }) => (pods.length === 0 ? undefined : { reason: 'PodsExist', pods });

/** In the order in which they are reported. Requirements on the namespace count only until the network is there. */
const checks = { always: [isOnlyPrimary], before: [hasLabel, hasFreeName, hasNoOtherPods] } as const;

/** Why a network cannot be in a namespace; undefined if it can. */
export function attachmentFailure(input: AttachmentInput): AttachmentFailure | undefined {
  const isThere = input.definitions.some(
    (definition) => definition.metadata.name === input.network.metadata.name && isOf(input.network, definition),
  );
  for (const check of [...checks.always, ...(isThere ? [] : checks.before)]) {
    const failure = check(input);
    if (failure !== undefined) return failure;
  }
  return undefined;
}
