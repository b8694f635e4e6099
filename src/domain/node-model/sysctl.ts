import { deviceInSetting } from '../snapshot/device-settings.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { type Change, done, refused } from './change.ts';
import { linkOf } from './device.ts';
import { disableIpv6, enableIpv6 } from './ipv6/ipv6-on-off.ts';

/**
 * Settings that change addresses, routes or other settings with them: IPv6 on or off on all devices, forwarding, how link-local addresses are made,
 * and the defaults of IPv4, which devices take over that were never set otherwise (net/ipv4/devinet.c, devinet_copy_dflt_conf).
 */
const withSideEffects = [
  /^net\.ipv6\.conf\.[^.]+\.(addr_gen_mode|forwarding)$/,
  /^net\.ipv6\.conf\.all\.disable_ipv6$/,
  /^net\.ipv4\.conf\.(all\.forwarding|default\.[^.]+)$/,
  /^net\.ipv4\.ip_forward$/,
];

/** Matches the name of the setting that disables IPv6 on a device. */
const DISABLE_IPV6 = /\.disable_ipv6$/;

function isInteger32(value: number): boolean {
  return value >= -(2 ** 31) && value < 2 ** 31;
}

/**
 * Sets a kernel setting to a number: `sysctl -w NAME=VALUE`. The kernel accepts any value of 32 bits
 * (kernel/sysctl.c, do_proc_dointvec_conv).
 *
 * Settings with side effects are refused: ovn-uplinks never sets them, so their effects are not modelled.
 */
export function setSysctl(node: NodeSnapshot, name: string, value: string): Change {
  if (!Object.hasOwn(node.sysctls, name)) return refused('No such file or directory', name);
  if (!/^-?\d+$/.test(value) || !isInteger32(Number(value))) return refused('Invalid argument', `${name} = ${value}`);
  if (withSideEffects.some((pattern) => pattern.test(name))) return refused(`${name} has side effects`);
  const set = { ...node, sysctls: { ...node.sysctls, [name]: value } };
  return done(DISABLE_IPV6.test(name) ? withIpv6AsSet(set, name, node.sysctls[name]) : set);
}

/** With the effect on the device of the setting, if IPv6 was enabled or disabled by it (net/ipv6/addrconf.c, addrconf_disable_ipv6). */
function withIpv6AsSet(node: NodeSnapshot, name: string, before: string | undefined): NodeSnapshot {
  const [was, is] = [Number(before) === 0, Number(node.sysctls[name]) === 0];
  const link = linkOf(node, (deviceInSetting(name) ?? '').replaceAll('/', '.'));
  if (was === is || link === undefined) return node;
  return is ? enableIpv6(node, link) : disableIpv6(node, link);
}
