/**
 * Where the objects of a cluster come from: its API server, or a folder of files that serves as one.
 */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Command, Option } from 'commander';
import type { Container } from 'inversify';
import type { KindKey } from '../../domain/api/kinds.ts';
import type { ClusterSettings } from '../../domain/snapshot/settings.ts';
import { describeProblem, type InputProblem, type Reading } from '../../ports/input-problem.ts';
import { withGracePeriod } from '../../control/grace-period.ts';
import { type AgentStore, type ClusterApi, type KubeconfigChoice, ports } from '../ports/container.ts';
import { duration, millisecondsOf } from './duration.ts';
import type { ResourceStore } from '../../ports/cluster/resource-store.ts';
import type { RunSettings } from './settings.ts';
import type { Terminal } from '../output/terminal.ts';
import { printable } from '../output/text-table.ts';

/** Options for that. */
export interface ClusterApiOptions {
  readonly manifests?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  /** As `10s`; absent in commands that wait for as long as it takes. */
  readonly requestTimeout?: string;
}

/** Adds the options of an API server. */
export function withApiServerOptions(command: Command): Command {
  return command
    .option('--kubeconfig <file>', 'kubeconfig file with the API server of the cluster')
    .option('--context <name>', 'context of the kubeconfig file (default: its current context)');
}

/** Adds the option of commands that people wait for. */
export function withRequestTimeout(command: Command): Command {
  return command.addOption(
    new Option('--request-timeout <duration>', 'how long the API server may take to answer a request; 0s for any time')
      .argParser(duration)
      .default('10s'),
  );
}

/** Milliseconds after which a person is told whom a command waits for. */
const PATIENCE = 2000;

/** Returns what waits for answers of an API server, and says so once where one takes long. */
export function waitingFor(server: string, terminal: Terminal): <Value>(answer: Promise<Value>) => Promise<Value> {
  let isSaid = false;
  const say = () => {
    if (!isSaid) terminal.err(`waiting for ${printable(server)} …`);
    isSaid = true;
  };
  return async (answer) => {
    const notice = setTimeout(say, PATIENCE);
    try {
      return await answer;
    } finally {
      clearTimeout(notice);
    }
  };
}

/** Waits for an API server, and says so where that takes long. */
export async function answerOf<Value>(server: string, answer: Promise<Value>, terminal: Terminal): Promise<Value> {
  return await waitingFor(server, terminal)(answer);
}

/** The kubeconfig files that kubectl would use (Kubernetes documentation, "Organizing Cluster Access Using kubeconfig Files"); absent where there is none. */
function usualKubeconfig(): readonly string[] | undefined {
  const { KUBECONFIG = '' } = process.env;
  const named = KUBECONFIG.split(delimiter).filter((file) => file !== '');
  const files = (named.length > 0 ? named : [join(homedir(), '.kube', 'config')]).filter((file) => existsSync(file));
  return files.length > 0 ? files : undefined;
}

/** Whether an API server is named by options. */
export function namesApiServer({ kubeconfig, context }: ClusterApiOptions): boolean {
  return kubeconfig !== undefined || context !== undefined;
}

/** Whether this is a container in a pod: the kubelet sets the address of the API server. */
export function isPod(): boolean {
  return process.env['KUBERNETES_SERVICE_HOST'] !== undefined;
}

/** The kubeconfig that options name. A context alone is one of the file that kubectl would use. */
export function kubeconfigChoice({ kubeconfig, context, requestTimeout }: ClusterApiOptions): KubeconfigChoice {
  const files = kubeconfig === undefined ? context && usualKubeconfig() : [kubeconfig];
  return {
    ...(files && { files }),
    ...(context !== undefined && { context }),
    ...(requestTimeout !== undefined && { requestTimeout: millisecondsOf(requestTimeout) }),
  };
}

/** The API server of a command: the one that options name, else the one of the pod it runs in, else the one that kubectl would use. Absent without any, or with objects from elsewhere. */
export function apiServerOf(
  options: ClusterApiOptions & { readonly cluster?: readonly string[] },
): KubeconfigChoice | undefined {
  if (options.manifests !== undefined || (options.cluster ?? []).length > 0) return undefined;
  if (namesApiServer(options) || isPod()) return kubeconfigChoice(options);
  const files = usualKubeconfig();
  return files && { ...kubeconfigChoice(options), files };
}

