import type { NetworkCheck } from './network-check.ts';

/** No other network that is advertised on its bridge has pods with the same addresses. */
export const separateSubnets: NetworkCheck = ({ overlaps }) =>
  overlaps.length === 0 ? undefined : { reason: 'SubnetsOverlap', overlaps };
