import type { NetworkCheck } from './network-check.ts';

/** The network has an id: marks, addresses and device names depend on it. One that this version does not provide gets none. */
export const allocation: NetworkCheck = ({ networkId, zone }) =>
  networkId === undefined && zone?.failure?.cause !== 'unsupported'
    ? { reason: 'NetworkNotAllocated', ...(zone && { isProvided: true }) }
    : undefined;
