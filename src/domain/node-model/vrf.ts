import { isInterfaceName } from '../basics/names/interface-name.ts';
import type { Link, NodeSnapshot, Rule } from '../snapshot/node-snapshot.ts';
import { type Change, done, refused, refusedAsExisting } from './change.ts';
import { isVrf } from './device.ts';
import { rulesAfterDevice } from './rules/rule.ts';
import { withDeviceSettings } from '../snapshot/device-settings.ts';

/** Longest packet of IPv6 without extensions, which is a VRF device's MTU (drivers/net/vrf.c, vrf_setup). */
export const VRF_MTU = 65_575;

/** Highest number of a table. */
const LAST_TABLE = 0xffff_ffff;

/** Priority of the rules that lead packets of VRFs to their tables (drivers/net/vrf.c, FIB_RULE_PREF). */
export const VRF_RULE_PRIORITY = 1000;

/** Names that the settings of all devices and of new ones have (net/core/dev.c and devinet.c, sysctl_dev_name_is_allowed). */
const SETTING_NAMES = ['all', 'default'];

/** A new VRF device. */
export interface NewVrf {
  readonly name: string;
  readonly table: number;
}

/** Makes a VRF device that is up: `ip link add dev NAME up type vrf table TABLE`. VRFs may share a table, unless `net.vrf.strict_mode` is 1. */
export function addVrf(node: NodeSnapshot, { name, table }: NewVrf): Change {
  if (node.links.some((link) => link.name === name || link.alternativeNames?.includes(name) === true))
    return refusedAsExisting(name);
  // The kernel replaces a percent sign by a number.
  if (!isInterfaceName(name) || name.includes('%')) return refused(`${JSON.stringify(name)} is no name of a device`);
  if (SETTING_NAMES.includes(name)) return refused('Invalid argument', name);
  if (!Number.isInteger(table) || table <= 0 || table > LAST_TABLE) return refused('Invalid VRF table id', `${table}`);
  const isStrict = node.sysctls['net.vrf.strict_mode'] === '1';
  if (isStrict && node.links.some(({ vrfTable }) => vrfTable === table)) {
    return refused(`table ${table} is used by another VRF`);
  }
  const link: Link = {
    index: Math.max(0, ...node.links.map(({ index }) => index)) + 1,
    name,
    kind: 'vrf',
    up: true,
    operationalState: 'up',
    mtu: VRF_MTU,
    type: 'ether',
    vrfTable: table,
    addresses: [],
  };
  const links = [...node.links, link];
  return done({
    ...node,
    links,
    rules: rulesAfterDevice({ links, rules: withVrfRules(node) }, name),
    sysctls: withDeviceSettings(node.sysctls, name),
  });
}

/** Whether a rule is about the tables of VRFs (ip-rule(8), `l3mdev`). */
export function isVrfRule({ others }: Pick<Rule, 'others'>): boolean {
  return Object.hasOwn(others, 'l3mdev');
}

/**
 * The first VRF device of a network namespace brings the rules for both families, once (drivers/net/vrf.c, vrf_add_fib_rules). Where
 * there is none, and such a rule is, there has been one.
 */
function withVrfRules({ links, rules }: NodeSnapshot): readonly Rule[] {
  if (links.some(isVrf) || rules.some(isVrfRule)) return rules;
  const made = ([4, 6] as const).map((family): Rule => ({
    family,
    priority: VRF_RULE_PRIORITY,
    protocol: 'kernel',
    others: { l3mdev: 'null' },
  }));
  return [...rules, ...made];
}
