import { Container } from 'inversify';
import { ports } from '../../../src/cmd/ports/container.ts';
import { ovnUplinksCommand } from '../../../src/cmd/commands/subcommands.ts';
import type { Terminal } from '../../../src/cmd/output/terminal.ts';
import type { ClusterSnapshot, NodeSnapshot } from '../../../src/domain/index.ts';

/** The snapshots that commands are run on: no file is read. */
export interface Situation {
  readonly cluster: ClusterSnapshot;
  readonly nodes: readonly NodeSnapshot[];
}

/** The output of a run, and how it would have ended. */
export interface Run {
  readonly out: readonly string[];
  readonly err: readonly string[];
  readonly exitCode: number;
}

/** A container with these snapshots. */
export function containerOf({ cluster, nodes }: Situation): Container {
  const container = new Container();
  const snapshot = { snapshot: cluster, origins: new Map<string, string>(), warnings: [] };
  container
    .bind(ports.clusterSource)
    .toConstantValue(() => ({ read: () => Promise.resolve({ read: true, value: snapshot }) }));
  container.bind(ports.nodeSource).toConstantValue((name) => ({
    read: () => {
      const value = nodes.find(({ nodeName }) => nodeName === name);
      if (value === undefined) throw new Error(`no snapshot of ${name}`);
      return Promise.resolve({ read: true, value });
    },
  }));
  return container;
}

/** On what terminal; on none by default. */
type Shown = Partial<Pick<Terminal, 'colours' | 'columns'>>;

/** Runs `plan` or `explain` in this process, on snapshots instead of files. */
export async function runInProcess(situation: Situation, args: readonly string[], shown: Shown = {}): Promise<Run> {
  const hosts = situation.nodes.map(({ nodeName }) => `${nodeName}=captures/${nodeName}`);
  const inputs = ['--cluster', 'cluster.yaml', ...(hosts.length === 0 ? [] : ['--host', ...hosts])];
  return await runCommand(containerOf(situation), [...args, ...inputs], shown);
}

/** Runs a command in this process. */
export async function runCommand(container: Container, args: readonly string[], shown: Shown = {}): Promise<Run> {
  const out: string[] = [];
  const err: string[] = [];
  const terminal = {
    out: (text: string) => void out.push(text),
    err: (text: string) => void err.push(text),
    colours: false,
    progress: false,
    ...shown,
  };
  const program = (await ovnUplinksCommand(args, container, terminal)).exitOverride();
  const { exitCode: before } = process;
  await program.parseAsync(args, { from: 'user' });
  const { exitCode } = process;
  process.exitCode = before;
  return { out, err, exitCode: Number(exitCode ?? 0) };
}
