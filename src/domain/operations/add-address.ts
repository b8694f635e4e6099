import { addAddress as addAddressTo } from '../node-model/address.ts';
import { withEntries } from '../ownership/write-ledger.ts';
import type { Address } from '../snapshot/node-snapshot.ts';
import { addressCommand, addressText } from './address-words.ts';
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
  effect: ({ device, address }, node) => addAddressTo(node, device, address),
  inverse: ({ networks, device, address }) => [{ kind: 'delete-address', networks, device, address }],
  disruption: ({ address }) =>
    address.address.includes(':') && !address.flags.includes('nodad') ? 'address-detection' : 'none',
  // Never `replace`: of an address that is there and is a subnet by itself, in a VRF, it takes away the route that makes it the node's own. The
  // kernel mistakes that for the route to the subnet, which is in the same table there (net/ipv6/addrconf.c, addrconf_get_prefix_route).
  command: ({ device, address }) => addressCommand('add', device, address),
  summary: ({ device, address }) => addressText(device, address),
};
