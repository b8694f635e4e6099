/**
 * Opens a shell on a node in a lab machine, on this terminal; or runs a script on a node:
 *
 * npm run lab
 * npm run --silent lab -- --script FILE
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Machine } from './machine.ts';

/** Milliseconds in a day, the deadline of a shell. */
const DAY = 24 * 3600 * 1000;

const CHECKOUT = resolve(import.meta.dirname, '../../..');

/** Runs shell commands on a node, with the console as their terminal. */
async function onConsole(machine: Machine, commands: string, input?: string): Promise<number> {
  const node = await machine.node('node');
  const shell = `cd '${CHECKOUT}'; PATH='${CHECKOUT}/node_modules/.bin':$PATH; ${commands}`;
  const options = { deadline: DAY, ...(input === undefined ? {} : { input }) };
  const { exitCode } = await node.run(['/bin/busybox', 'ash', '-c', shell], options);
  return exitCode;
}

async function runScript(file: string): Promise<number> {
  const text = readFileSync(file, 'utf8');
  const machine = await Machine.start({ console: 'printed' });
  const exitCode = await onConsole(machine, 'cat > /run/script; exec bash /run/script > /dev/console 2>&1', text);
  await machine.stop();
  return exitCode;
}

function sizeOfTerminal(): string {
  const { columns, rows } = process.stdout;
  return columns > 0 && rows > 0 ? ` columns ${columns} rows ${rows}` : '';
}

async function openShell(): Promise<number> {
  // The kernel changes the settings of the terminal, and a machine that ends does not restore them.
  const settings = spawnSync('stty', ['-g'], { stdio: ['inherit', 'pipe', 'ignore'], encoding: 'utf8' }).stdout.trim();
  const machine = await Machine.start({ console: 'terminal' });
  console.log('A node with Open vSwitch on its own kernel. "exit" ends it.\r');
  const terminal = `exec < /dev/tty0 > /dev/tty0 2>&1; stty sane${sizeOfTerminal()}`;
  const exitCode = await onConsole(
    machine,
    `${terminal}; PS1='\\h:\\w# ' TERM='${process.env['TERM'] ?? 'linux'}' exec bash --norc`,
  );
  await machine.stop();
  if (settings !== '') spawnSync('stty', [settings], { stdio: ['inherit', 'ignore', 'ignore'] });
  return exitCode;
}

const { script } = parseArgs({ options: { script: { type: 'string' } } }).values;
process.exitCode = await (script === undefined ? openShell() : runScript(script));
