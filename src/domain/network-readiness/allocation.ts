import type { NetworkCheck } from './network-check.ts';

/** The network has an id: marks, addresses and device names depend on it. */
export const allocation: NetworkCheck = ({ networkId, zone }) =>
  networkId === undefined ? { reason: 'NetworkNotAllocated', ...(zone && { isProvided: true }) } : undefined;
