/** Writes of each kind, made of what is wanted of an object. */
import type { UplinkState } from '../api/uplink-state.ts';
import { ID_CLAIMS_NAME, SERVICE_PROXY, SERVICE_PROXY_LABEL } from '../basics/conventions.ts';
import type { ClaimsChange } from '../network/allocation/id-claim.ts';
import type { DesiredAttachmentDefinition } from '../network/provision/attachment-definition.ts';
import type { DesiredSlice } from '../services/slices.ts';
import type { UplinkStateObject } from '../status/uplink-state-object.ts';
import type { ClaimsWrite, Deletion, FieldsWrite, WrittenCondition, WrittenStatus } from './object-write.ts';

/** The name of an object that is meant. */
type Meant<Kind extends string = string> = Pick<FieldsWrite, 'name' | 'namespace' | 'uid'> & { readonly kind: Kind };

/** The name of an object alone. */
function meant<Kind extends string>({ kind, namespace, name, uid }: Meant<Kind>): Meant<Kind> {
  return { kind, ...(namespace !== undefined && { namespace }), name, ...(uid !== undefined && { uid }) };
}

/** Writes an UplinkState as a whole. */
export function stateWrite({
  metadata: { name, ...metadata },
  status,
}: Pick<UplinkState | UplinkStateObject, 'metadata' | 'status'>): FieldsWrite {
  return { verb: 'apply', kind: 'UplinkState', name, metadata, status: status as WrittenStatus };
}

/** Deletes an UplinkState. */
export function stateDeletion(name: string): Deletion {
  return { verb: 'delete', kind: 'UplinkState', name };
}

/** Conditions of an object that users create, and its finalizers, including those of others; absent for a kind without managed ones. */
interface ConditionsOf extends Meant<'Uplink' | 'ClusterUserDefinedNetwork'> {
  readonly finalizers?: readonly string[];
  readonly conditions: readonly WrittenCondition[];
}

/** Writes conditions: those of others are kept. */
export function conditionsWrite({ finalizers, conditions, ...object }: ConditionsOf): FieldsWrite {
  return { verb: 'apply', ...meant(object), ...(finalizers && { metadata: { finalizers } }), status: { conditions } };
}

/** A network that ovn-uplinks provides. */
type MeantNetwork = Meant<'ClusterUserDefinedNetwork' | 'UserDefinedNetwork'>;

/** Writes annotations and finalizers of a network; all finalizers, including those of others. */
export function networkMetadataWrite({
  annotations,
  finalizers,
  ...network
}: MeantNetwork & {
  readonly annotations: Readonly<Record<string, string>>;
  readonly finalizers: readonly string[];
}): FieldsWrite {
  return { verb: 'apply', ...meant(network), metadata: { annotations, finalizers } };
}

/** The status of a network that ovn-uplinks provides. */
interface ProvidedStatus {
  readonly conditions: readonly WrittenCondition[];
  /** Names of the namespaces that have it. */
  readonly activeNamespaces: readonly string[];
  /** Number of pods that have addresses in it. */
  readonly attachedPods: number;
}

/** Writes the status of a network that ovn-uplinks provides. */
export function providedStatusWrite({
  conditions,
  activeNamespaces,
  attachedPods,
  ...network
}: MeantNetwork & ProvidedStatus): FieldsWrite {
  const isNamespaced = network.kind === 'UserDefinedNetwork';
  const status = { conditions, attachedPods, ...(!isNamespaced && { activeNamespaces }) };
  return { verb: 'apply', ...meant(network), status };
}

/** Creates a NetworkAttachmentDefinition, or restores the one with its uid. */
export function definitionWrite({ kind, metadata, spec }: DesiredAttachmentDefinition): FieldsWrite {
  const { namespace, name, uid, ...fields } = metadata;
  const object = meant({ kind, namespace, name, ...(uid !== undefined && { uid }) });
  return { verb: 'apply', ...object, metadata: fields, spec };
}

/** Deletes a NetworkAttachmentDefinition. */
export function definitionDeletion(definition: Omit<Meant, 'kind'>): Deletion {
  return { verb: 'delete', ...meant({ kind: 'NetworkAttachmentDefinition', ...definition }) };
}

/** Creates an EndpointSlice, or changes the one with its uid. */
export function sliceWrite({ kind, metadata, addressType, endpoints, ports }: DesiredSlice): FieldsWrite {
  const { namespace, name, uid, ...fields } = metadata;
  const object = meant({ kind, namespace, name, ...(uid !== undefined && { uid }) });
  return { verb: 'apply', ...object, metadata: fields, content: { addressType, endpoints, ports } };
}

/** Deletes an EndpointSlice. */
export function sliceDeletion(slice: Omit<Meant, 'kind'>): Deletion {
  return { verb: 'delete', ...meant({ kind: 'EndpointSlice', ...slice }) };
}

/** Labels a Service as one that ovn-uplinks serves. */
export function serviceWrite(service: Omit<Meant, 'kind'>): FieldsWrite {
  const metadata = { labels: { [SERVICE_PROXY_LABEL]: SERVICE_PROXY } };
  return { verb: 'apply', ...meant({ kind: 'Service', ...service }), metadata };
}

/** Writes annotations of a Node; those of others stay. */
export function nodeWrite({
  annotations,
  ...node
}: Omit<Meant, 'kind'> & { readonly annotations: Readonly<Record<string, string>> }): FieldsWrite {
  return { verb: 'apply', ...meant({ kind: 'Node', ...node }), metadata: { annotations } };
}

/** The report of a node: a ConfigMap. */
interface WrittenReport {
  readonly namespace: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Its Node, with which it is deleted. */
  readonly owner: { readonly name: string; readonly uid: string };
  readonly data: Readonly<Record<string, string>>;
}

/** Stores the report of a node as a whole. Who sees it may use what the claims of ids say that were stored before it. */
export function reportWrite({ namespace, name, labels, owner, data }: WrittenReport): FieldsWrite {
  const ownerReferences = [{ apiVersion: 'v1', kind: 'Node', ...owner }];
  return { verb: 'apply', kind: 'ConfigMap', namespace, name, metadata: { labels, ownerReferences }, data };
}

/** Stores claims of ids. */
export function claimsWrite(change: ClaimsChange): ClaimsWrite {
  return { verb: 'store-claims', kind: 'ConfigMap', namespace: change.namespace, name: ID_CLAIMS_NAME, change };
}
