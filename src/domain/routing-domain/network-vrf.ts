/**
 * Which VRF does a network use on a node? (docs/design/dataplane.md, "Desired state")
 */
import { vrfTable } from '../network/names/numbers.ts';
import { VRF_TABLE_OFFSET } from '../basics/conventions.ts';
import { isOwnVrf } from '../entities/kernel/vrf.ts';
import type { Link } from '../snapshot/node-snapshot.ts';
import type { NodeView } from '../snapshot/node-view.ts';
import type { RoutingDomain } from './routing-domain.ts';
import { managementPortName } from '../network/names/management-port.ts';

/** The VRF whose table the packets of a network look up. */
export interface NetworkVrf {
  readonly name: string;
  readonly table: number;
  /** Whether it is the network's own, which is made where it does not exist. One that RouteAdvertisements name is never made. */
  readonly own: boolean;
  /** Whether the uplink's interface is enslaved to it. */
  readonly enslaves: boolean;
  readonly unusable?: undefined;
}

/** A VRF that a network cannot use yet: its table is not known, or it goes with the network that it was made for. */
interface UnusableVrf extends Omit<NetworkVrf, 'table' | 'unusable'> {
  readonly unusable: 'no-management-port' | 'no-such-vrf' | 'made-for-another';
}

/** There is no single VRF: its name depends on an id that is not allocated, or several are asked for. */
interface NoVrf {
  readonly unusable: 'not-allocated' | 'contradiction';
  readonly name?: undefined;
}

/** The VRF of a network on a node, or why it has none. */
export type VrfDecision = NetworkVrf | UnusableVrf | NoVrf;

/** The input of the decision about the VRF of a network. */
interface VrfInput {
  readonly domain: RoutingDomain;
  /** Name of the network's own VRF. */
  readonly ownVrf: string | undefined;
  readonly networkId: number | undefined;
  /** Whether ovn-uplinks provides the network: its table then follows from its id, and not from its management port. */
  readonly isProvided?: boolean;
  readonly node: NodeView;
}

/** The management port of a network, which OVN-Kubernetes makes; a VRF of that name is not one. */
export function managementPort(networkId: number, node: NodeView): Link | undefined {
  const link = node.link(managementPortName(networkId));
  return link?.kind === 'vrf' ? undefined : link;
}

function namedVrf(name: string, node: NodeView): VrfDecision {
  const vrf = { name, own: false, enslaves: true };
  const link = node.link(name);
  if (link?.vrfTable === undefined) return { ...vrf, unusable: 'no-such-vrf' };
  if (isOwnVrf(link, node.snapshot.ledger)) return { ...vrf, unusable: 'made-for-another' };
  return { ...vrf, table: link.vrfTable };
}

function ownVrfOf({ ownVrf, networkId, isProvided, node }: VrfInput, enslaves: boolean): VrfDecision {
  if (ownVrf === undefined) return { unusable: 'not-allocated' };
  const vrf = { name: ownVrf, own: true, enslaves };
  if (isProvided === true) {
    return networkId === undefined ? { unusable: 'not-allocated' } : { ...vrf, table: vrfTable(networkId) };
  }
  const index = networkId === undefined ? undefined : managementPort(networkId, node)?.index;
  return index === undefined ? { ...vrf, unusable: 'no-management-port' } : { ...vrf, table: index + VRF_TABLE_OFFSET };
}

/** Decides which VRF a network uses. In the default routing domain it has its own as well, for its services. */
export function networkVrf(input: VrfInput): VrfDecision {
  const { domain, node } = input;
  switch (domain.kind) {
    case 'contradiction':
      return { unusable: 'contradiction' };
    case 'other-vrf':
      return namedVrf(domain.vrf, node);
    case 'default':
      return ownVrfOf(input, false);
    case 'own-vrf':
      return ownVrfOf(input, true);
  }
}
