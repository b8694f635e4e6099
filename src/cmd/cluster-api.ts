/**
 * Where the objects of a cluster come from: its API server, or a folder of files that serves as one.
 */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Container } from 'inversify';
import type { Reading } from '../ports/input-problem.ts';
import { describeProblem } from '../ports/input-problem.ts';
import type { ResourceStore } from '../ports/resource-store.ts';
import { type KubeconfigChoice, type KubernetesScope, ports } from './container.ts';
import type { Terminal } from './terminal.ts';
import { printable } from './text-table.ts';

/** Options for that. */
export interface ClusterApiOptions {
  readonly manifests?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** Adds the options of an API server. */
export function withApiServerOptions(command: Command): Command {
  return command
    .option('--kubeconfig <file>', 'kubeconfig file with the API server of the cluster')
    .option('--context <name>', 'context of the kubeconfig file (default: its current context)');
}

/** The kubeconfig file that kubectl would use; absent where there is none. */
function usualKubeconfig(): string | undefined {
  const { KUBECONFIG } = process.env;
  const file = KUBECONFIG === undefined || KUBECONFIG === '' ? join(homedir(), '.kube', 'config') : KUBECONFIG;
  return existsSync(file) ? file : undefined;
}

/** Whether an API server is named by options. */
export function namesApiServer({ kubeconfig, context }: ClusterApiOptions): boolean {
  return kubeconfig !== undefined || context !== undefined;
}

/** The kubeconfig that options name. A context alone is one of the file that kubectl would use. */
export function kubeconfigChoice({ kubeconfig, context }: ClusterApiOptions): KubeconfigChoice {
  const file = kubeconfig ?? (context === undefined ? undefined : usualKubeconfig());
  return { ...(file !== undefined && { file }), ...(context !== undefined && { context }) };
}

/** What is wrong with options that name more than one source. */
export function conflictOf(options: ClusterApiOptions): string | undefined {
  if (options.manifests !== undefined && namesApiServer(options))
    return '--manifests and --kubeconfig or --context: expected one of them';
  return undefined;
}

async function storeOf(
  options: ClusterApiOptions,
  scope: KubernetesScope,
  container: Container,
): Promise<Reading<ResourceStore>> {
  if (options.manifests !== undefined) {
    return { read: true, value: container.get(ports.resourceStore)(options.manifests) };
  }
  return await container.get(ports.kubernetesStore)(kubeconfigChoice(options), scope);
}

/** The store of an agent: a folder or an API server, by default that of the cluster which the agent is a pod of. Prints why there is none. */
export async function resourceStore(
  options: ClusterApiOptions,
  scope: KubernetesScope,
  container: Container,
  terminal: Terminal,
): Promise<ResourceStore | undefined> {
  const conflict = conflictOf(options);
  if (conflict !== undefined) {
    terminal.err(`error: ${conflict}`);
    return undefined;
  }
  const store = await storeOf(options, scope, container);
  if (store.read) return store.value;
  for (const problem of store.problems) terminal.err(`error: ${printable(describeProblem(problem))}`);
  if (!namesApiServer(options)) {
    terminal.err('error: expected --manifests DIR with the objects of the cluster, or --kubeconfig FILE');
  }
  return undefined;
}
