import type { Command } from 'commander';
import type { Container } from 'inversify';
import { captureNode } from '../../adapters/capture/capture-node.ts';
import { northboundDump, southboundSelection } from '../../adapters/capture/layout.ts';
import { describeProblem } from '../../ports/input-problem.ts';
import { ports } from '../ports/container.ts';
import { type OvnOptions, ovnServers, withOvnOptions } from '../ports/ovn-servers.ts';
import { helpText } from '../output/help-text.ts';
import type { Terminal } from '../output/terminal.ts';

interface CaptureCommandOptions extends OvnOptions {
  readonly out: string;
}

/** Adds the command `capture`. */
export function addCapture(program: Command, container: Container, terminal: Terminal): void {
  const command = program
    .command('capture')
    .description('Saves the output of ip, ovsdb-client and other tools on this node, for `plan` and `explain`.')
    .requiredOption('--out <dir>', 'folder to create; it must not exist, or must be empty');
  withOvnOptions(command, { northbound: 'it is not captured', southbound: 'it is not captured' })
    .addHelpText(
      'after',
      helpText(`
Examples, on a node:
  ovn-uplinks capture --out worker-a
  ovn-uplinks capture --out worker-a --ovn-northbound tcp:192.0.2.1:6641

Requires the programs of iproute2 and Open vSwitch. Changes nothing. Without --ovn-northbound, a node without OVN is captured too, with a
warning. Exit status: 0 captured, 1 not.`),
    )
    .action(async (options: CaptureCommandOptions) => {
      const servers = ovnServers(options);
      if ('problem' in servers) {
        terminal.err(`error: ${servers.problem}`);
        process.exitCode = 1;
        return;
      }
      const isGiven = (name: keyof OvnOptions) => command.getOptionValueSource(name) !== 'default';
      const { northbound, southbound } = servers;
      const { problems, warnings } = await captureNode(options.out, container.get(ports.programs), {
        databases: [
          ...(northbound ? [northboundDump(northbound, isGiven('ovnNorthbound') ? 'fatal' : 'warned')] : []),
          // Only a node that is a zone of OVN of its own has one.
          ...(southbound ? [southboundSelection(southbound, isGiven('ovnSouthbound') ? 'fatal' : 'left-out')] : []),
        ],
      });
      for (const problem of problems) terminal.err(`error: ${describeProblem(problem)}`);
      for (const warning of warnings) {
        terminal.err(
          `warning: ${describeProblem(warning)}; the capture does not include OVN: use --ovn-northbound to give its address`,
        );
      }
      if (problems.length === 0) terminal.out(`captured in ${options.out}`);
      process.exitCode = problems.length === 0 ? 0 : 1;
    });
}
