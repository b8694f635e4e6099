/**
 * Kernel settings of the uplink's interface that a network needs (Linux, Documentation/networking/ip-sysctl.rst).
 */
import { deviceSetting } from '../snapshot/device-settings.ts';
import type { SysctlEntity } from '../entities/sysctl.ts';
import { entryOf } from '../snapshot/ledger.ts';
import type { DataplaneInput } from './dataplane-input.ts';

/** The value from before our first change. */
function valueAsFound(name: string, { node: { snapshot } }: DataplaneInput): string | undefined {
  const changed = entryOf(snapshot.ledger, 'sysctl', name);
  return changed?.before ?? snapshot.sysctls[name];
}

/**
 * Replies to a network's packets come in by an interface that the kernel's strict reverse path filter would not send them out of: where it
 * is strict, it is made loose. The greater one of the device's value and that of all devices is in force.
 */
function reversePathFilter(input: DataplaneInput): readonly SysctlEntity[] {
  const { device, families, node } = input;
  const name = deviceSetting(4, device, 'rp_filter');
  const found = valueAsFound(name, input);
  if (!families.includes(4) || found === undefined) return [];
  const inForce = Math.max(Number(found), Number(node.snapshot.sysctls['net.ipv4.conf.all.rp_filter'] ?? 0));
  return inForce === 1 ? [{ kind: 'sysctl', device, name, value: '2' }] : [];
}

/**
 * Entering a VRF takes the link down, and with it every IPv6 address that the kernel was not told to keep. Where the setting was not read
 * it is left alone, and the addresses are put back one by one.
 */
function keptAddresses(input: DataplaneInput): readonly SysctlEntity[] {
  const { device, domain } = input;
  const name = deviceSetting(6, device, 'keep_addr_on_down');
  if (domain.kind === 'default' || valueAsFound(name, input) === undefined) return [];
  return [{ kind: 'sysctl', device, name, value: '1' }];
}

/** The settings that the network needs on its uplink's interface. */
export function wantedSysctls(input: DataplaneInput): readonly SysctlEntity[] {
  return [...keptAddresses(input), ...reversePathFilter(input)];
}
