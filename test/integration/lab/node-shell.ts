import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import type { LabNode } from './node.ts';

/** Milliseconds in a day, the deadline of a shell. */
const DAY = 24 * 3600 * 1000;

const CHECKOUT = resolve(import.meta.dirname, '../../..');

/** Where programs of the lab are on a node. */
export const PROGRAMS = '/run/bin';

/** Runs shell commands on a node, in the checkout, and returns their exit status. */
export async function runShell(node: LabNode, commands: string, input?: string): Promise<number> {
  const shell = `cd '${CHECKOUT}'; PATH='${PROGRAMS}:${CHECKOUT}/node_modules/.bin':$PATH; ${commands}`;
  const options = { deadline: DAY, ...(input === undefined ? {} : { input }) };
  const { exitCode } = await node.run(['/bin/busybox', 'ash', '-c', shell], options);
  return exitCode;
}

function sizeOfTerminal(): string {
  const { columns, rows } = process.stdout;
  return columns > 0 && rows > 0 ? ` columns ${columns} rows ${rows}` : '';
}

/** Opens a shell on a node, on the terminal that is the console of its machine, and returns its exit status. */
export async function openShell(node: LabNode): Promise<number> {
  const terminal = `exec < /dev/tty0 > /dev/tty0 2>&1; stty sane${sizeOfTerminal()}`;
  const shell = `PS1='\\h:\\w# ' TERM='${process.env['TERM'] ?? 'linux'}' exec bash --norc`;
  return await runShell(node, `${terminal}; ${shell}`);
}

/** Does something with a machine whose console is this terminal: the kernel changes its settings, and does not restore them. */
export async function keepingTerminal<Result>(work: () => Promise<Result>): Promise<Result> {
  const { stdout } = spawnSync('stty', ['-g'], { stdio: ['inherit', 'pipe', 'ignore'], encoding: 'utf8' });
  const settings = stdout.trim();
  try {
    return await work();
  } finally {
    if (settings !== '') spawnSync('stty', [settings], { stdio: ['inherit', 'ignore', 'ignore'] });
  }
}
