/**
 * The command `ovn-uplinks` with its subcommands.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { addCapture } from './capture.ts';
import { machineContainer } from './container.ts';
import { addClusterManager } from './cluster-manager.ts';
import { addCrds } from './crds.ts';
import { addExplain } from './explain.ts';
import { addFlows } from './flows.ts';
import { addInstallCniPlugin } from './install-cni-plugin.ts';
import { addNode } from './node.ts';
import { addOvnController } from './ovn-controller.ts';
import { addOvnDatabases } from './ovn-databases.ts';
import { addPlan } from './plan.ts';
import { processTerminal } from './terminal.ts';
import { addTrace } from './trace.ts';
import { addValidate } from './validate.ts';

// A reader such as head(1) may close the pipe early: not a failure, but no result for --exit-code either.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') process.exit(1);
});

const { version } = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../package.json'), 'utf8')) as {
  readonly version: string;
};
const terminal = processTerminal();
const container = machineContainer();
const program = new Command('ovn-uplinks')
  .description('Gives each tenant network of an OVN-Kubernetes cluster its own uplink.')
  .version(version, '-V, --version', 'print the version')
  .showHelpAfterError('(see --help)');
addPlan(program, container, terminal);
addExplain(program, container, terminal);
addFlows(program, container, terminal);
addTrace(program, container, terminal);
addValidate(program, container, terminal);
addNode(program, container, terminal);
addClusterManager(program, container, terminal);
addCapture(program, container, terminal);
addCrds(program, terminal);
addInstallCniPlugin(program, terminal);
addOvnDatabases(program, container, terminal);
addOvnController(program, terminal);
await program.parseAsync();
