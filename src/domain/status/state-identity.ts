/**
 * Names and labels of UplinkStates (OKEP-6019, New CRD: UplinkState; docs/design/api-decisions.md, "Objects").
 *
 * A name is never parsed: the identity of a state is in its status and, before the first status, in its annotations.
 */
import type { UplinkState } from '../api/uplink-state.ts';
import { NODE_KEY, UPLINK_KEY } from '../basics/conventions.ts';
import { HASH_DIGITS, stableHash } from '../basics/names/stable-hash.ts';

/** Longest object name in Kubernetes (RFC 1123 subdomain). */
const MAX_NAME = 253;

/** A prefix that ends with a character that a name may end with. */
function namePrefix(name: string, length: number): string {
  return name.slice(0, length).replace(/[^a-z0-9]+$/, '');
}

/**
 * Name of the UplinkState of an uplink on a node: `uplink.node` if that is unambiguous and short enough, otherwise shortened prefixes and a
 * hash of both names. With a dot in the uplink's name, `uplink.node` would be ambiguous.
 */
export function uplinkStateName(uplink: string, node: string): string {
  const plain = `${uplink}.${node}`;
  if (!uplink.includes('.') && plain.length <= MAX_NAME) return plain;
  const room = MAX_NAME - HASH_DIGITS - '.-'.length;
  const half = Math.floor(room / 2);
  // What a short name does not need is available to the other one.
  const uplinkPrefix = namePrefix(uplink, Math.max(half, room - node.length));
  const nodePrefix = namePrefix(node, room - uplinkPrefix.length);
  return `${uplinkPrefix}.${nodePrefix}-${stableHash(`${uplink}/${node}`)}`;
}

/** The uplink and the node that a state belongs to. */
export interface StateIdentity {
  readonly uplink: string;
  readonly node: string;
}

/** The parts of its identity that a state has; undefined where it lacks one. */
interface SaidIdentity {
  readonly uplink: string | undefined;
  readonly node: string | undefined;
}

/** The parts of its identity that a state has. */
export function saidIdentity({ metadata: { annotations }, status }: UplinkState): SaidIdentity {
  return {
    uplink: status?.uplinkName ?? annotations?.[UPLINK_KEY],
    node: status?.nodeName ?? annotations?.[NODE_KEY],
  };
}

/** The identity of a state; undefined if it is incomplete. */
export function identityOf(state: UplinkState): StateIdentity | undefined {
  const { uplink, node } = saidIdentity(state);
  return uplink === undefined || node === undefined ? undefined : { uplink, node };
}

/**
 * Whether a state found under the name of an identity has that identity. A state without an identity counts, since creating a state and
 * writing its status are two steps.
 */
export function belongsTo(state: UplinkState, { uplink, node }: StateIdentity): boolean {
  const said = saidIdentity(state);
  return (said.uplink ?? uplink) === uplink && (said.node ?? node) === node;
}
