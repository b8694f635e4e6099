/** How an administrator looks at a cluster: nodes are captured, and commands read the captures and the API server. */
import { execa } from 'execa';
import { machineContainer } from '../../../../src/cmd/ports/machine-container.ts';
import { type Run, runCommand } from '../../../unit/cmd/run-in-process.ts';
import { ovnUplinks } from '../agent/node-agent.ts';
import type { LabNode } from '../node.ts';

/**
 * Runs `ovn-uplinks`, in this process: that takes a tenth of the time.
 *
 * @param folder in which it is run
 */
export async function runOvnUplinks(words: readonly string[], folder: string, kubeconfig: string): Promise<Run> {
  const [before, { KUBECONFIG: formerly }] = [process.cwd(), process.env];
  process.chdir(folder);
  process.env['KUBECONFIG'] = kubeconfig;
  try {
    return await runCommand(machineContainer(), words);
  } finally {
    process.chdir(before);
    if (formerly === undefined) delete process.env['KUBECONFIG'];
    else process.env['KUBECONFIG'] = formerly;
  }
}

/** Captures a node, and copies that into a folder of its name. */
export async function capture(node: LabNode, folder: string): Promise<void> {
  const there = `/run/${node.name}`;
  await node.does(ovnUplinks('capture', '--out', there));
  const archive = await node.does(['/bin/bash', '-c', 'tar -c -C /run "$0" | base64', node.name]);
  await execa('tar', ['-x', '-C', folder], { input: Buffer.from(archive, 'base64') });
}
