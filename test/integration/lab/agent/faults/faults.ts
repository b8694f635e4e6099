import { resolve } from 'node:path';
import type { ArgumentVector } from '../../node.ts';
import { ip, ovsVsctl } from '../../commands.ts';
import { blueBridgeAgain } from '../blue.ts';

/** A fault at a change. */
export interface Fault {
  readonly moment: 'before' | 'after';
  /** Whether the agent crashes. */
  readonly isCrash: boolean;
  /** The commands that cause it. */
  readonly commands: readonly ArgumentVector[];
  /** Whether each entity is created as often as without the fault. */
  readonly keepsCounts: boolean;
  /** Whether a tenant may have to wait, so that the order of set-up changes. */
  readonly hasTenantsWait?: true;
  /** The administrator's fix after the loop has reported the problem, if one is needed. */
  readonly repair?: readonly ArgumentVector[];
  /** The expected last report on each network during set-up. */
  readonly reports: readonly string[];
  /** Commands that undo the fault after the networks are removed. They must succeed, and the node is then as before. */
  readonly undo?: readonly ArgumentVector[];
}

/** Configuration that an administrator adds on an interface while the agent changes it. All of it must be kept. */
const added: readonly ArgumentVector[] = [
  ip`address add 198.51.140.1/24 dev br-blue`,
  ip`address add 2001:db8:40::1/64 dev br-blue`,
  ip`route add 203.0.113.16/28 dev br-blue proto static`,
  ip`route add 2001:db8:41::/48 dev br-blue proto static metric 77`,
  ip`route add 203.0.113.32/28 dev br-blue table 78`,
  ip`neighbour add 192.0.2.80 lladdr 02:00:00:00:77:80 dev br-blue nud permanent`,
  ip`link set br-blue mtu 1400`,
];

const undo: readonly ArgumentVector[] = [
  ip`route delete 203.0.113.16/28 dev br-blue proto static`,
  ip`route delete 2001:db8:41::/48 dev br-blue proto static metric 77`,
  ip`route delete 203.0.113.32/28 dev br-blue table 78`,
  ip`neighbour delete 192.0.2.80 dev br-blue`,
  ip`address delete 198.51.140.1/24 dev br-blue`,
  ip`address delete 2001:db8:40::1/64 dev br-blue`,
  ip`link set br-blue mtu 1500`,
  // The kernel lowers the MTU of the VLAN device too, but does not raise it again.
  ip`link set br-blue.5 mtu 1500`,
];

function restart(...daemons: readonly string[]): readonly ArgumentVector[] {
  return [[resolve(import.meta.dirname, '../../inside/restart.py'), ...daemons]];
}

const crash: Fault = { moment: 'after', isCrash: true, commands: [], keepsCounts: true, reports: [] };

export const faults = {
  crash,
  'crash-and-daemons': { ...crash, commands: restart('ovsdb-server', 'ovs-vswitchd') },
  'ovsdb-server': { ...crash, isCrash: false, commands: restart('ovsdb-server'), hasTenantsWait: true },
  'ovs-vswitchd': { ...crash, isCrash: false, commands: restart('ovs-vswitchd') },
  'bridge-deleted': {
    moment: 'before',
    isCrash: false,
    commands: [ovsVsctl`del-br br-blue`, ['ip', 'link', 'delete', 'eth1']],
    keepsCounts: false,
    hasTenantsWait: true,
    repair: blueBridgeAgain,
    reports: ['red: Ready'],
  },
  administrator: { ...crash, isCrash: false, moment: 'before', commands: added, keepsCounts: false, undo },
} satisfies Readonly<Record<string, Fault>>;

export type FaultName = keyof typeof faults;

/** Faults of OVN, on a node where it is programmed. */
export const ovnFaults = {
  'ovn-northd': { ...crash, isCrash: false, commands: restart('ovn-northd') },
  'ovn-controller': { ...crash, isCrash: false, commands: restart('ovn-controller') },
  'ovn-northbound': { ...crash, isCrash: false, commands: restart('ovnnb_db') },
} satisfies Readonly<Record<string, Fault>>;

export type OvnFaultName = keyof typeof ovnFaults;

/** A fault by its name. */
export function faultNamed(name: FaultName | OvnFaultName): Fault {
  return { ...faults, ...ovnFaults }[name];
}
