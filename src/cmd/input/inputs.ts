/**
 * The input of `plan` and `explain`: cluster objects and captured nodes.
 */
import { unsupportedPart } from '../../domain/network/unsupported.ts';
import type { Container } from 'inversify';
import { ID_CLAIMS_NAME } from '../../domain/basics/conventions.ts';
import { unknownObjectSentence } from '../../domain/explanation/unknown-object.ts';
import type { ClusterSnapshot, NodeSnapshot } from '../../domain/index.ts';
import type { ClusterReading } from '../../ports/cluster/cluster-source.ts';
import { describeProblem, inFile, type InputProblem, type Reading } from '../../ports/input-problem.ts';
import { networksIn } from '../../domain/plan/view/provided-networks.ts';
import type { EgressSetting, ProvidedNetworks } from '../../domain/snapshot/settings.ts';
import { answerOf, type ClusterApiOptions, apiServerOf, namesApiServer, placeOf } from './cluster-api.ts';
import { ports } from '../ports/container.ts';
import type { ResourceStore } from '../../ports/cluster/resource-store.ts';
import { progressBar } from '../output/progress.ts';
import type { Terminal } from '../output/terminal.ts';

/** Input options as commander gives them. */
export interface InputOptions extends ClusterApiOptions {
  readonly cluster?: readonly string[];
  readonly host?: readonly string[];
  readonly networks: ProvidedNetworks;
  readonly egress: EgressSetting;
  /** Namespace of the claims of ids. */
  readonly systemNamespace: string;
  /** Namespace of pods and UserDefinedNetworks that are named without one. */
  readonly namespace?: string;
}

/** The input. */
export interface Inputs {
  readonly cluster: ClusterSnapshot;
  readonly nodes: readonly NodeSnapshot[];
  /** The folder of each captured node, by its name. */
  readonly folders: ReadonlyMap<string, string>;
  /** The file of each object, by `Kind/name` or `Kind/namespace/name`. */
  readonly origins: ReadonlyMap<string, string>;
  readonly warnings: readonly InputProblem[];
}

/** A parsed `--host` value, or why it is invalid. */
function captureOf(text: string): { readonly node: string; readonly folder: string } | InputProblem {
  const at = text.indexOf('=');
  if (at > 0 && at < text.length - 1) return { node: text.slice(0, at), folder: text.slice(at + 1) };
  return {
    origin: inFile(`--host ${text}`),
    message: 'expected NODE=DIR: the name of a node, and the folder of its capture',
  };
}

function duplicates(nodes: readonly string[]): readonly InputProblem[] {
  const twice = new Set(nodes.filter((node, index) => nodes.indexOf(node) !== index));
  return [...twice].map((node) => ({
    origin: inFile(`--host ${node}=…`),
    message: 'given twice; expected one capture per node',
  }));
}

function unknownNodes(cluster: ClusterSnapshot, folders: ReadonlyMap<string, string>): readonly InputProblem[] {
  const known = new Set(cluster.nodes.map(({ metadata }) => metadata.name));
  return [...folders]
    .filter(([node]) => !known.has(node))
    .map(([node, folder]) => ({
      origin: inFile(`--host ${node}=${folder}`),
      message: unknownObjectSentence('Node', node, [...known]),
    }));
}

/** Warns where ids of networks are missing: of those with uplinks that another implementation provides, or of those that ovn-uplinks provides. */
function absentIds(cluster: ClusterSnapshot, options: InputOptions): readonly string[] {
  const { networks, egress, systemNamespace } = options;
  const { networkAttachmentDefinitions, configMaps } = cluster;
  if (networks === 'none') {
    if (!hasUplinks(cluster, options) || networkAttachmentDefinitions.length > 0) return [];
    return [
      'has no NetworkAttachmentDefinition, so no network counts as allocated; "kubectl get network-attachment-definitions -A -o yaml" prints them',
    ];
  }
  const provided = networksIn(cluster, { providedNetworks: networks, egress });
  const needsId = provided.some((network) => network.providedBy === 'us' && unsupportedPart(network) === undefined);
  const hasClaims = configMaps.some(
    ({ metadata: { namespace, name } }) => namespace === systemNamespace && name === ID_CLAIMS_NAME,
  );
  if (!needsId || hasClaims) return [];
  return [
    `has no ConfigMap ${ID_CLAIMS_NAME}, so no network has an id; "kubectl get configmaps -n ${systemNamespace} -o yaml" prints it`,
  ];
}

function hasUplinks(cluster: ClusterSnapshot, { networks: providedNetworks, egress }: InputOptions): boolean {
  return networksIn(cluster, { providedNetworks, egress }).some(({ uplinks }) => uplinks.length > 0);
}

