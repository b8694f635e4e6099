import { hostname } from 'node:os';
import type { Command } from 'commander';
import type { Container } from 'inversify';
import { HttpHealthChecks } from '../../adapters/http/health-check-servers.ts';
import { removeControllerSettings } from '../../adapters/open-vswitch/controller-settings.ts';
import { unixServer } from '../../adapters/ovsdb/server.ts';
import { logAdmissionReport } from '../../adapters/pino/log-admission-report.ts';
import { logNodeReport } from '../../adapters/pino/log-node-report.ts';
import { logPodReport } from '../../adapters/pino/log-pod-report.ts';
import { logServiceReport } from '../../adapters/pino/log-service-report.ts';
import { NodeMetrics } from '../../adapters/prometheus/node-metrics.ts';
import { ControllerAdmission } from '../../control/node/controller-admission.ts';
import { NodeLoop } from '../../control/node/node-loop.ts';
import { observe } from '../../control/node/observation/observe.ts';
import type { NodePorts } from '../../control/node/ports.ts';
import { NoResources } from '../../control/no-resources.ts';
import type { ControllerAccess } from '../../ports/cluster/controller-access.ts';
import { describeProblem } from '../../ports/input-problem.ts';
import type { PodReport } from '../../ports/pods/pod-report.ts';
import { afterDetaching, beforeSettings, withoutServices } from '../../control/cleanup.ts';
import { type ClusterApiOptions, nodeStore, withApiServerOptions, withFormerActivity } from '../input/cluster-api.ts';
import { type AgentStore, ports } from '../ports/container.ts';
import { CNI_SOCKET, DATABASE_SOCKET, NETWORK_SETTINGS } from '../input/node-options.ts';
import { type OperationsOptions, runMonitored, withOperationsOptions } from '../run/operations.ts';
import { PodService } from '../../control/pods/pod-service.ts';
import { ServiceLoop } from '../../control/services/service-loop.ts';
import type { LoadBalancers } from '../../ports/node/load-balancers.ts';
import type { ServiceFlows } from '../../ports/node/service-flows.ts';
import type { ServiceConnections } from '../../ports/node/service-connections.ts';
import type { ServiceReport } from '../../ports/services/service-report.ts';
import type { PodDatabases } from '../../control/pods/pod-ports.ts';
import { serveRuntimes } from '../run/serve-runtimes.ts';
import { runWithSettings } from '../run/run.ts';
import { type RunSettings, serversOf, withCommonOptions, withFormerNamespace } from '../input/settings.ts';
import { showPlan } from './show-plan.ts';
import { helpText } from '../output/help-text.ts';
import type { Terminal } from '../output/terminal.ts';
import { printable } from '../output/text-table.ts';

/** Default port of probes and metrics. */
const PORT = 9477;

interface NodeOptions extends OperationsOptions, ClusterApiOptions {
  readonly node: string;
  readonly cleanup?: true;
  readonly ovsdb: string;
  readonly networkSettings: string;
  readonly cniSocket: string;
  readonly dryRun?: true;
  readonly admitController?: string;
}

/** Whether the databases are given that --networks requires. Prints an error if not. */
function hasDatabases({ ovn, settings }: RunSettings, terminal: Terminal): boolean {
  const { providedNetworks } = settings;
  if (providedNetworks === 'none' || ovn?.southbound !== undefined) return true;
  const option = ovn === undefined ? '--ovn-northbound' : '--ovn-southbound';
  terminal.err(
    `error: ${option} none: --networks ${providedNetworks} programs OVN; expected the address of the database, or --networks none`,
  );
  return false;
}

/** The databases by which pods and Services are in networks. */
interface NetworkDatabases {
  readonly pods: PodDatabases;
  readonly loadBalancers: LoadBalancers;
  readonly connections: ServiceConnections;
  readonly flows: ServiceFlows;
}

/** The loops beside that of a node which provides networks. */
interface NetworkLoops {
  readonly podService: PodService;
  readonly serviceLoop: ServiceLoop;
}

/** Everything that a node is reconciled by. */
interface Reconciliation {
  readonly nodePorts: NodePorts;
  /** Absent where no networks are provided, and where everything is removed. */
  readonly loops: NetworkLoops | undefined;
  /** Absent where no OVN is programmed. */
  readonly databases: NetworkDatabases | undefined;
  /** Absent where ovn-controller has access to the Southbound database without this agent. */
  readonly controllerAccess: ControllerAccess | undefined;
}

