import type { NetworkCheck } from './network-check.ts';

/**
 * The addresses of the network are used for one purpose. In the subnet of the uplink or between the routers, its gateway router could not tell those of
 * pods, of routers and of the provider's network apart; from outside, nothing could tell its pods from those of another network that is advertised on its
 * bridge.
 */
export const separateSubnets: NetworkCheck = ({ usedTwice, overlaps }) => {
  if (usedTwice !== undefined) return { reason: 'SubnetsOverlap', cause: 'used-twice', usedTwice };
  return overlaps.length === 0 ? undefined : { reason: 'SubnetsOverlap', cause: 'advertised', overlaps };
};
