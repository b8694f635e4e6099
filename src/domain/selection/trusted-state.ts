import type { NodeConfig } from '../api/uplink.ts';
import { uplinkTypes } from '../api/uplink.ts';
import type { UplinkState } from '../api/uplink-state.ts';

/**
 * Whether a state is about what the Uplink selects for the node now: after a change of the Uplink the node must report first
 * (docs/design/api-decisions.md, "Ready").
 */
export function isTrusted({ status }: UplinkState, config: NodeConfig): boolean {
  return status !== undefined && status.type === config.type && status.hostInterfaceName === config.hostInterfaceName;
}

/** Whether this version supports the type of uplink. */
export function isKnownType(type: string): boolean {
  return uplinkTypes.some((known) => known === type);
}
