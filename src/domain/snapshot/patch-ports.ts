import { lazyByObject } from '../basics/incremental/by-identity.ts';
import type { BridgeFlow } from './datapath.ts';

/** Name of the patch port that ovn-controller makes on a bridge for a localnet port (ovn-controller(8)). */
export function patchPortName(localnetPort: string): string {
  return `patch-${localnetPort}-to-br-int`;
}

/** Matches the name of a patch port in a match or an action, up to the next separator of ovs-ofctl(8). */
const PATCH_PORT = /(?:in_port=|output:)"?(patch-[^",() ]+-to-br-int)"?/g;

/** The patch ports that a flow names: those of the networks that it is for. */
export const patchPortsIn = lazyByObject(({ match, actions }: BridgeFlow): readonly string[] => [
  ...new Set([...`${match} ${actions}`.matchAll(PATCH_PORT)].flatMap(([, name]) => name ?? [])),
]);
