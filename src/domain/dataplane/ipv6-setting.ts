/**
 * The kernel setting that disables IPv6 on a device (Linux, Documentation/networking/ip-sysctl.rst, disable_ipv6). A new device has the value of
 * `default`, and while it is not 0, the kernel refuses IPv6 addresses on the device.
 */
import { deviceSetting } from '../snapshot/device-settings.ts';
import type { SysctlEntity } from '../entities/sysctl.ts';
import { entryOf } from '../snapshot/ledger.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';

const SETTING = 'disable_ipv6';

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
