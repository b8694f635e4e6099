/**
 * Is the attachment of a pod as expected? (CNI specification 1.1.0, section 2, CHECK)
 */
import type { ObservedNamespace, PodInterface, PodRoute } from './cni/messages.ts';

/** How a pod should be attached, and how it is. */
export interface CheckInput {
  readonly ifname: string;
  /** MAC address and addresses (CIDR) of the logical switch port; absent if there is none. */
  readonly port?: Pick<PodInterface, 'mac' | 'addresses'>;
  /** Addresses of the network's router. */
  readonly gateways: readonly string[];
  /** Whether ovn-controller has installed the flows of the port; absent if it is not in Open vSwitch. */
  readonly isInstalled?: boolean;
  /** Routes of answers by the default network that the plugin was asked for. */
  readonly answers: readonly PodRoute[];
  readonly observed: Pick<ObservedNamespace, 'link' | 'routes' | 'answers'>;
}

function isSame(route: PodRoute, other: PodRoute): boolean {
  const { destination, gateway, interface: device } = route;
  return destination === other.destination && gateway === other.gateway && device === other.interface;
}

/** Routes of answers that are not in use: everybody but the own node would get no answer by the default network. */
function answerFindings({ answers, observed }: CheckInput): readonly string[] {
  const found = observed.answers;
  if (found === undefined) return [];
  return answers
    .filter((route) => !found.some((other) => isSame(route, other)))
    .map(
      ({ destination, gateway, interface: device }) =>
        `answers from the addresses of interface ${device} have no route to ${destination}${gateway === '' ? '' : ` via ${gateway}`}`,
    );
}

/** Faults, each as one clause; empty if the pod is attached. Routes may have been changed by plugins after this one, but for the default routes and those of answers. */
export function checkFindings(input: CheckInput): readonly string[] {
  const { ifname, port, gateways, isInstalled, observed } = input;
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
    ...answerFindings(input),
  ];
}
