import type { NetworkCheck } from './network-check.ts';

/** No other network, and no second target, claims what this one needs. */
export const noConflict: NetworkCheck = ({ conflicts }) =>
  conflicts.length === 0 ? undefined : { reason: 'UplinkConfigurationConflict', conflicts };
