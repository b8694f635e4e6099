import { deleteAddress as deleteAddressFrom } from '../node-model/address.ts';
import { isOurs } from '../ownership/is-ours.ts';
import { withoutEntries } from '../ownership/write-ledger.ts';
import type { Address } from '../snapshot/node-snapshot.ts';
import { addressText, deleteAddressCommand } from './address-words.ts';
import type { OperationBase, OperationKind } from './operation.ts';

/** Takes an address of ours off a VRF device. */
export interface DeleteAddress extends OperationBase {
  readonly kind: 'delete-address';
  readonly device: string;
  readonly address: Address;
}

export const deleteAddress: OperationKind<DeleteAddress> = {
  mark: '-',
  dependencies: ({ device, address, networks }) => ({
    uses: [`link ${device}`],
    ends: networks.flatMap((name) => [`mapped ${name}`, `address ${address.address} of ${name}`]),
  }),
  obstacle: ({ device, address }, { ledger }) =>
    isOurs({ kind: 'address', device, address }, ledger) ? undefined : `${addressText(device, address)} is not ours`,
  effect: ({ device, address }, node) => deleteAddressFrom(node, device, address.address, address.prefixLength),
  confirm: ({ device, address }, { ledger }) =>
    withoutEntries(
      ledger,
      (entry) => entry.kind === 'address' && entry.device === device && entry.address === address.address,
    ),
  inverse: ({ networks, device, address }) => [{ kind: 'add-address', networks, device, address }],
  disruption: () => 'none',
  command: ({ device, address }) => deleteAddressCommand(device, address),
  summary: ({ device, address }) => addressText(device, address),
};