/** Where an API server is named, for a person. */
export function placeOf({ files }: KubeconfigChoice): string {
  return files?.join(delimiter) ?? 'the cluster';
}

/** Prints why there is no API server to use. */
function printProblems(problems: readonly InputProblem[], options: ClusterApiOptions, terminal: Terminal): void {
  for (const problem of problems) terminal.err(`error: ${printable(describeProblem(problem))}`);
  if (!namesApiServer(options)) {
    terminal.err('error: expected --manifests DIR with the objects of the cluster, or --kubeconfig FILE');
  }
}

/** The value that was read, or nothing, with the problems printed. */
function valueOf<Value>(reading: Reading<Value>, options: ClusterApiOptions, terminal: Terminal): Value | undefined {
  if (reading.read) return reading.value;
  printProblems(reading.problems, options, terminal);
  return undefined;
}

/** Whether options name one source at most; prints what is wrong with them. */
function areConsistent(options: ClusterApiOptions, terminal: Terminal): boolean {
  const isConflict = options.manifests !== undefined && namesApiServer(options);
  if (isConflict) terminal.err('error: --manifests and --kubeconfig or --context: expected one of them');
  return !isConflict;
}

/** The kinds that say where a network has pods: they are read only with --dynamic-udn, or for networks that are provided. */
function unreadKinds({ dynamicNetworks, providedNetworks }: ClusterSettings): readonly KindKey[] {
  return dynamicNetworks || providedNetworks !== 'none' ? [] : ['namespaces', 'pods'];
}

/** Options of the reading for provided networks. */
function provisionReading({ providedNetworks, namespace }: ClusterSettings) {
  return providedNetworks === 'none' ? {} : { claimsNamespace: namespace };
}

/** A store by which networks stay on nodes for a time after their last pods, where they are there for pods only. */
export function withFormerActivity(store: ResourceStore, { settings, gracePeriod }: RunSettings): ResourceStore {
  return settings.dynamicNetworks ? withGracePeriod(store, gracePeriod) : store;
}

/** The store of a node agent: a folder or an API server, by default that of the cluster which it is a pod of. Prints why there is none. */
export async function nodeStore(
  options: ClusterApiOptions,
  { node, settings }: { readonly node: string; readonly settings: ClusterSettings },
  container: Container,
  terminal: Terminal,
): Promise<AgentStore | undefined> {
  if (!areConsistent(options, terminal)) return undefined;
  if (options.manifests !== undefined) return container.get(ports.resourceStore)(options.manifests);
  const scope = {
    fieldManager: 'ovn-uplinks-node',
    node,
    unread: unreadKinds(settings),
    ...provisionReading(settings),
    hasAllPods: settings.dynamicNetworks && settings.providedNetworks !== 'none',
  } as const;
  return valueOf(await container.get(ports.kubernetesStore)(kubeconfigChoice(options), scope), options, terminal);
}

/** The API of the cluster manager, which alone leads where the objects are in a folder. Prints why there is none. */
export async function clusterApi(
  options: ClusterApiOptions,
  settings: ClusterSettings,
  container: Container,
  terminal: Terminal,
): Promise<(Omit<ClusterApi, 'leadership'> & Partial<ClusterApi>) | undefined> {
  if (!areConsistent(options, terminal)) return undefined;
  if (options.manifests === undefined)
    return valueOf(
      await container.get(ports.clusterApi)(kubeconfigChoice(options), {
        unread: unreadKinds(settings),
        ...provisionReading(settings),
      }),
      options,
      terminal,
    );
  const { providedNetworks } = settings;
  if (providedNetworks !== 'none') {
    terminal.err(
      `error: --networks ${providedNetworks}: networks are provided only in a cluster with an API server; expected none with --manifests`,
    );
    return undefined;
  }
  const store = container.get(ports.resourceStore)(options.manifests);
  return { store, record: () => undefined, close: () => store.close() };
}
