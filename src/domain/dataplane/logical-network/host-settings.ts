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
 */
const closed: readonly HostSetting[] = [
  { family: 4, setting: 'forwarding', value: '0' },
  { family: 6, setting: 'force_forwarding', value: '0' },
  { family: 6, setting: 'accept_ra', value: '0' },
];

/** The settings that new devices of a node will have: an older kernel does not have all of them, and one without IPv6 none of IPv6. */
export function settingsOfKernel({ sysctls }: Pick<NodeSnapshot, 'sysctls'>): readonly HostSetting[] {
  return closed.filter(({ family, setting }) => sysctls[deviceSetting(family, 'default', setting)] !== undefined);
}

/** A setting of a management port. */
export function settingOf(device: string, { family, setting, value }: HostSetting): SysctlEntity {
  return { kind: 'sysctl', device, name: deviceSetting(family, device, setting), value };
}
