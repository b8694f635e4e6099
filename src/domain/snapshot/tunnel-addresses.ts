import { ENCAPSULATION_ADDRESSES_KEY } from '../conventions.ts';
import { distinct } from '../ordering.ts';
import type { NodeSnapshot } from './node-snapshot.ts';

/** The addresses where the tunnels of a node end, as Open vSwitch says, each once (ovn-controller(8), ovn-encap-ip). */
export function tunnelAddressesOf({ switchExternalIds }: Pick<NodeSnapshot, 'switchExternalIds'>): readonly string[] {
  const { [ENCAPSULATION_ADDRESSES_KEY]: text = '' } = switchExternalIds;
  return distinct(text.split(',').map((address) => address.trim())).filter((address) => address !== '');
}
