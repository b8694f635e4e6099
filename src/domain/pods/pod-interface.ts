/**
 * The interface of a pod in its primary network, and the routes in the pod's namespace.
 */
import type { ObservedNamespace, PodInterface, PodRoute } from './cni/messages.ts';
import { podRouterAddress } from '../network/allocation/addresses.ts';
import { VRF_ALIAS_PREFIX } from '../basics/conventions.ts';
import { familyOf, prefixLengthOf, subnetContains, withoutLength } from '../basics/addresses/ip-address.ts';

/** The input of the interface of a pod. */
export interface InterfaceInput {
  readonly networkName: string;
  /** Name of the host's end. */
  readonly hostInterface: string;
  /** Name of the interface in the pod. */
  readonly ifname: string;
  /** In bytes. */
  readonly mtu: number;
  readonly mac: string;
  /** Without prefix length. */
  readonly addresses: readonly string[];
  /** Of the network's pods on this node, CIDR. */
  readonly subnets: readonly string[];
  /** Subnets and addresses that the default network reaches: some Services, addresses of the node, its pods. CIDR. */
  readonly byDefaultNetwork: readonly string[];
  /** The namespace before. */
  readonly observed: Pick<ObservedNamespace, 'routes'>;
}

const EVERYTHING = { 4: '0.0.0.0/0', 6: '::/0' } as const;

/** The subnet that an address is in, CIDR. */
function subnetOf(address: string, subnets: readonly string[]): string {
  return subnets.find((subnet) => subnetContains(subnet, address)) ?? '';
}

/** The addresses of the network's router in the subnets of a pod's addresses. */
export function podGateways(addresses: readonly string[], subnets: readonly string[]): readonly string[] {
  return addresses.flatMap((address) => {
    const gateway = podRouterAddress(subnetOf(address, subnets));
    return gateway === undefined ? [] : [withoutLength(gateway)];
  });
}

/** Addresses with the prefix length of the subnet that each is in, CIDR. */
export function addressesWithLength(addresses: readonly string[], subnets: readonly string[]): readonly string[] {
  return addresses.map((address) => `${address}/${prefixLengthOf(subnetOf(address, subnets))}`);
}

/**
 * How the default network leaves the pod. Its default route is replaced by that of the primary network; after that, the routes that were added in its
 * place tell.
 */
function defaultNetworkRoute({ observed, ifname }: InterfaceInput, family: 4 | 6): PodRoute | undefined {
  const others = observed.routes.filter(
    ({ destination, gateway, interface: device }) =>
      familyOf(destination) === family && gateway !== '' && device !== ifname,
  );
  return others.find(({ destination }) => destination === EVERYTHING[family]) ?? others[0];
}

/** Routes by the default network, which are as long as those of the primary network or longer. */
function routesByDefaultNetwork(input: InterfaceInput): readonly PodRoute[] {
  return ([4, 6] as const).flatMap((family) => {
    const by = defaultNetworkRoute(input, family);
    if (by === undefined) return [];
    const isThere = ({ destination }: PodRoute) =>
      input.observed.routes.some((route) => route.destination === destination && route.interface === by.interface);
    return input.byDefaultNetwork
      .filter((subnet) => familyOf(subnet) === family)
      .map((destination) => ({ destination, gateway: by.gateway, interface: by.interface }))
      .filter((route) => !isThere(route));
  });
}

/**
 * Routes for what a pod sends from its addresses in the default network. Clients there have addresses that no other route needs to lead to: those of a pod of
 * another node, a node, or a client outside. The lock of the interface decides what leaves.
 */
function answerRoutes({ observed, ...input }: InterfaceInput): readonly PodRoute[] {
  return ([4, 6] as const).flatMap((family) => {
    const by = defaultNetworkRoute({ observed, ...input }, family);
    if (by === undefined) return [];
    const onLink = observed.routes.filter(
      ({ destination, gateway, interface: device }) =>
        familyOf(destination) === family && gateway === '' && device === by.interface,
    );
    return [...onLink, { ...by, destination: EVERYTHING[family] }];
  });
}

/**
 * The interface of a pod. Everything goes by the primary network, but what the default network is for: DNS, the Kubernetes API and the node, so that probes and their
 * answers go one way (docs/design/networks.md, "Pods").
 */
export function podInterface(input: InterfaceInput): PodInterface {
  const { networkName, hostInterface, mtu, mac, addresses, subnets } = input;
  return {
    hostInterface,
    mac,
    mtu,
    alias: `${VRF_ALIAS_PREFIX}${networkName}`,
    addresses: addressesWithLength(addresses, subnets),
    routes: [
      // Before the default route of the default network is replaced.
      ...routesByDefaultNetwork(input),
      ...podGateways(addresses, subnets).map((gateway) => ({
        destination: EVERYTHING[familyOf(gateway) ?? 4],
        gateway,
        interface: '',
      })),
    ],
    answers: answerRoutes(input),
    ipv6Settings: addresses.some((address) => familyOf(address) === 6)
      ? // Runtimes may disable IPv6. Pods of the switch could advertise themselves as routers. Addresses are unique already.
        { disable_ipv6: '0', accept_ra: '0', accept_dad: '0' }
      : { disable_ipv6: '1' },
  };
}
