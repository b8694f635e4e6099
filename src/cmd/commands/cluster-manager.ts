import type { Command } from 'commander';
import type { Container } from 'inversify';
import { logClusterReport } from '../../adapters/pino/log-cluster-report.ts';
import { ClusterMetrics } from '../../adapters/prometheus/cluster-metrics.ts';
import { ClusterLoop } from '../../control/cluster/cluster-loop.ts';
import { LeadingLoop, writtenByLeader } from '../../control/cluster/leading.ts';
import type { ClusterReport } from '../../ports/cluster/cluster-report.ts';
import { clusterApi, type ClusterApiOptions, withApiServerOptions, withFormerActivity } from '../input/cluster-api.ts';
import { type OperationsOptions, runMonitored, withOperationsOptions } from '../run/operations.ts';
import { runWithSettings } from '../run/run.ts';
import { type RunSettings, withCommonOptions, withFormerNamespace } from '../input/settings.ts';
import { helpText } from '../output/help-text.ts';
import type { Terminal } from '../output/terminal.ts';

/** Default port of probes and metrics; node agents use another one. */
const PORT = 9478;

type ClusterManagerOptions = OperationsOptions & ClusterApiOptions;

async function runClusterManager(
  options: ClusterManagerOptions,
  run: RunSettings,
  container: Container,
  terminal: Terminal,
): Promise<number> {
  const { settings } = run;
  const once = options.once === true;
  const metrics = new ClusterMetrics();
  const api = await clusterApi(options, settings, container, terminal);
  if (api === undefined) return 1;
  // A single pass does not wait for another process to end.
  const leadership = once ? undefined : api.leadership;
  const objects = withFormerActivity(api.store, run);
  const store = leadership === undefined ? objects : writtenByLeader(objects, leadership);
  try {
    return await runMonitored(options, { metrics, port: once ? undefined : PORT }, terminal, (log, health) => {
      log.info({ manifests: options.manifests }, 'reporting conditions of Uplinks and networks');
      const report = (each: ClusterReport) => {
        logClusterReport(log, each);
        metrics.count(each);
        health.take(each);
        api.record(each);
      };
      const loop = new ClusterLoop(store, { settings, once }, report);
      return leadership === undefined ? loop : new LeadingLoop(loop, leadership, report);
    });
  } finally {
    await store.close();
    await api.close();
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
      helpText(`
Examples:
  ovn-uplinks cluster-manager
  ovn-uplinks cluster-manager --kubeconfig ~/.kube/config
  ovn-uplinks cluster-manager --manifests /etc/ovn-uplinks

By default the objects are those of the cluster which it is a pod of. Of several on one API server one leads, and the others wait; run one on a folder. Exit status: 0 ended as requested, 1 something could not be read or written.`),
    );
  withFormerNamespace(withCommonOptions(withOperationsOptions(command, PORT, '--once'))).action(async () => {
    await runWithSettings(command, terminal, (run) =>
      runClusterManager(command.opts<ClusterManagerOptions>(), run, container, terminal),
    );
  });
}
