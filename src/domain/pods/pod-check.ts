/**
 * Is the attachment of a pod as expected? (CNI specification 1.1.0, section 2, CHECK)
 */
import type { ObservedNamespace, PodInterface } from './cni/messages.ts';

/** How a pod should be attached, and how it is. */
export interface CheckInput {
  readonly ifname: string;
  /** MAC address and addresses (CIDR) of the logical switch port; absent if there is none. */
  readonly port?: Pick<PodInterface, 'mac' | 'addresses'>;
  /** Addresses of the network's router. */
  readonly gateways: readonly string[];
  /** Whether ovn-controller has installed the flows of the port; absent if it is not in Open vSwitch. */
  readonly isInstalled?: boolean;
  readonly observed: Pick<ObservedNamespace, 'link' | 'routes'>;
}

/** Faults, each as one clause; empty if the pod is attached. Routes may have been changed by plugins after this one, but for the default routes. */
export function checkFindings({ ifname, port, gateways, isInstalled, observed }: CheckInput): readonly string[] {
  const { link, routes } = observed;
  if (port === undefined) return ['the pod has no logical switch port'];
  if (isInstalled === undefined) return ['the interface is not in Open vSwitch'];
  if (link === undefined) return [`there is no interface ${ifname} in the namespace`];
  const hasDefault = (gateway: string) =>
    routes.some((route) => route.gateway === gateway && route.interface === ifname && route.destination.endsWith('/0'));
  return [
    ...(isInstalled ? [] : ['OVN has not installed the flows of the logical switch port']),
    ...(link.isUp ? [] : [`interface ${ifname} is down`]),
    ...(link.mac === port.mac ? [] : [`interface ${ifname} has MAC address ${link.mac}, expected ${port.mac}`]),
    ...port.addresses
      .filter((address) => !link.addresses.includes(address))
      .map((address) => `interface ${ifname} does not have address ${address}`),
    ...gateways
      .filter((gateway) => !hasDefault(gateway))
      .map((gateway) => `there is no default route via ${gateway} on interface ${ifname}`),
  ];
}
