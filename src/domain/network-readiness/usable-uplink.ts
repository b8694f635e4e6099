import type { NetworkCheck } from './network-check.ts';

/** The network's uplink is usable on the node. */
export const usableUplink: NetworkCheck = ({ uplinkUnusable: unusable }) => {
  if (unusable === undefined) return undefined;
  return unusable.cause === 'overlap'
    ? { reason: 'UplinkOverlapOnNode', hostInterfaceNames: unusable.hostInterfaceNames }
    : { reason: 'UplinkNotReadyForNode', unusable };
};