/** Warns of kinds whose absence affects the plan, as the user may have forgotten to export them. */
function absentKinds(
  cluster: ClusterSnapshot,
  paths: readonly string[],
  options: InputOptions,
): readonly InputProblem[] {
  const { routeAdvertisements, frrConfigurations } = cluster;
  const messages = [
    ...absentIds(cluster, options),
    ...(hasUplinks(cluster, options) && routeAdvertisements.length > 0 && frrConfigurations.length === 0
      ? [
          'has RouteAdvertisements and no FRRConfiguration, without which they have no effect; "kubectl get frrconfigurations -A -o yaml" prints them',
        ]
      : []),
  ];
  return messages.map((message) => ({ origin: inFile(paths.join(', ')), message }));
}

/** The location of the cluster objects of a command, as named in messages, and how they are read. */
interface ObjectSource {
  readonly paths: readonly string[];
  read(): Promise<Reading<ClusterReading>>;
}

/** The objects of a store, at one moment. */
export async function readOnce(store: ResourceStore): Promise<Reading<ClusterReading>> {
  const reading = await store.read();
  await store.close();
  return reading;
}

/** The source of the cluster objects, or that none is given. */
function objectSource(
  options: InputOptions,
  container: Container,
  terminal: Terminal,
): ObjectSource | { readonly problem: string } {
  const { cluster: paths = [], manifests } = options;
  const given = [
    ...(paths.length > 0 ? ['--cluster'] : []),
    ...(manifests === undefined ? [] : ['--manifests']),
    ...(namesApiServer(options) ? ['--kubeconfig or --context'] : []),
  ];
  if (given.length > 1) return { problem: `${given.join(' and ')}: expected one of them` };
  if (manifests !== undefined) {
    return { paths: [manifests], read: () => readOnce(container.get(ports.resourceStore)(manifests)) };
  }
  const choice = apiServerOf(options);
  if (choice !== undefined) {
    const read = async () => {
      const store = await container.get(ports.kubernetesStore)(choice, {
        ...(options.networks !== 'none' && { claimsNamespace: options.systemNamespace }),
      });
      if (!store.read) return store;
      return await answerOf(store.value.url ?? 'the API server', readOnce(store.value), terminal);
    };
    return { paths: [placeOf(choice)], read };
  }
  if (given.length === 0) {
    return {
      problem:
        '--cluster PATH is missing: expected the files or folders with the cluster objects, or - for standard input; --kubeconfig FILE reads those of a cluster, and there is none that kubectl would use',
    };
  }
  const read = async () => {
    const bar = progressBar('reading objects', terminal);
    const reading = await container.get(ports.clusterSource)(paths, bar.update).read();
    bar.end();
    return reading;
  };
  return { paths, read };
}

/** Reads all inputs, or prints every problem on standard error. */
export async function readInputs(
  options: InputOptions,
  container: Container,
  terminal: Terminal,
): Promise<Inputs | undefined> {
  const source = objectSource(options, container, terminal);
  if ('problem' in source) {
    terminal.err(`error: ${source.problem}`);
    return undefined;
  }
  const { paths } = source;
  const captures = (options.host ?? []).map(captureOf);
  const folders = new Map(
    captures.flatMap((capture) => ('node' in capture ? [[capture.node, capture.folder] as const] : [])),
  );
  const clusterReading = await source.read();
  const nodeReadings = await Promise.all(
    [...folders].map(([node, folder]) => container.get(ports.nodeSource)(node, folder).read()),
  );
  const isEmpty =
    clusterReading.read && Object.values(clusterReading.value.snapshot).every((list) => list.length === 0);
  const problems = [
    ...(isEmpty
      ? [
          {
            origin: inFile(paths.join(', ')),
            message:
              'has no object of a kind that is used: expected at least Nodes; did the command that wrote it fail?',
          },
        ]
      : []),
    ...captures.flatMap((capture) => ('node' in capture ? [] : [capture])),
    ...duplicates(captures.flatMap((capture) => ('node' in capture ? [capture.node] : []))),
    ...(clusterReading.read ? unknownNodes(clusterReading.value.snapshot, folders) : clusterReading.problems),
    ...nodeReadings.flatMap((reading) => (reading.read ? [] : reading.problems)),
  ];
  for (const problem of problems) terminal.err(`error: ${describeProblem(problem)}`);
  if (problems.length > 0 || !clusterReading.read) return undefined;
  const { snapshot, origins, warnings } = clusterReading.value;
  return {
    cluster: snapshot,
    nodes: nodeReadings.flatMap((reading) => (reading.read ? [reading.value] : [])),
    folders,
    origins,
    warnings: [...warnings, ...absentKinds(snapshot, paths, options)],
  };
}
