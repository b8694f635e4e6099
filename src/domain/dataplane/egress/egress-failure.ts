import { deviceSetting } from '../../snapshot/device-settings.ts';
import { managementPortName } from '../../network/names/management-port.ts';
import type { AddressFamily } from '../../basics/addresses/ip-address.ts';
import type { NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import type { FilterSurroundings } from './filter-elements.ts';

/** Why a network that leaves by the node does not get out there, or not with one of its families. */
export type EgressFailure =
  /** Nothing says which subnets the pods of the default network have, so they cannot be denied. The network is not let out. */
  | { readonly cause: 'cluster-subnets-unknown' }
  /** The Open vSwitch of the node has no name for its chassis. The network is not let out. */
  | { readonly cause: 'no-chassis' }
  /** The kernel forwards nothing. @param setting that is 0 */
  | { readonly cause: 'forwarding-disabled'; readonly family: AddressFamily; readonly setting: string }
  /** The node has no default route of the family. */
  | { readonly cause: 'no-default-route'; readonly family: AddressFamily };

/** The setting by which the kernel forwards nothing of a family to or from a management port; undefined if it does forward. */
function disabledForwarding(
  family: AddressFamily,
  networkId: number,
  { sysctls }: Pick<NodeSnapshot, 'sysctls'>,
): string | undefined {
  const setting = deviceSetting(family, 'all', 'forwarding');
  // Since Linux 6.17 a device can do without it (Documentation/networking/ip-sysctl.rst, force_forwarding).
  const forced = deviceSetting(6, 'default', 'force_forwarding');
  const isForced =
    family === 6 &&
    (sysctls[forced] ?? sysctls[deviceSetting(6, managementPortName(networkId), 'force_forwarding')]) !== undefined;
  return sysctls[setting] === '0' && !isForced ? setting : undefined;
}

/** Why packets of a network of a family do not get out by the kernel; undefined if they do. */
export function hostFailure(
  networkId: number,
  family: AddressFamily,
  ways: FilterSurroundings['ways'],
  node: Pick<NodeSnapshot, 'sysctls'>,
): EgressFailure | undefined {
  const setting = disabledForwarding(family, networkId, node);
  if (setting !== undefined) return { cause: 'forwarding-disabled', family, setting };
  return ways[family].length === 0 ? { cause: 'no-default-route', family } : undefined;
}
