/**
 * The behaviour of every network of a host, held against the kernel of the node that this runs on: it is run inside one, by host-network.test.ts.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { ExecaPrograms } from '../../../../src/adapters/execa/execa-programs.ts';
import { IpNetwork } from '../../../../src/adapters/iproute2-json/ip-network.ts';
import { semanticsOf, type NodeSnapshot } from '../../../../src/domain/index.ts';
import type { ProgramListener, RunningProgram } from '../../../../src/ports/node/long-lived-programs.ts';
import { describeHostNetwork } from '../../../contract/host-network.ts';

function does(program: string, words: readonly string[]): string {
  return execFileSync(program, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

const ip = (...words: readonly string[]): string => does('ip', words);

/** Has ip do many things at once, as many as there are to be done: a program takes much longer to start than to do one. */
function sweep(family: '-4' | '-6', ...commands: readonly string[]): void {
  spawnSync('ip', [family, '-force', '-batch', '-'], { input: `${commands.join('\n')}\n` });
}

/** Names that a batch of ip reads as they are: it has quotes and comments. */
const PLAIN_NAME = /^\w[\w.-]*$/;

/** Takes away every device but those that were there before, and what may be there of both families without a device. */
function cleanUp(): void {
  const names = linkNames().filter((name) => !before.has(name));
  for (const name of names) if (!PLAIN_NAME.test(name)) ip('link', 'delete', 'dev', name);
  const deletions = names.filter((name) => PLAIN_NAME.test(name)).map((name) => `link delete dev ${name}`);
  const withoutDevice = ['rule delete priority 1999', `rule delete priority ${NOTIFIED}`, 'route flush table 1012'];
  sweep('-4', ...deletions, ...withoutDevice);
  sweep('-6', ...withoutDevice);
}

function linkNames(): readonly string[] {
  return readdirSync('/sys/class/net');
}

/** Processes of ip that this one has started and that have not ended (proc_pid_stat(5)). */
function runningPrograms(): readonly number[] {
  return readdirSync('/proc').flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return [];
    try {
      const [, name, state, parent] = /\((.*)\) (\S) (\d+)/s.exec(readFileSync(`/proc/${entry}/stat`, 'utf8')) ?? [];
      return name === 'ip' && state !== 'Z' && Number(parent) === process.pid ? [Number(entry)] : [];
    } catch {
      return [];
    }
  });
}

/** Programs whose output a test can wait for. */
class WatchedPrograms extends ExecaPrograms {
  #onLine: (line: string) => void = () => undefined;

  override start(program: string, words: readonly string[], listener: ProgramListener): RunningProgram {
    return super.start(program, words, {
      onOutput: (line) => {
        listener.onOutput(line);
        this.#onLine(line);
      },
      onMessage: (line) => listener.onMessage(line),
      onEnd: (reason) => listener.onEnd(reason),
    });
  }

  /** Resolves after the listener of a program was called with a line that matches. */
  printed(pattern: RegExp): Promise<void> {
    return new Promise((resolve) => {
      this.#onLine = (line) => {
        if (pattern.test(line)) resolve();
      };
    });
  }
}

const programs = new WatchedPrograms();
const before = new Set(linkNames());
// Without duplicate address detection, whose end the kernel notifies seconds after an address was added.
for (const which of ['all', 'default']) writeFileSync(`/proc/sys/net/ipv6/conf/${which}/accept_dad`, '0');

/** The priority of the rule that `notifyOnce` adds or deletes: `ip monitor` prints one line for it, in the order of changes. */
const NOTIFIED = '30000';

describeHostNetwork('a real kernel', () => {
  let isRuleThere = false;
  return {
    network: new IpNetwork(programs),
    applyByHand: (operation) => {
      const command = semanticsOf(operation).command(operation, {} as NodeSnapshot);
      does(command.program, command.arguments);
    },
    addLink: (name) => {
      ip('link', 'add', 'name', name, 'up', 'type', 'dummy');
    },
    removeLink: (name) => {
      ip('link', 'delete', 'dev', name);
    },
    renameLink: (name, newName) => {
      ip('link', 'set', 'dev', name, 'down');
      ip('link', 'set', 'dev', name, 'name', newName, 'up');
    },
    reachNeighbour: (device, address) => {
      ip('neighbour', 'replace', address, 'lladdr', '02:00:00:00:00:99', 'dev', device, 'nud', 'reachable');
    },
    notifyOnce: async () => {
      const printed = programs.printed(new RegExp(`^\\[RULE\\](Deleted )?${NOTIFIED}:`));
      ip('rule', isRuleThere ? 'delete' : 'add', 'priority', NOTIFIED, 'lookup', '99');
      isRuleThere = !isRuleThere;
      await printed;
    },
    runningPrograms,
    cleanUp,
  };
});
