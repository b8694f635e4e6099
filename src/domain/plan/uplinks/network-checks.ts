import { addressFamilies } from '../../network-readiness/address-families.ts';
import { allocation } from '../../network-readiness/allocation.ts';
import { foreignEntities } from '../../network-readiness/foreign-entities.ts';
import { noConflict } from '../../network-readiness/no-conflict.ts';
import { interfaceAttachment } from '../../network-readiness/interface-attachment.ts';
import type { NetworkCheckInput, NetworkFailure } from '../../network-readiness/network-check.ts';
import { prerequisites } from '../../network-readiness/prerequisites.ts';
import { separateSubnets } from '../../network-readiness/separate-subnets.ts';
import { usableUplink } from '../../network-readiness/usable-uplink.ts';
import { uplinkReason } from '../parts/parts.ts';
import { vrfAttachment } from '../../network-readiness/vrf-attachment.ts';

/**
 * The checks of a network on a node. What OVN-Kubernetes still has to do comes first, which nothing here can fix; then conflicts among objects;
 * then the state of the node (docs/design/api-decisions.md, "networks[]").
 */
export const networkChecks = [
  allocation,
  prerequisites,
  noConflict,
  usableUplink,
  vrfAttachment,
  interfaceAttachment,
  foreignEntities('UplinkVRFAttachmentFailed', uplinkReason),
  addressFamilies,
  separateSubnets,
  foreignEntities('UplinkBridgeMappingFailed', uplinkReason),
  foreignEntities('GatewayRouterFailed', uplinkReason),
] as const;

/** The first reason why a network cannot be programmed; absent if it can. */
export function networkFailure(input: NetworkCheckInput): NetworkFailure | undefined {
  for (const check of networkChecks) {
    const failure = check(input);
    if (failure !== undefined) return failure;
  }
  return undefined;
}
