import { resolve } from 'node:path';
import type { LabNode, NodeProcess } from '../node.ts';

const INSIDE = resolve(import.meta.dirname, '../inside');

/** The port on which providers answer. */
export const PORT = 8080;

/** Milliseconds for all exchanges of a call. */
const DEADLINE = 120_000;

/** Requests to a host, which are sent at the same time as those of other exchanges. */
export interface Exchange {
  /** The network namespace of the client; absent for the node's own. */
  readonly from?: string;
  /** The VRF or interface that the client is bound to. */
  readonly device?: string;
  readonly protocol: 'tcp' | 'udp' | 'sctp' | 'icmp';
  readonly sourcePort?: number;
  readonly to: string;
  readonly port?: number;
  /** Bytes of a request; of an echo request, those of its data. Answers to datagrams have the same length. By SCTP an association is only begun. */
  readonly size?: number;
  /** Number of requests, one after another; one if absent. */
  readonly rounds?: number;
  /** Whether no answer is expected: once all others are there, it is waited for two seconds and a half, otherwise for ten. */
  readonly unanswered?: boolean;
}

/** The result of an exchange. */
export interface Answers {
  /** The number of each answer. That to an echo request is "reply", any other is "NAMESPACE ADDRESS PORT": the server, and the client that it has seen. */
  readonly answers: Readonly<Record<string, number>>;
  readonly lost: number;
  /** The rounds without an answer, from 0 on, of an exchange that has had some answers: whether the first packet or one during a change was lost. */
  readonly lostRounds?: readonly number[];
  readonly error?: string;
}

/** Starts servers in network namespaces, in which none runs yet. */
export async function startAnswering(node: LabNode, namespaces: readonly string[]): Promise<NodeProcess> {
  // Each call has a file of its own: the same one would be "ready" since the first call.
  const output = `/run/answer-${namespaces[0] ?? 'nowhere'}.log`;
  const process = await node.start([`${INSIDE}/answer.py`, String(PORT), ...namespaces], output);
  await node.until([], output, 'ready');
  return process;
}

/** Makes exchanges at the same time. */
export async function exchange(node: LabNode, exchanges: readonly Exchange[]): Promise<readonly Answers[]> {
  const input = JSON.stringify(exchanges.map((each) => ({ port: PORT, ...each })));
  const { exitCode, stdout, stderr } = await node.run([`${INSIDE}/exchange.py`], { input, deadline: DEADLINE });
  if (exitCode !== 0) throw new Error(`exchange.py on ${node.name} exited with status ${exitCode}: ${stderr}`);
  return JSON.parse(stdout) as readonly Answers[];
}