function reconcileNode(
  options: NodeOptions,
  { settings }: RunSettings,
  { nodePorts, loops, databases, controllerAccess }: Reconciliation,
  terminal: Terminal,
): Promise<number> {
  const { node, manifests, cleanup = false, once = cleanup } = options;
  const metrics = new NodeMetrics();
  return runMonitored(options, { metrics, port: once ? undefined : PORT }, terminal, (log, health) => {
    log.info(
      { node, manifests },
      cleanup ? 'removing all configuration of this agent from the node' : 'reconciling the node',
    );
    const admission =
      controllerAccess &&
      new ControllerAdmission(controllerAccess, (report) => {
        logAdmissionReport(log, report);
      });
    const loop = new NodeLoop(node, nodePorts, { settings, once }, (report) => {
      logNodeReport(log, report);
      metrics.count(report);
      health.take(report);
      loops?.serviceLoop.take(report);
      admission?.take(report);
    });
    const podReport = (report: PodReport): void => {
      logPodReport(log, report);
      metrics.pods.count(report);
    };
    const failed = (error: string) => terminal.err(`error: ${printable(error)}`);
    const serviceReport = (report: ServiceReport): void => {
      logServiceReport(log, report);
      metrics.services.count(report);
    };
    if (!cleanup) {
      if (loops === undefined) return loop;
      return loops.podService.runWith(loops.serviceLoop.runWith(loop, serviceReport), podReport, failed);
    }
    const detaching =
      databases === undefined
        ? loop
        : afterDetaching(withoutServices(loop, databases, failed), databases.pods, podReport);
    const remove = () => removeControllerSettings(unixServer(options.ovsdb, 'Open vSwitch'));
    return beforeSettings(detaching, remove, failed);
  });
}

/** Prints the plan; changes nothing. */
async function showNode(
  { node }: NodeOptions,
  settings: RunSettings,
  nodePorts: NodePorts,
  terminal: Terminal,
): Promise<number> {
  const observation = await observe(nodePorts, node);
  if (!observation.read) {
    for (const problem of observation.problems) terminal.err(`error: ${printable(describeProblem(problem))}`);
    return 1;
  }
  const { cluster, warnings, node: snapshot } = observation.value;
  const origins = new Map<string, string>();
  const inputs = { cluster, nodes: [snapshot], folders: new Map(), origins, warnings };
  showPlan(inputs, settings, { node: [node], isWanted: () => true, commands: true }, terminal);
  return 0;
}

/** The databases of networks, where these are provided, or everything is removed. */
function databasesOfNetworks(
  { cleanup, dryRun, once, ovsdb }: NodeOptions,
  { ovn, settings }: RunSettings,
  { switchDatabase, datapath }: Pick<NodePorts, 'switchDatabase' | 'datapath'>,
  container: Container,
): NetworkDatabases | undefined {
  const isServed = settings.providedNetworks !== 'none' && once !== true;
  const isUsed = dryRun !== true && (cleanup === true || isServed);
  const flows = datapath?.serviceFlows;
  if (!isUsed || ovn === undefined || flows === undefined) return undefined;
  const { northbound } = ovn;
  return {
    pods: container.get(ports.podDatabases)(ovsdb, northbound),
    loadBalancers: container.get(ports.loadBalancers)(northbound),
    connections: container.get(ports.serviceConnections)(ovsdb, switchDatabase),
    flows,
  };
}

function accessOfController(
  { admitController, ovsdb }: NodeOptions,
  settings: RunSettings,
  container: Container,
): ControllerAccess | undefined {
  const southbound = serversOf(settings)?.southbound;
  if (admitController === undefined || southbound === undefined) return undefined;
  return container.get(ports.controllerAccess)(southbound, ovsdb, admitController);
}

/** The loops of networks: runtimes may use that of pods as long as the agent runs. */
function loopsOfNetworks(
  { cleanup, node, cniSocket }: NodeOptions,
  { settings }: RunSettings,
  store: AgentStore,
  databases: NetworkDatabases | undefined,
): NetworkLoops | undefined {
  const { podAnnotations: annotations } = store;
  if (cleanup === true || databases === undefined || annotations === undefined) return undefined;
  const services = store.clusterServices?.(settings);
  const warnings = store.objectWarnings?.(node);
  const objects = store.servedObjects?.();
  if (services === undefined || warnings === undefined || objects === undefined) return undefined;
  const { pods, loadBalancers, connections, flows } = databases;
  const serve = serveRuntimes(cniSocket);
  const podService = new PodService(node, settings, { databases: pods, store, annotations, services, warnings, serve });
  const healthCheckServers = new HttpHealthChecks();
  const servicePorts = { store: podService.store, objects, loadBalancers, connections, flows, healthCheckServers };
  const serviceLoop = new ServiceLoop(node, settings, servicePorts);
  return { podService, serviceLoop };
}

