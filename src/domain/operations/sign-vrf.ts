import { setAlias } from '../node-model/link.ts';
import { withoutEntries } from '../ownership/write-ledger.ts';
import type { OperationBase, OperationKind } from './operation.ts';

/** Gives a VRF device of ours the alias by which it is known as ours. */
export interface SignVrf extends OperationBase {
  readonly kind: 'sign-vrf';
  readonly vrf: string;
  readonly alias: string;
}

export const signVrf: OperationKind<SignVrf> = {
  mark: '~',
  dependencies: ({ vrf, networks }) => ({
    makes: networks.map((name) => `network ${name}`),
    needs: [`link ${vrf}`],
    uses: [],
  }),
  effect: ({ vrf, alias }, node) => setAlias(node, vrf, alias),
  confirm: ({ vrf }, { ledger }) =>
    withoutEntries(ledger, (entry) => entry.kind === 'unsigned-vrf' && entry.name === vrf),
  // An unsigned VRF is only ever on its way to being signed or deleted.
  inverse: () => [],
  disruption: () => 'none',
  command: ({ vrf, alias }) => ({ program: 'ip', arguments: ['link', 'set', 'dev', vrf, 'alias', alias] }),
  summary: ({ vrf, alias }) => `VRF ${vrf}: signed as ${alias}`,
};
