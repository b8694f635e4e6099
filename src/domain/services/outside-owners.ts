/** The owners of addresses in a cluster, as far as they are the same on all nodes: those of all uplinks among them. */
import type { UplinkState } from '../api/uplink-state.ts';
import { withoutLength } from '../basics/addresses/ip-address.ts';
import { lazyByObject } from '../basics/incremental/by-identity.ts';
import { distinct } from '../basics/names/ordering.ts';
import type { LinkAddresses } from '../network/provision/taken-addresses.ts';

/** The addresses of all uplinks, and of their default gateways. Which pods are advertised on a bridge its node knows. */
export const addressesOfUplinks = lazyByObject((states: readonly UplinkState[]): LinkAddresses => ({
  uplinks: distinct(states.flatMap(({ status }) => (status?.ipAddresses ?? []).map(withoutLength))),
  gateways: distinct(states.flatMap(({ status }) => status?.defaultGateways ?? [])),
  advertised: [],
}));
