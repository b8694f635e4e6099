import { resolve } from 'node:path';
import type { ArgumentVector } from '../../node.ts';
import { ip, ovsVsctl } from '../../commands.ts';
import { blueBridgeAgain } from '../blue.ts';

/** Something that goes wrong at a change. */
export interface Fault {
  readonly moment: 'before' | 'after';
  /** Whether the agent does not outlive it. */
  readonly isCrash: boolean;
  /** What happens. */
  readonly commands: readonly ArgumentVector[];
  /** Whether each thing is made as often as if nothing had happened. */
  readonly keepsCounts: boolean;
  /** Whether the tenants may be set up in another order, as one has to wait. */
  readonly hasTenantsWait?: true;
  /** What an administrator does about it once the loop has said what it has to say; absent where nobody need do anything. */
  readonly repair?: readonly ArgumentVector[];
  /** What that is where the networks are to be there, as the last of each network. */
  readonly meanwhile: readonly string[];
  /** Commands that have to succeed once the networks are gone again, after which the node is as it was before; where there are any, only then. */
  readonly takenBack?: readonly ArgumentVector[];
}

/** What an administrator adds to an interface that the agent is busy with, and that has to be found where he put it. */
const added: readonly ArgumentVector[] = [
  ip`address add 198.51.140.1/24 dev br-blue`,
  ip`address add 2001:db8:40::1/64 dev br-blue`,
  ip`route add 203.0.113.16/28 dev br-blue proto static`,
  ip`route add 2001:db8:41::/48 dev br-blue proto static metric 77`,
  ip`route add 203.0.113.32/28 dev br-blue table 78`,
  ip`neighbour add 192.0.2.80 lladdr 02:00:00:00:77:80 dev br-blue nud permanent`,
  ip`link set br-blue mtu 1400`,
];

const takenBack: readonly ArgumentVector[] = [
  ip`route delete 203.0.113.16/28 dev br-blue proto static`,
  ip`route delete 2001:db8:41::/48 dev br-blue proto static metric 77`,
  ip`route delete 203.0.113.32/28 dev br-blue table 78`,
  ip`neighbour delete 192.0.2.80 dev br-blue`,
  ip`address delete 198.51.140.1/24 dev br-blue`,
  ip`address delete 2001:db8:40::1/64 dev br-blue`,
  ip`link set br-blue mtu 1500`,
  // The kernel made it follow, and does not on the way back.
  ip`link set br-blue.5 mtu 1500`,
];

function restart(...daemons: readonly string[]): readonly ArgumentVector[] {
  return [[resolve(import.meta.dirname, '../../inside/restart.py'), ...daemons]];
}

const crash: Fault = { moment: 'after', isCrash: true, commands: [], keepsCounts: true, meanwhile: [] };

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
    meanwhile: ['red: Ready'],
  },
  administrator: { ...crash, isCrash: false, moment: 'before', commands: added, keepsCounts: false, takenBack },
} satisfies Readonly<Record<string, Fault>>;

export type FaultName = keyof typeof faults;

/** What a fault is, by its name. */
export function faultOf(name: FaultName): Fault {
  return faults[name];
}
