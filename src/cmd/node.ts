import { hostname } from 'node:os';
import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import type { Container } from 'inversify';
import type { Logger } from 'pino';
import { type ListenAddress, serveOperations } from '../adapters/http/operations-server.ts';
import { LOG_LEVELS, logger, type LogLevel, logReport } from '../adapters/pino/log-reports.ts';
import { NodeMetrics } from '../adapters/prometheus/node-metrics.ts';
import { NodeLoop } from '../control/node/node-loop.ts';
import type { NodePorts } from '../control/node/ports.ts';
import { NoResources } from '../control/no-resources.ts';
import type { NodeReport } from '../ports/node-report.ts';
import { ports } from './container.ts';
import { NodeHealth } from './node-health.ts';
import { runWithSettings } from './run.ts';
import { type RunSettings, withCommonOptions } from './settings.ts';
import type { Terminal } from './terminal.ts';

interface NodeOptions {
  readonly node: string;
  readonly manifests?: string;
  readonly once?: true;
  readonly cleanup?: true;
  readonly listen: ListenAddress | 'none';
  readonly ovsdb: string;
  readonly logLevel: LogLevel;
}

function listenAddress(text: string): ListenAddress | 'none' {
  if (text === 'none') return text;
  const [, bracketed, plain, port] = /^(?:\[([0-9a-fA-F:]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || Number(port) > 65_535) {
    throw new InvalidArgumentError('Expected an address and a port, as 127.0.0.1:9477 or [::1]:9477, or none.');
  }
  return { host, port: Number(port) };
}

/** What the loop says goes to the log, into metrics, and decides what probes are told. */
async function withOperations(
  { listen }: NodeOptions,
  log: Logger,
  run: (report: (report: NodeReport) => void) => Promise<number>,
): Promise<number> {
  const metrics = new NodeMetrics();
  const health = new NodeHealth(() => performance.now());
  const report = (event: NodeReport): void => {
    logReport(log, event);
    metrics.count(event);
    health.take(event);
  };
  if (listen === 'none') return await run(report);
  const { server, address } = await serveOperations(listen, {
    healthz: () => health.healthz(),
    readyz: () => health.readyz(),
    metrics: () => metrics.text(),
  });
  log.info({ address: address.address, port: address.port }, 'serving /healthz, /readyz and /metrics');
  try {
    return await run(report);
  } finally {
    server.close();
  }
}

async function keepNode(
  options: NodeOptions,
  { settings }: RunSettings,
  nodePorts: NodePorts,
  log: Logger,
): Promise<number> {
  return await withOperations(options, log, async (report) => {
    const once = options.once === true || options.cleanup === true;
    const loop = new NodeLoop(options.node, nodePorts, { settings, once }, report);
    const stop = (signal: string) => {
      log.info({ signal }, 'ending; what is there on the node stays');
      loop.stop();
    };
    process.once('SIGTERM', stop);
    process.once('SIGINT', stop);
    log.info({ node: options.node, manifests: options.manifests }, 'keeping the node as its plan says');
    return (await loop.run()) ? 0 : 1;
  });
}

async function runNode(
  options: NodeOptions,
  settings: RunSettings,
  container: Container,
  terminal: Terminal,
): Promise<number> {
  if (options.manifests === undefined && options.cleanup !== true) {
    terminal.err('error: --manifests DIR is missing: expected the folder whose files are the cluster’s objects');
    return 1;
  }
  const lock = await container.get(ports.nodeLock).acquire();
  if (!lock.locked) {
    terminal.err(
      `error: ${lock.holder} runs on this node already, and two would undo each other's work: stop that one first`,
    );
    return 1;
  }
  const live = container.get(ports.liveNode)(options.ovsdb);
  // Without any object nothing of ours has a reason to be on the node.
  const resourceStore =
    options.manifests === undefined || options.cleanup === true
      ? new NoResources()
      : container.get(ports.resourceStore)(options.manifests);
  const nodePorts: NodePorts = { ...live, resourceStore };
  try {
    return await keepNode(options, settings, nodePorts, logger(options.logLevel));
  } finally {
    const { hostNetwork, switchDatabase } = nodePorts;
    await Promise.all([hostNetwork.close(), switchDatabase.close(), resourceStore.close()]);
    lock.release();
  }
}

/** Adds the command `node`. */
export function addNode(program: Command, container: Container, terminal: Terminal): void {
  const command = program
    .command('node')
    .description('Keeps the node that it runs on as its plan says: finds out, decides, does, reports, and looks again.')
    .optionsGroup('What is kept:')
    .option('--node <name>', 'name of the Node object of this node', hostname().toLowerCase())
    .option('--manifests <dir>', 'folder whose files are the cluster’s objects; status is kept in its folder status')
    .option('--once', 'end as soon as everything is done that can be done')
    .option('--cleanup', 'take everything of ours off the node, whatever the objects say, and end')
    .optionsGroup('Operations:')
    .addOption(
      new Option('--listen <address>', 'where /healthz, /readyz and /metrics are served, or none')
        .argParser(listenAddress)
        .default({ host: '127.0.0.1', port: 9477 }, '127.0.0.1:9477'),
    )
    .option('--ovsdb <socket>', 'socket of Open vSwitch’s database', '/var/run/openvswitch/db.sock')
    .addOption(
      new Option('--log-level <level>', 'what is logged on standard error').choices(LOG_LEVELS).default('info'),
    )
    .addHelpText(
      'after',
      `
Examples:
  ovn-uplinks node --manifests /etc/ovn-uplinks
  ovn-uplinks node --manifests /etc/ovn-uplinks --once
  ovn-uplinks node --cleanup

It needs root, and the programs of iproute2. It ends on SIGTERM after the operation at hand, and leaves what it has made.
Exit status: 0 ended as asked, 1 something failed or is in the way.`,
    );
  withCommonOptions(command).action(async () => {
    await runWithSettings(command, terminal, (run) => runNode(command.opts<NodeOptions>(), run, container, terminal));
  });
}
