import { resolve } from 'node:path';
import type { ArgumentVector } from '../../node.ts';
import { ovsVsctl } from '../../commands.ts';
import { blueBridge } from './scenario.ts';

/** Something that goes wrong at a change. */
interface Fault {
  readonly moment: 'before' | 'after';
  /** Whether the agent does not outlive it. */
  readonly isCrash: boolean;
  /** What happens. */
  readonly commands: readonly ArgumentVector[];
  /** Whether each thing is made as often as if nothing had happened. */
  readonly keepsCounts: boolean;
  /** What an administrator does about it once the loop has said what it has to say; absent where nobody need do anything. */
  readonly repair?: readonly ArgumentVector[];
  /** What that is. */
  readonly meanwhile: readonly string[];
}

function restart(...daemons: readonly string[]): readonly ArgumentVector[] {
  return [[resolve(import.meta.dirname, '../../inside/restart.py'), ...daemons]];
}

const crash: Fault = { moment: 'after', isCrash: true, commands: [], keepsCounts: true, meanwhile: [] };

export const faults = {
  crash,
  'crash-and-daemons': { ...crash, commands: restart('ovsdb-server', 'ovs-vswitchd') },
  'ovsdb-server': { ...crash, isCrash: false, commands: restart('ovsdb-server') },
  'ovs-vswitchd': { ...crash, isCrash: false, commands: restart('ovs-vswitchd') },
  'bridge-deleted': {
    moment: 'before',
    isCrash: false,
    commands: [ovsVsctl`del-br br-blue`, ['ip', 'link', 'delete', 'eth1']],
    keepsCounts: false,
    repair: blueBridge,
    meanwhile: [],
  },
} as const satisfies Readonly<Record<string, Fault>>;

export type FaultName = keyof typeof faults;
