/**
 * Kernel settings of the uplink's interface and of the VRF that a network needs (Linux, Documentation/networking/ip-sysctl.rst).
 */
import { deviceSetting } from '../snapshot/device-settings.ts';
import type { SysctlEntity } from '../entities/kernel/sysctl.ts';
import { entryOf } from '../snapshot/ledger.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import type { DataplaneInput } from './dataplane-input.ts';
import { enabledIpv6, needsIpv6Enabled } from './ipv6-setting.ts';

/** The value before ovn-uplinks' first change. */
function valueAsFound(name: string, { node: { snapshot } }: DataplaneInput): string | undefined {
  const changed = entryOf(snapshot.ledger, 'sysctl', name);
  return changed?.before ?? snapshot.sysctls[name];
}

/**
 * Replies to packets of a network arrive on an interface that the strict reverse path filter does not expect, so a strict filter is made loose. The
 * larger one of the values of the device and of `all` is effective.
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
 * Enslaving takes the link down, and the kernel then drops IPv6 addresses unless this is set. If the setting was not read it is not changed, and the
 * addresses are restored one by one.
 */
function keptAddresses(input: DataplaneInput): readonly SysctlEntity[] {
  const { device, vrf } = input;
  const name = deviceSetting(6, device, 'keep_addr_on_down');
  if (!vrf.enslaves || valueAsFound(name, input) === undefined) return [];
  return [{ kind: 'sysctl', device, name, value: '1' }];
}

/** The setting by which the kernel forwards packets that arrive on an interface. For IPv6 that is `force_forwarding` since Linux 6.17, and not `forwarding`. */
const FORWARDING = { 4: 'forwarding', 6: 'force_forwarding' } as const;

/** Packets between the network and its uplink are forwarded. A setting that was not read is not changed: an older kernel does not have it. */
function forwarding(input: DataplaneInput): readonly SysctlEntity[] {
  const { device, families } = input;
  return families.flatMap((family) => {
    const name = deviceSetting(family, device, FORWARDING[family]);
    return valueAsFound(name, input) === undefined ? [] : [{ kind: 'sysctl', device, name, value: '1' }];
  });
}

/**
 * Whether no IPv6 packet that arrives on an interface is forwarded: without `force_forwarding`, only the setting `all` counts (net/ipv6/ip6_output.c,
 * ip6_forward). It is the administrator's, since setting it ends the processing of router advertisements.
 */
export function forwardsNoIpv6(device: string, { sysctls }: NodeSnapshot): boolean {
  const isForced = sysctls[deviceSetting(6, device, FORWARDING[6])] !== undefined;
  return !isForced && sysctls[deviceSetting(6, 'all', 'forwarding')] === '0';
}

/** The VRF has IPv6 addresses of the network. */
function vrfSettings({ families, vrf, node }: DataplaneInput): readonly SysctlEntity[] {
  const hasAddresses = vrf.enslaves && families.includes(6);
  return hasAddresses && needsIpv6Enabled(vrf.name, node.snapshot) ? [enabledIpv6(vrf.name)] : [];
}

/** The settings that the network needs on its uplink's interface and on its VRF (docs/design/dataplane.md). */
export function wantedSysctls(input: DataplaneInput): readonly SysctlEntity[] {
  return [...vrfSettings(input), ...keptAddresses(input), ...forwarding(input), ...reversePathFilter(input)];
}
