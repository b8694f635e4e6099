/**
 * Kernel settings of management ports: what arrives there is for the host itself (docs/design/networks.md, "The host"; Linux,
 * Documentation/networking/ip-sysctl.rst).
 */
import type { SysctlEntity } from '../../entities/kernel/sysctl.ts';
import { deviceSetting } from '../../snapshot/device-settings.ts';
import type { NodeSnapshot } from '../../snapshot/node-snapshot.ts';

/** A setting of a management port and its value. */
export interface HostSetting {
  readonly family: 4 | 6;
  readonly setting: string;
  readonly value: string;
}

/**
 * Pods share a link with the management port: a packet with its MAC address and any destination would be forwarded by the routes of the VRF, past the
 * gateway router that translates its address, and a router advertisement would add routes and addresses. `forwarding` of an IPv6 device decides about
 * neither: the one of `all` does about packets (net/ipv6/ip6_output.c, ip6_forward), with `force_forwarding` of the device since Linux 6.17.
 *
 * Where a network leaves by the node, the kernel has to forward, and the filter decides instead (docs/design/node-egress.md, "The filter").
 */
function settingsFor(isForwarding: boolean): readonly HostSetting[] {
  const value = isForwarding ? '1' : '0';
  return [
    { family: 4, setting: 'forwarding', value },
    { family: 6, setting: 'force_forwarding', value },
    { family: 6, setting: 'accept_ra', value: '0' },
  ];
}

/** Those of networks that leave by their uplinks or not at all, and of those that leave by the node. */
const [closed, forwarding] = [settingsFor(false), settingsFor(true)];

/**
 * The settings that new devices of a node will have: an older kernel does not have all of them, and one without IPv6 none of IPv6.
 *
 * @param isForwarding whether the network leaves by the node
 */
export function settingsOfKernel(
  { sysctls }: Pick<NodeSnapshot, 'sysctls'>,
  isForwarding: boolean,
): readonly HostSetting[] {
  return (isForwarding ? forwarding : closed).filter(
    ({ family, setting }) => sysctls[deviceSetting(family, 'default', setting)] !== undefined,
  );
}

/** A setting of a management port. */
export function settingOf(device: string, { family, setting, value }: HostSetting): SysctlEntity {
  return { kind: 'sysctl', device, name: deviceSetting(family, device, setting), value };
}
