import type { Command } from 'commander';
import type { Container } from 'inversify';
import { captureNode } from '../adapters/capture/capture-node.ts';
import { describeProblem } from '../ports/input-problem.ts';
import { ports } from './container.ts';
import type { Terminal } from './terminal.ts';

/** Adds the command `capture`. */
export function addCapture(program: Command, container: Container, terminal: Terminal): void {
  program
    .command('capture')
    .description('Saves the output of ip, ovsdb-client and other tools on this node, for `plan` and `explain`.')
    .requiredOption('--out <dir>', 'folder to create; it must not exist, or must be empty')
    .addHelpText(
      'after',
      `
Example, on a node:
  ovn-uplinks capture --out worker-a

Requires the programs of iproute2 and Open vSwitch. Changes nothing. Exit status: 0 captured, 1 not.`,
    )
    .action(async ({ out }: { readonly out: string }) => {
      const problems = await captureNode(out, container.get(ports.programs));
      for (const problem of problems) terminal.err(`error: ${describeProblem(problem)}`);
      if (problems.length === 0) terminal.out(`captured in ${out}`);
      process.exitCode = problems.length === 0 ? 0 : 1;
    });
}
