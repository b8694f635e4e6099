import type { Unsupported } from '../selection/network.ts';

/** Says why a network cannot have uplinks. */
export function unsupportedSentence(unsupported: Unsupported): string {
  return unsupported.reason === 'UplinkUnsupportedGatewayMode'
    ? 'uplinks require shared gateway mode; the cluster uses local gateway mode'
    : `uplinks require a primary Layer2 or Layer3 network; this network has ${unsupported.found}`;
}
