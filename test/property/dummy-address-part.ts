import { managementPortName } from '../../src/domain/network/names/management-port.ts';
import { lazyByObject } from '../../src/domain/basics/incremental/by-identity.ts';
import type { Entity } from '../../src/domain/entities/entity-kinds.ts';
import type { PartOfNetwork, ProvidedNetwork } from '../../src/domain/plan/parts/part.ts';

const addressesOf = lazyByObject(({ network: { networkId } }: ProvidedNetwork['addressed']): readonly Entity[] => {
  const address = `198.18.${networkId >> 8}.${networkId & 255}`;
  const device = managementPortName(networkId);
  return [{ kind: 'address', device, address: { address, prefixLength: 32, scope: 'global', flags: [] } }];
});

/** A part that no network has: an address on the management port, of 198.18.0.0/15 for tests (RFC 2544), which follows from the id of the network. */
export const dummyAddress: PartOfNetwork = { plan: ({ addressed }) => [addressesOf(addressed)], reasons: {} };
