import { addVrf as addVrfTo } from '../node-model/vrf.ts';
import { withEntries } from '../ownership/write-ledger.ts';
import type { OperationBase, OperationKind } from './operation.ts';

/** Makes a network's VRF device, up. Its alias, by which it is known as ours, takes a second command: until then the ledger knows. */
export interface AddVrf extends OperationBase {
  readonly kind: 'add-vrf';
  readonly vrf: string;
  readonly table: number;
  /** Network name, for the alias. */
  readonly networkName: string;
}

export const addVrf: OperationKind<AddVrf> = {
  mark: '+',
  dependencies: ({ vrf, networks }) => ({ makes: [`link ${vrf}`, ...networks.map((name) => `network ${name}`)] }),
  announce: ({ vrf, table, networkName }, { ledger }) =>
    withEntries(ledger, [{ kind: 'unsigned-vrf', name: vrf, table, network: networkName }]),
  effect: ({ vrf, table }, node) => addVrfTo(node, { name: vrf, table }),
  inverse: ({ networks, vrf }) => [{ kind: 'delete-vrf', networks, vrf }],
  disruption: () => 'none',
  command: ({ vrf, table }) => ({
    program: 'ip',
    arguments: ['link', 'add', 'dev', vrf, 'up', 'type', 'vrf', 'table', `${table}`],
  }),
  summary: ({ vrf, table }) => `VRF ${vrf} with table ${table}`,
};
