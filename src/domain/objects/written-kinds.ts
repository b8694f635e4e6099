/** The kinds of objects that ovn-uplinks writes, and what is true of each. */
import type { KindKey } from '../api/kinds.ts';
import type { UplinkState } from '../api/uplink-state.ts';
import type { EndpointSlice } from '../api/endpoint-slice.ts';
import { MANAGED_BY_LABEL, NETWORK_FINALIZER, UPLINK_FINALIZER } from '../basics/conventions.ts';
import { isManaged } from '../services/slices.ts';
import { belongsTo, identityOf, saidIdentity } from '../status/state-identity.ts';
import type { UplinkStateObject } from '../status/uplink-state-object.ts';

/** A kind of object that is written. */
export interface WrittenKind {
  /** The kind of object that is read. */
  readonly key: KindKey;
  /** Present if an object that does not exist is created. */
  readonly isCreated?: true;
  /** Present if objects have a finalizer of ovn-uplinks. */
  readonly finalizer?: string;
  /** Present if it is removed from an object that should not have it also where others have set it, as in one that was restored from a backup. */
  readonly isFinalizerOfOthersRemoved?: true;
  /** Present if values that other programs have set stay: then nothing is written, and the write fails. */
  readonly keepsOthers?: true;
  /** Present if an object is created or replaced as a whole, and read back by a watch alone: it must not be seen before what was written before it. */
  readonly isReplaced?: true;
  /** Types of conditions of which one that a write does not have is removed; absent: those of a write stay. */
  readonly ownedConditions?: readonly string[];
  /** Fields of the status, besides conditions, of which one that a write does not have is removed; absent: there are no others than those of a write. */
  readonly ownedStatus?: readonly string[];
  /** Fields of the status that definitions of other implementations do not have: a status with an unknown field would not be accepted. */
  readonly optionalStatus?: readonly string[];
  /** Fields of the status that change as often as messages. */
  readonly frequentStatus?: readonly string[];
  /**
   * Present if one that exists and does not say whose it is may be taken over.
   *
   * @returns whose a stored object is, for people; undefined if it is that of a wanted one, or does not say it
   */
  otherOwner?(this: void, stored: object, wanted: object): string | undefined;
}

/** The Uplink and Node of a stored state, as text; undefined where they are those of the wanted state, or missing. */
function otherIdentity(stored: object, wanted: object): string | undefined {
  const stateOf = (object: object) => ({ metadata: {}, ...object }) as UplinkState;
  const [state, identity] = [stateOf(stored), identityOf(stateOf(wanted))];
  if (identity === undefined || belongsTo(state, identity)) return undefined;
  const { uplink, node } = saidIdentity(state);
  return [
    ...(uplink === undefined ? [] : [`of Uplink ${JSON.stringify(uplink)}`]),
    ...(node === undefined ? [] : [`on Node ${JSON.stringify(node)}`]),
  ].join(' ');
}

/** The manager of a stored EndpointSlice other than ovn-uplinks, as text; undefined where that is it. */
function otherManager(stored: object): string | undefined {
  const slice = { metadata: {}, ...stored } as EndpointSlice;
  if (isManaged(slice)) return undefined;
  const manager = slice.metadata.labels?.[MANAGED_BY_LABEL];
  return manager === undefined ? 'of somebody else' : `managed by ${JSON.stringify(manager)}`;
}

type Status = UplinkStateObject['status'];

/** The fields of a state that a node writes, besides conditions; `hostNetworks`, for one, belongs to the host of a DPU. */
const statusOfNode: { readonly [Field in Exclude<keyof Status, 'conditions'>]-?: true } = {
  uplinkName: true,
  nodeName: true,
  type: true,
  hostInterfaceName: true,
  ovsBridge: true,
  macAddress: true,
  ipAddresses: true,
  defaultGateways: true,
  networks: true,
};

const writtenKind = (kind: WrittenKind): WrittenKind => kind;

/** The kinds, by name. */
export const writtenKinds = {
  UplinkState: writtenKind({
    key: 'uplinkStates',
    isCreated: true,
    ownedStatus: Object.keys(statusOfNode),
    otherOwner: otherIdentity,
  }),
  Uplink: writtenKind({ key: 'uplinks', finalizer: UPLINK_FINALIZER }),
  ClusterUserDefinedNetwork: writtenKind({
    key: 'clusterUserDefinedNetworks',
    finalizer: NETWORK_FINALIZER,
    isFinalizerOfOthersRemoved: true,
    ownedConditions: ['ServicesReady'],
    optionalStatus: ['attachedPods', 'activeNamespaces'],
    frequentStatus: ['attachedPods'],
  }),
  UserDefinedNetwork: writtenKind({
    key: 'userDefinedNetworks',
    finalizer: NETWORK_FINALIZER,
    isFinalizerOfOthersRemoved: true,
    ownedConditions: ['ServicesReady'],
    optionalStatus: ['attachedPods'],
    frequentStatus: ['attachedPods'],
  }),
  NetworkAttachmentDefinition: writtenKind({
    key: 'networkAttachmentDefinitions',
    isCreated: true,
    finalizer: NETWORK_FINALIZER,
  }),
  Node: writtenKind({ key: 'nodes', keepsOthers: true }),
  ConfigMap: writtenKind({ key: 'configMaps', isReplaced: true }),
  // Who applies an empty map of labels is in conflict with each label; a policy keeps the value that somebody else sets at the same time.
  Service: writtenKind({ key: 'services' }),
  EndpointSlice: writtenKind({ key: 'endpointSlices', isCreated: true, otherOwner: otherManager }),
} as const;

/** A kind of object that is written. */
export type WrittenKindName = keyof typeof writtenKinds;
