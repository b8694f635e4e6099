import type { UplinkState } from '../../api/uplink-state.ts';
import { identityOf } from '../../status/state-identity.ts';
import type { ClusterView } from '../view/cluster-view.ts';

/**
 * Whether a state is obsolete: its Uplink or its node is gone, or the Uplink no longer selects the node.
 *
 * A state without an identity may not have its first status yet and is kept; so is one of an Uplink with an invalid selector, and of an Uplink or
 * a node that cannot be read.
 */
function isSuperseded(state: UplinkState, view: ClusterView): boolean {
  const identity = identityOf(state);
  if (identity === undefined) return false;
  if (view.unreadable('uplinks').has(identity.uplink) || view.unreadable('nodes').has(identity.node)) return false;
  const table = view.table(identity.uplink);
  if (table?.unclear !== undefined) return false;
  return !view.selections(identity.uplink).has(identity.node);
}

/** Names of the UplinkStates to delete. */
export function supersededStates(view: ClusterView): string[] {
  return view.snapshot.uplinkStates.filter((state) => isSuperseded(state, view)).map(({ metadata }) => metadata.name);
}
