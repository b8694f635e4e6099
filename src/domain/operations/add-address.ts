import { putAddress } from '../node-model/address.ts';
import { withEntries } from '../ownership/write-ledger.ts';
import type { Address } from '../snapshot/node-snapshot.ts';
import { addressText, putAddressCommand } from './address-words.ts';
import type { OperationBase, OperationKind } from './operation.ts';

/** Puts an address of ours on a VRF device. */
export interface AddAddress extends OperationBase {
  readonly kind: 'add-address';
  readonly device: string;
  readonly address: Address;
}

export const addAddress: OperationKind<AddAddress> = {
  mark: '+',
  dependencies: ({ device, address, networks }) => ({
    makes: networks.flatMap((name) => [`network ${name}`, `address ${address.address} of ${name}`]),
    needs: [`link ${device}`, `up ${device}`],
  }),
  announce: ({ device, address: { address, prefixLength } }, { ledger }) =>
    withEntries(ledger, [{ kind: 'address', device, address, prefixLength }]),
  effect: ({ device, address }, node) => putAddress(node, device, address),
  inverse: ({ networks, device, address }) => [{ kind: 'delete-address', networks, device, address }],
  disruption: ({ address }) =>
    address.address.includes(':') && !address.flags.includes('nodad') ? 'address-detection' : 'none',
  command: ({ device, address }) => putAddressCommand(device, address),
  summary: ({ device, address }) => addressText(device, address),
};
