/** The CNI plugin as a process, as a runtime starts it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { cniPrograms } from './programs.ts';

/** How the plugin ended. */
export interface PluginEnd {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The environment of a call, as CNI_COMMAND and so on, without CNI_. */
export type CallEnvironment = Readonly<
  Partial<Record<'COMMAND' | 'CONTAINERID' | 'NETNS' | 'IFNAME' | 'ARGS', string>>
>;

/**
 * Starts the plugin.
 *
 * @param socket of the agent
 * @param config on standard input
 */
export async function runPlugin(socket: string, environment: CallEnvironment, config: string): Promise<PluginEnd> {
  const variables = Object.entries(environment).map(([name, value]) => [`CNI_${name}`, value] as const);
  const child = spawn(join(cniPrograms(), 'ovn-uplinks-cni'), {
    env: { OVN_UPLINKS_CNI_SOCKET: socket, ...Object.fromEntries(variables) },
  });
  // It may end before it has read everything.
  child.stdin.on('error', () => undefined);
  child.stdin.end(config);
  const closed = once(child, 'close');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await closed;
  return { status: child.exitCode, stdout, stderr };
}
