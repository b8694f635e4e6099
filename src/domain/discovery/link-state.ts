import type { Link } from '../snapshot/node-snapshot.ts';
import type { Check, FoundInterface } from './discovery.ts';

/**
 * Why a device is down; absent where it is not. Many virtual devices, such as taps, never know their state: `unknown` is up
 * (docs/design/api-decisions.md, "Ready").
 */
export function downState({ up, operationalState }: Link): string | undefined {
  if (!up) return 'administratively down';
  if (operationalState === 'down') return 'operationally down';
  if (operationalState === 'lowerlayerdown') return 'lower layer down';
  return undefined;
}

/** The interface is up. */
export const linkState: Check<FoundInterface, object> = {
  name: 'link state',
  run: (_input, { link }) => {
    const state = downState(link);
    if (state === undefined) return { ok: true, found: {} };
    return { ok: false, failure: { reason: 'GatewayInfoUnavailable', cause: 'down', state } };
  },
};
