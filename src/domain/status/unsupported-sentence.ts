import type { Unsupported } from '../selection/network.ts';

/** Says why a network cannot have uplinks at all. */
export function unsupportedSentence(unsupported: Unsupported): string {
  return unsupported.reason === 'UplinkUnsupportedGatewayMode'
    ? 'uplinks need shared gateway mode, and the cluster runs in local gateway mode'
    : `uplinks need a primary Layer2 or Layer3 network, and this one has ${unsupported.found}`;
}
