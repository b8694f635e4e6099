/**
 * Whether a node can have IPv6 addresses, and the kernel setting that disables IPv6 on a device (Linux, Documentation/networking/ip-sysctl.rst, disable_ipv6). A new device has the value of
 * `default`, and while it is not 0, the kernel refuses IPv6 addresses on the device.
 */
import { deviceSetting } from '../snapshot/device-settings.ts';
import type { SysctlEntity } from '../entities/kernel/sysctl.ts';
import { lazyByObject } from '../basics/incremental/by-identity.ts';
import { entryOf } from '../snapshot/ledger.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';

const SETTING = 'disable_ipv6';

const settingsOfIpv4 = ['all', 'default'].map((which) => deviceSetting(4, which, ''));

const isOfIpv4Alone = lazyByObject((sysctls: NodeSnapshot['sysctls']): boolean => {
  const names = Object.keys(sysctls);
  const isRead = names.some((name) => settingsOfIpv4.some((prefix) => name.startsWith(prefix)));
  return isRead && !names.some((name) => name.startsWith('net.ipv6.'));
});

/**
 * Whether the kernel has no IPv6, as with `ipv6.disable=1` on its command line (Linux, Documentation/networking/ipv6.rst): it has no setting of IPv6
 * then, and refuses IPv6 addresses and routes. Unknown, and false, where the settings of all devices were not read.
 */
export function lacksIpv6({ sysctls }: NodeSnapshot): boolean {
  return isOfIpv4Alone(sysctls);
}

/** Whether IPv6 has to be enabled on a device, which may not exist yet: it is disabled there, or ovn-uplinks has enabled it. */
export function needsIpv6Enabled(device: string, { sysctls, ledger }: NodeSnapshot): boolean {
  const name = deviceSetting(6, device, SETTING);
  const value = sysctls[name] ?? sysctls[deviceSetting(6, 'default', SETTING)] ?? '0';
  return value !== '0' || entryOf(ledger, 'sysctl', name) !== undefined;
}

/** The setting by which IPv6 is enabled on a device. */
export function enabledIpv6(device: string): SysctlEntity {
  return { kind: 'sysctl', device, name: deviceSetting(6, device, SETTING), value: '0' };
}
