import type { NetworkCheck } from './network-check.ts';

/** The network has an id: marks, addresses and device names depend on it. One that this version does not provide gets none. */
export const allocation: NetworkCheck = ({ networkId, logicalNetwork }) =>
  networkId === undefined && logicalNetwork?.failure?.cause !== 'unsupported'
    ? { reason: 'NetworkNotAllocated', ...(logicalNetwork && { isProvided: true }) }
    : undefined;
