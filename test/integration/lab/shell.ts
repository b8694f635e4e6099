/**
 * Opens a shell on a node in a lab machine, on this terminal; or runs a script on a node:
 *
 * npm run lab
 * npm run --silent lab -- --script FILE
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Machine } from './machine.ts';
import { keepingTerminal, openShell, runShell } from './node-shell.ts';

async function runScript(file: string): Promise<number> {
  const text = readFileSync(file, 'utf8');
  const machine = await Machine.start({ console: 'printed' });
  const node = await machine.node('node');
  const exitCode = await runShell(node, 'cat > /run/script; exec bash /run/script > /dev/console 2>&1', text);
  await machine.stop();
  return exitCode;
}

async function openOnNode(): Promise<number> {
  const machine = await Machine.start({ console: 'terminal' });
  const node = await machine.node('node');
  console.log('A node with Open vSwitch on its own kernel. "exit" ends it.\r');
  const exitCode = await openShell(node);
  await machine.stop();
  return exitCode;
}

const { script } = parseArgs({ options: { script: { type: 'string' } } }).values;
process.exitCode = await (script === undefined ? keepingTerminal(openOnNode) : runScript(script));
