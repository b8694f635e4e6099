/**
 * Condition NetworkCreated of a network that ovn-uplinks provides: whether all its namespaces have it (OKEP-5193, CRD Status).
 */
import type { UnsupportedPart } from '../network/unsupported.ts';
import type { Condition } from '../api/condition.ts';
import { PRIMARY_NETWORK_LABEL } from '../basics/conventions.ts';
import { by, byName, distinct, least } from '../basics/names/ordering.ts';
import type { AttachmentFailure } from '../network/provision/namespace-attachment.ts';
import type { UsedTwice } from '../network/provision/used-subnets.ts';
import type { SelectorProblem } from '../selection/label-selector.ts';
import { nameSample } from './node-sample.ts';
import { type NetworkCreatedReason, networkCreatedReasons } from './provision-reasons.ts';
import { byPrecedence } from './reasons.ts';
import { selectorSentence } from './sentences/selector-sentence.ts';
import { type SharedNamespace, sharedNamespacesSentence } from './sentences/shared-namespaces-sentence.ts';
import { usedTwiceSentence } from './sentences/used-twice-sentence.ts';

/** Condition NetworkCreated. */
export type NetworkCreatedCondition = Condition<'NetworkCreated', NetworkCreatedReason>;

/** Why a namespace does not have the network, or not as it should have it. */
type AttachmentProblem =
  | AttachmentFailure
  /** Its NetworkAttachmentDefinition is not stored yet, or was changed and is not restored yet. */
  | { readonly reason: 'AttachmentDefinitionPending'; readonly name: string };

/** A selected namespace, and why it does not have the network; absent where it does. */
export interface NamespaceOfNetwork {
  readonly namespace: string;
  readonly failure?: AttachmentProblem;
}

/** A namespace from which the network has to be removed, and where pods still use it. */
export interface RemainingNamespace {
  readonly namespace: string;
  readonly pods: readonly string[];
}

/** A NetworkAttachmentDefinition that is being deleted, and that is there because of finalizers of other programs. */
export interface KeptDefinition {
  readonly namespace: string;
  readonly name: string;
  readonly finalizers: readonly string[];
}

/** The input of the condition. */
export interface NetworkCreatedInput {
  readonly isBeingDeleted: boolean;
  readonly unsupported: UnsupportedPart | undefined;
  readonly usedTwice: UsedTwice | undefined;
  readonly unclearSelector: SelectorProblem | undefined;
  /** Whether it has an id. */
  readonly isAllocated: boolean;
  readonly namespaces: readonly NamespaceOfNetwork[];
  /** The namespaces that other networks select too. */
  readonly shared: readonly SharedNamespace[];
  readonly remaining: readonly RemainingNamespace[];
  readonly kept: readonly KeptDefinition[];
}

const precedence = byPrecedence(networkCreatedReasons);

function failed(reason: NetworkCreatedReason, message: string): NetworkCreatedCondition {
  return { type: 'NetworkCreated', status: 'False', reason, message };
}

/** The part of a network that this version does not support. */
export function unsupportedMessage({ part, found }: UnsupportedPart): string {
  switch (part) {
    case 'topology':
      return `topology ${found} is not supported by this version, only Layer3 is`;
    case 'role':
      return `role ${found} is not supported by this version, only Primary is`;
    case 'transport':
      return `transport ${found} is not supported by this version, only Geneve is`;
  }
}

/** Why a network is not in a namespace, as a clause about the namespace. */
export function attachmentFailureText(failure: AttachmentProblem): string {
  switch (failure.reason) {
    case 'PrimaryNetworkExists':
      return `its primary network is ${failure.other}`;
    case 'NamespaceLabelMissing':
      return `it does not have the label ${PRIMARY_NETWORK_LABEL}, which is set when a namespace is created`;
    case 'ForeignAttachmentDefinition':
      return `NetworkAttachmentDefinition ${failure.name} there was not created by ovn-uplinks for this network`;
    case 'PodsExist':
      return `it already has pods: ${nameSample(failure.pods)}`;
    case 'AttachmentDefinitionPending':
      return `NetworkAttachmentDefinition ${failure.name} there is being written`;
  }
}

/** The namespaces that do not have the network: how many, the first three, and what the first reason means. */
function failuresMessage(namespaces: readonly NamespaceOfNetwork[], reason: NetworkCreatedReason): string {
  const failures = namespaces
    .flatMap(({ namespace, failure }) => (failure === undefined ? [] : [{ namespace, failure }]))
    .sort(by(({ namespace }) => namespace));
  const sample = nameSample(failures.map(({ namespace, failure }) => `${namespace} (${failure.reason})`));
  const first = failures.find(({ failure }) => failure.reason === reason);
  const why = first === undefined ? '' : `; ${first.namespace}: ${attachmentFailureText(first.failure)}`;
  return `${failures.length} of ${namespaces.length} namespaces do not have the network: ${sample}${why}`;
}

function remainingMessage(remaining: readonly RemainingNamespace[]): string {
  const sorted = [...remaining].sort(by(({ namespace }) => namespace));
  return nameSample(sorted.map(({ namespace, pods }) => `${namespace} (${nameSample(pods)})`));
}

/** The obstacle to the deletion of a network. */
function deletionMessage({ remaining, kept }: NetworkCreatedInput): string {
  if (remaining.length > 0) {
    return `deletion waits for pods in ${remaining.length === 1 ? 'namespace' : 'namespaces'} ${remainingMessage(remaining)}`;
  }
  if (kept.length === 0) return 'the network is being deleted';
  const names = kept.map(({ namespace, name, finalizers }) => `${namespace}/${name} (${nameSample(finalizers)})`);
  return `deletion waits for other programs to remove their finalizers of NetworkAttachmentDefinition ${nameSample(names.toSorted(byName))}`;
}

/** Computes the condition. */
export function networkCreatedCondition(input: NetworkCreatedInput): NetworkCreatedCondition {
  const { isBeingDeleted, unsupported, usedTwice, unclearSelector, isAllocated, namespaces, shared, remaining } = input;
  if (isBeingDeleted) return failed('NetworkInUse', deletionMessage(input));
  if (unsupported !== undefined) return failed('NetworkUnsupported', unsupportedMessage(unsupported));
  if (usedTwice !== undefined) return failed('SubnetsOverlap', usedTwiceSentence(usedTwice));
  if (unclearSelector !== undefined) return failed('NamespaceSelectorInvalid', selectorSentence(unclearSelector));
  if (!isAllocated) return failed('NetworkNotAllocated', 'the network has no id yet');
  const reasons = distinct(namespaces.flatMap(({ failure }) => failure?.reason ?? []));
  const reason = least(reasons, precedence);
  const refused = shared.length === 0 ? '' : `; ${sharedNamespacesSentence(shared)}`;
  if (reason !== undefined) return failed(reason, failuresMessage(namespaces, reason) + refused);
  const still = remaining.length === 0 ? '' : `; still used by pods in ${remainingMessage(remaining)}`;
  return {
    type: 'NetworkCreated',
    status: 'True',
    reason: 'NetworkAttachmentDefinitionCreated',
    message: `${namespaces.length === 1 ? '1 namespace has' : `${namespaces.length} namespaces have`} the network${refused}${still}`,
  };
}
