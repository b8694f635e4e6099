/**
 * Names and labels of UplinkStates (seed okep-6019, New CRD: UplinkState; API decisions, Objects).
 *
 * Names are made to be found again and are never parsed back: whom a state belongs to is said in its status, and before the first
 * status in its annotations.
 */
import type { UplinkState } from '../api/uplink-state.ts';
import { NODE_KEY, UPLINK_KEY } from '../conventions.ts';
import { HASH_DIGITS, stableHash } from '../stable-hash.ts';

/** Longest object name in Kubernetes (RFC 1123 subdomain). */
const MAX_NAME = 253;

/** Longest value of a label in Kubernetes. */
const MAX_LABEL_VALUE = 63;

/** A prefix that still ends like a name does. */
function namePrefix(name: string, length: number): string {
  return name.slice(0, length).replace(/[^a-z0-9]+$/, '');
}

/**
 * Name of the UplinkState of an uplink on a node: `uplink.node` where that says it all, else shortened prefixes and a hash of both names.
 * An uplink's name with a dot never goes plain, as the dot between the two would not be told apart.
 */
export function uplinkStateName(uplink: string, node: string): string {
  const plain = `${uplink}.${node}`;
  if (!uplink.includes('.') && plain.length <= MAX_NAME) return plain;
  const room = MAX_NAME - HASH_DIGITS - '.-'.length;
  const half = Math.floor(room / 2);
  // A short name leaves its room to the other.
  const uplinkPrefix = namePrefix(uplink, Math.max(half, room - node.length));
  const nodePrefix = namePrefix(node, room - uplinkPrefix.length);
  return `${uplinkPrefix}.${nodePrefix}-${stableHash(`${uplink}/${node}`)}`;
}

/** A name as a label's value: itself where it fits, else a hash of it. */
export function labelValue(name: string): string {
  return name.length <= MAX_LABEL_VALUE ? name : stableHash(name);
}

/** Whom a state belongs to. */
export interface StateIdentity {
  readonly uplink: string;
  readonly node: string;
}

/** What a state says of whom it belongs to, each part for itself. */
function saidIdentity({ metadata: { annotations }, status }: UplinkState): Partial<StateIdentity> {
  const uplink = status?.uplinkName ?? annotations?.[UPLINK_KEY];
  const node = status?.nodeName ?? annotations?.[NODE_KEY];
  return { ...(uplink !== undefined && { uplink }), ...(node !== undefined && { node }) };
}

/** Whom a state says it belongs to; absent where it does not say so in full. */
export function identityOf(state: UplinkState): StateIdentity | undefined {
  const { uplink, node } = saidIdentity(state);
  return uplink === undefined || node === undefined ? undefined : { uplink, node };
}

/**
 * Whether a state found under the name of an identity is that identity's. One that does not say whose it is counts: creating a state and
 * writing its status are two steps.
 */
export function belongsTo(state: UplinkState, { uplink, node }: StateIdentity): boolean {
  const said = saidIdentity(state);
  return (said.uplink ?? uplink) === uplink && (said.node ?? node) === node;
}
