import type { NetworkCheck } from './network-check.ts';

/** OVN-Kubernetes has given the network its id: marks, addresses and device names depend on it. */
export const allocation: NetworkCheck = ({ networkId }) =>
  networkId === undefined ? { reason: 'NetworkNotAllocated' } : undefined;
