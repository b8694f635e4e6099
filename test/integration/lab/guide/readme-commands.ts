/**
 * The commands of README that look at a cluster, which the administrator of the guided cluster runs: their names are those of the guide.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { runOvnUplinks } from '../cluster/look-at-cluster.ts';

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

/** Runs a command `ovn-uplinks` in a folder, and gives what it prints. Rejects where it fails. */
export async function runReadmeCommand(command: string, folder: string, kubeconfig: string): Promise<string> {
  const [, ...words] = wordsOf(command);
  const { out, err, exitCode } = await runOvnUplinks(words, folder, kubeconfig);
  if (exitCode !== 0) throw new Error(`exit status ${exitCode} of ${command}: ${err.join('\n')}`);
  return out.join('\n');
}