/** The ports to node and cluster, which are read for the loops of networks too. */
function portsOf(
  liveNode: Omit<NodePorts, 'resourceStore'>,
  store: AgentStore,
  loops: NetworkLoops | undefined,
  settings: RunSettings,
): NodePorts {
  const resourceStore = withFormerActivity(loops?.serviceLoop.store ?? store, settings);
  const hostNetwork = loops?.podService.observed(liveNode.hostNetwork) ?? liveNode.hostNetwork;
  return { ...liveNode, hostNetwork, resourceStore };
}

async function runNode(
  options: NodeOptions,
  settings: RunSettings,
  container: Container,
  terminal: Terminal,
): Promise<number> {
  const { node, cleanup = false, ovsdb, networkSettings } = options;
  if (!hasDatabases(settings, terminal)) return 1;
  // A dry run needs no lock.
  const lock = options.dryRun === true ? undefined : await container.get(ports.nodeLock).acquire();
  if (lock?.locked === false) {
    terminal.err(
      `error: ${printable(lock.holder)} runs on this node already, and two would undo each other's work: stop that one first`,
    );
    return 1;
  }
  // Without objects, all managed configuration is obsolete.
  const store: AgentStore | undefined = cleanup
    ? new NoResources(node)
    : await nodeStore(options, { node, settings: settings.settings }, container, terminal);
  if (store === undefined) {
    lock?.release();
    return 1;
  }
  const liveNode = container.get(ports.liveNode)(ovsdb, cleanup ? settings.ovn : serversOf(settings), networkSettings);
  const databases = databasesOfNetworks(options, settings, liveNode, container);
  const controllerAccess = accessOfController(options, settings, container);
  const loops = loopsOfNetworks(options, settings, store, databases);
  const nodePorts = portsOf(liveNode, store, loops, settings);
  try {
    return options.dryRun === true
      ? await showNode(options, settings, nodePorts, terminal)
      : await reconcileNode(options, settings, { nodePorts, loops, databases, controllerAccess }, terminal);
  } finally {
    databases?.pods.close();
    databases?.loadBalancers.close();
    const { hostNetwork, switchDatabase, kernelSettings, datapath, resourceStore } = nodePorts;
    const { flowTables, northbound, southbound, packetFilters } = datapath ?? {};
    const ofDatapath = [flowTables, northbound, southbound, packetFilters];
    const observed = [hostNetwork, switchDatabase, kernelSettings, resourceStore, ...ofDatapath];
    await Promise.all(observed.flatMap((each) => each?.close() ?? []));
    lock?.release();
  }
}

/** Adds the command `node`. */
export function addNode(program: Command, container: Container, terminal: Terminal): void {
  const command = program
    .command('node')
    .description(
      'Reconciles this node with the objects of the cluster: observes, plans, applies and reports, until it is stopped.',
    )
    .optionsGroup('Input and mode:')
    .option('--node <name>', 'name of the Node object of this node', hostname().toLowerCase())
    .option('--manifests <dir>', 'folder with the objects of the cluster; status is written to its subfolder status');
  withApiServerOptions(command)
    .option('--once', 'exit as soon as nothing more can be done')
    .option('--dry-run', 'print the planned changes and exit; with --cleanup, what would be removed')
    .option('--cleanup', 'remove all configuration of this agent from the node, whatever the objects say, and exit')
    .option('--ovsdb <socket>', 'socket of Open vSwitch’s database', DATABASE_SOCKET)
    .option('--cni-socket <path>', 'socket of the CNI plugin, where networks are provided', CNI_SOCKET)
    .option('--network-settings <dir>', 'folder of the kernel’s network settings, writable', NETWORK_SETTINGS)
    .option(
      '--admit-controller <address>',
      'where the Southbound database is to listen for ovn-controller, once everything is in it: with ovn-uplinks ovn-databases, punix:/run/ovn/ovnsb_db.sock',
    )
    .addHelpText(
      'after',
      helpText(`
Examples:
  ovn-uplinks node --node worker-a
  ovn-uplinks node --node worker-a --kubeconfig /etc/kubernetes/ovn-uplinks.conf
  ovn-uplinks node --manifests /etc/ovn-uplinks
  ovn-uplinks node --manifests /etc/ovn-uplinks --dry-run
  ovn-uplinks node --manifests /etc/ovn-uplinks --once
  ovn-uplinks node --cleanup

By default the objects are those of the cluster which it is a pod of. Requires root and the programs of iproute2. Ends on SIGTERM after the current operation, and leaves the node programmed.
Exit status: 0 ended as requested, 1 something failed or could not be read.`),
    );
  withFormerNamespace(withCommonOptions(withOperationsOptions(command, PORT, '--once or --cleanup'))).action(
    async () => {
      await runWithSettings(command, terminal, (run) => runNode(command.opts<NodeOptions>(), run, container, terminal));
    },
  );
}
