import { setUp } from '../node-model/link.ts';
import type { OperationBase, OperationKind } from './operation.ts';

/** Brings a VRF device of ours up again. */
export interface BringUpVrf extends OperationBase {
  readonly kind: 'bring-up-vrf';
  readonly vrf: string;
}

export const bringUpVrf: OperationKind<BringUpVrf> = {
  mark: '~',
  dependencies: ({ vrf, networks }) => ({
    makes: [`up ${vrf}`, ...networks.map((name) => `network ${name}`)],
    needs: [`link ${vrf}`],
  }),
  effect: ({ vrf }, node) => setUp(node, vrf),
  // That somebody took our own device down is no state to go back to.
  inverse: () => [],
  disruption: () => 'none',
  command: ({ vrf }) => ({ program: 'ip', arguments: ['link', 'set', 'dev', vrf, 'up'] }),
  summary: ({ vrf }) => `VRF ${vrf}: up`,
};
