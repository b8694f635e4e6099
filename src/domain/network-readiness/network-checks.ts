import { addressFamilies } from './address-families.ts';
import { allocation } from './allocation.ts';
import { foreignEntities } from './foreign-entities.ts';
import { freedomFromConflict } from './freedom-from-conflict.ts';
import { interfaceAttachment } from './interface-attachment.ts';
import type { NetworkCheckInput, NetworkFailure } from './network-check.ts';
import { prerequisites } from './prerequisites.ts';
import { separateSubnets } from './separate-subnets.ts';
import { usableUplink } from './usable-uplink.ts';
import { vrfAttachment } from './vrf-attachment.ts';

/**
 * The checks of a network on a node. What OVN-Kubernetes still has to do comes first, which nothing here can fix; then conflicts among objects;
 * then the state of the node (docs/design/api-decisions.md, "networks[]").
 */
export const networkChecks = [
  allocation,
  prerequisites,
  freedomFromConflict,
  usableUplink,
  vrfAttachment,
  interfaceAttachment,
  foreignEntities('UplinkVRFAttachmentFailed'),
  addressFamilies,
  separateSubnets,
  foreignEntities('UplinkBridgeMappingFailed'),
  foreignEntities('GatewayRouterFailed'),
] as const;

/** The first reason why a network cannot be programmed; absent if it can. */
export function networkFailure(input: NetworkCheckInput): NetworkFailure | undefined {
  for (const check of networkChecks) {
    const failure = check(input);
    if (failure !== undefined) return failure;
  }
  return undefined;
}
