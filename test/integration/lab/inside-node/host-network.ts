/**
 * What every network of a host does, held against the kernel of the node that this runs on: it is run inside one, by host-network.test.ts.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { ExecaPrograms } from '../../../../src/adapters/execa/execa-programs.ts';
import { IpNetwork } from '../../../../src/adapters/iproute2-json/ip-network.ts';
import { meaningOf, type NodeSnapshot } from '../../../../src/domain/index.ts';
import { describeHostNetwork } from '../../../contract/host-network.ts';

function does(program: string, words: readonly string[]): string {
  return execFileSync(program, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

const ip = (...words: readonly string[]): string => does('ip', words);

/** Takes away what may be there of a family without a device. */
function sweep(family: '-4' | '-6'): void {
  const input = 'rule delete priority 2000\nroute flush table 1012\n';
  spawnSync('ip', [family, '-force', '-batch', '-'], { input });
}

function linkNames(): readonly string[] {
  return (JSON.parse(ip('-json', 'link', 'show')) as readonly { ifname: string }[]).map(({ ifname }) => ifname);
}

/** Processes of ip that this one has started and that have not ended (proc_pid_stat(5)). */
function running(): readonly number[] {
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

const programs = new ExecaPrograms();
const before = new Set(linkNames());

describeHostNetwork('of a real kernel', () => {
  return {
    network: new IpNetwork(programs),
    does: (operation) => {
      const command = meaningOf(operation).command(operation, {} as NodeSnapshot);
      does(command.program, command.arguments);
    },
    addLink: (name) => {
      ip('link', 'add', 'name', name, 'up', 'type', 'dummy');
    },
    removeLink: (name) => {
      ip('link', 'delete', 'dev', name);
    },
    seeNeighbour: (device, address) => {
      ip('neighbour', 'replace', address, 'lladdr', '02:00:00:00:00:99', 'dev', device, 'nud', 'reachable');
    },
    running,
    end: () => {
      for (const name of linkNames()) if (!before.has(name)) ip('link', 'delete', 'dev', name);
      sweep('-4');
      sweep('-6');
    },
  };
});
