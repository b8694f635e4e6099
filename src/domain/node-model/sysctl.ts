import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { type Change, done, refused } from './change.ts';

/**
 * Settings that change addresses, routes or other settings with them: IPv6 on or off, forwarding, how link-local addresses are made, and
 * the defaults of IPv4, which devices take over that were never set otherwise (net/ipv4/devinet.c, devinet_copy_dflt_conf).
 */
const withSideEffects = [
  /^net\.ipv6\.conf\.[^.]+\.(addr_gen_mode|disable_ipv6|forwarding)$/,
  /^net\.ipv4\.conf\.(all\.forwarding|default\.[^.]+)$/,
  /^net\.ipv4\.ip_forward$/,
];

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
  return done({ ...node, sysctls: { ...node.sysctls, [name]: value } });
}
