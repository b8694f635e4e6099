/**
 * The result of ADD (CNI specification, section 5, ADD Success), as each version has it.
 */
import { familyOf, withoutLength } from '../../basics/addresses/ip-address.ts';
import type { PreviousResult } from './call.ts';
import type { PodInterface } from './messages.ts';
import type { CniVersion } from './versions.ts';

/** The subject of the result. */
export interface AttachedInterface {
  /** In the pod. */
  readonly ifname: string;
  /** Path of the pod's network namespace. */
  readonly netns: string;
  readonly podInterface: PodInterface;
  /** Addresses of the network's router. */
  readonly gateways: readonly string[];
}

/** `ips[].version` was required until 1.0.0. */
function familyField(address: string, version: CniVersion): object {
  return version === '0.3.1' || version === '0.4.0' ? { version: String(familyOf(address) ?? 4) } : {};
}

/** `interfaces[].mtu` came with 1.1.0. */
function mtuField({ mtu }: PodInterface, version: CniVersion): object {
  return version === '1.1.0' ? { mtu } : {};
}

/**
 * The text of a result, JSON. The result of earlier plugins is passed on, and this interface comes behind theirs.
 *
 * Routes by other interfaces are left out: results have no field for the interface of a route.
 */
export function resultText(attached: AttachedInterface, version: CniVersion, previous: PreviousResult = {}): string {
  const { ifname, netns, podInterface, gateways } = attached;
  const { interfaces = [], ips = [], routes = [] } = previous;
  const gatewayOf = (address: string) =>
    gateways.find((gateway) => familyOf(gateway) === familyOf(withoutLength(address)));
  return JSON.stringify({
    ...previous,
    cniVersion: version,
    interfaces: [
      ...interfaces,
      { name: podInterface.hostInterface, ...mtuField(podInterface, version) },
      { name: ifname, mac: podInterface.mac, ...mtuField(podInterface, version), sandbox: netns },
    ],
    ips: [
      ...ips,
      ...podInterface.addresses.map((address) => ({
        ...familyField(address, version),
        address,
        ...(gatewayOf(address) !== undefined && { gateway: gatewayOf(address) }),
        interface: interfaces.length + 1,
      })),
    ],
    routes: [
      ...routes,
      ...podInterface.routes
        .filter((route) => route.interface === '')
        .map(({ destination, gateway }) => ({ dst: destination, ...(gateway !== '' && { gw: gateway }) })),
    ],
    dns: (previous as { readonly dns?: unknown }).dns ?? {},
  });
}
