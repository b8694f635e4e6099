/**
 * Everything that a node must have for one programmed network (Node design, Desired state of a programmed network).
 */
import type { Address, Neighbour, Route, Rule } from '../snapshot/node-snapshot.ts';
import { wantedAddresses } from './addresses.ts';
import type { DataplaneInput } from './dataplane-input.ts';
import { wantedNeighbours } from './neighbours.ts';
import { wantedRoutes } from './routes.ts';
import { wantedRules } from './rules.ts';
import { wantedSysctls } from './sysctls.ts';
import { type WantedVrf, wantedVrf } from './vrf.ts';

/** A kernel setting of an interface. */
export interface WantedSysctl {
  readonly device: string;
  readonly name: string;
  readonly value: string;
}

/** What a node must have for one network. Plain data; the lists are in the order in which their things can be made. */
export interface NetworkDataplane {
  /** Name of the ClusterUserDefinedNetwork. */
  readonly network: string;
  /** Its name in OVN and in bridge mappings. */
  readonly networkName: string;
  readonly bridge: string;
  /** The uplink's interface on the host. */
  readonly device: string;
  readonly vrf: WantedVrf;
  /** Whether the interface is a slave of the VRF; otherwise it is in none by our hand. */
  readonly enslaved: boolean;
  readonly addresses: readonly { readonly device: string; readonly address: Address }[];
  readonly routes: readonly Route[];
  readonly rules: readonly Rule[];
  readonly neighbours: readonly Neighbour[];
  readonly sysctls: readonly WantedSysctl[];
}

/** What a node must have for a network; absent while not even the VRF's table can be told. */
export function dataplaneOf(input: DataplaneInput): NetworkDataplane | undefined {
  const vrf = wantedVrf(input);
  if (vrf === undefined || input.bridge === undefined) return undefined;
  return {
    network: input.network,
    networkName: input.networkName,
    bridge: input.bridge,
    device: input.device,
    vrf,
    enslaved: input.domain.kind !== 'default',
    addresses: wantedAddresses(input, vrf),
    routes: wantedRoutes(input, vrf),
    rules: wantedRules(input, vrf),
    neighbours: wantedNeighbours(input),
    sysctls: wantedSysctls(input),
  };
}
