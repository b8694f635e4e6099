/**
 * The commands of README that look at a cluster, which the administrator of the guided cluster runs: their names are those of the guide.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { execa } from 'execa';
import { machineContainer } from '../../../../src/cmd/ports/machine-container.ts';
import { runCommand } from '../../../unit/cmd/run-in-process.ts';
import type { LabNode } from '../node.ts';
import { PROGRAMS } from '../node-shell.ts';

const README = resolve(import.meta.dirname, '../../../../README.md');

/** The commands of the section, in their order. */
export function readmeCommands(): readonly string[] {
  const [, section = ''] = readFileSync(README, 'utf8').split('\n## On your own cluster\n');
  const [, block = ''] = /```sh\n([^]*?)```/.exec(section) ?? [];
  return block.split('\n').flatMap((line) => line.replace(/(^| +)# .*/, '') || []);
}

/** The commands of the consoles before the first section, without comments. */
export function firstCommands(): readonly string[] {
  const [beginning = ''] = readFileSync(README, 'utf8').split('\n## ');
  return [...beginning.matchAll(/^\$ (.*?)(?: +# .*)?$/gm)].map(([, command = '']) => command);
}

/** The words of a command, without redirections. */
function wordsOf(command: string): readonly string[] {
  return (command.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replaceAll("'", ''));
}

/**
 * Runs `ovn-uplinks`, in this process: that takes a tenth of the time.
 *
 * @param folder in which it is run
 * @returns what it prints. Rejects where it fails
 */
export async function runOvnUplinks(command: string, folder: string, kubeconfig: string): Promise<string> {
  const [, ...args] = wordsOf(command);
  const [before, { KUBECONFIG: formerly }] = [process.cwd(), process.env];
  process.chdir(folder);
  process.env['KUBECONFIG'] = kubeconfig;
  try {
    const { out, err, exitCode } = await runCommand(machineContainer(), args);
    if (exitCode !== 0) throw new Error(`exit status ${exitCode} of ${command}: ${err.join('\n')}`);
    return out.join('\n');
  } finally {
    process.chdir(before);
    if (formerly === undefined) delete process.env['KUBECONFIG'];
    else process.env['KUBECONFIG'] = formerly;
  }
}

/** Runs `ovn-uplinks capture` on a node, and copies what it captures into a folder of its name. */
export async function capture(node: LabNode, folder: string): Promise<void> {
  const script = `cd /run && ovn-uplinks capture --out ${node.name} >&2 && tar -c ${node.name} | base64`;
  const archive = await node.does(['/bin/bash', '-c', `PATH=${PROGRAMS}:$PATH; ${script}`]);
  await execa('tar', ['-x', '-C', folder], { input: Buffer.from(archive, 'base64') });
}
