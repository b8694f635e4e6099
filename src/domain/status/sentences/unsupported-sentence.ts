import type { UnsupportedUplinks } from '../../network/unsupported.ts';

/** Says why a network cannot have uplinks. */
export function unsupportedSentence(unsupported: UnsupportedUplinks): string {
  return unsupported.reason === 'UplinkUnsupportedGatewayMode'
    ? 'uplinks require shared gateway mode; the cluster uses local gateway mode'
    : `uplinks require a primary Layer2 or Layer3 network; this network has ${unsupported.found}`;
}
