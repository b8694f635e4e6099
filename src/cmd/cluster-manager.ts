import type { Command } from 'commander';
import type { Container } from 'inversify';
import { logClusterReport } from '../adapters/pino/log-cluster-report.ts';
import { ClusterMetrics } from '../adapters/prometheus/cluster-metrics.ts';
import { ClusterLoop } from '../control/cluster/cluster-loop.ts';
import { type ClusterApiOptions, resourceStore, withApiServerOptions } from './cluster-api.ts';
import { type OperationsOptions, runMonitored, withOperationsOptions } from './operations.ts';
import { runWithSettings } from './run.ts';
import { type RunSettings, withCommonOptions } from './settings.ts';
import type { Terminal } from './terminal.ts';

/** Default port of probes and metrics; node agents use another one. */
const PORT = 9478;

type ClusterManagerOptions = OperationsOptions & ClusterApiOptions;

async function runClusterManager(
  options: ClusterManagerOptions,
  { settings }: RunSettings,
  container: Container,
  terminal: Terminal,
): Promise<number> {
  const once = options.once === true;
  const metrics = new ClusterMetrics();
  const store = await resourceStore(options, { fieldManager: 'ovn-uplinks-cluster-manager' }, container, terminal);
  if (store === undefined) return 1;
  try {
    return await runMonitored(options, { metrics, port: once ? undefined : PORT }, terminal, (log, health) => {
      log.info({ manifests: options.manifests }, 'reporting conditions of Uplinks and networks');
      return new ClusterLoop(store, { settings, once }, (report) => {
        logClusterReport(log, report);
        metrics.count(report);
        health.take(report);
      });
    });
  } finally {
    await store.close();
  }
}

/** Adds the command `cluster-manager`. */
export function addClusterManager(program: Command, container: Container, terminal: Terminal): void {
  const command = program
    .command('cluster-manager')
    .description('Sets the conditions of Uplinks and networks from the UplinkStates of the nodes.')
    .optionsGroup('Input and mode:')
    .option('--manifests <dir>', 'folder with the objects of the cluster; status is written to its subfolder status');
  withApiServerOptions(command)
    .option('--once', 'exit as soon as everything is written')
    .addHelpText(
      'after',
      `
Examples:
  ovn-uplinks cluster-manager
  ovn-uplinks cluster-manager --kubeconfig ~/.kube/config
  ovn-uplinks cluster-manager --manifests /etc/ovn-uplinks

By default the objects are those of the cluster which it is a pod of. Run one per cluster. Exit status: 0 ended as requested, 1 something could not be read or written.`,
    );
  withCommonOptions(withOperationsOptions(command, PORT, '--once')).action(async () => {
    await runWithSettings(command, terminal, (run) =>
      runClusterManager(command.opts<ClusterManagerOptions>(), run, container, terminal),
    );
  });
}
