import { resolve } from 'node:path';
import type { LabNode, NodeProcess } from '../node.ts';

const INSIDE = resolve(import.meta.dirname, '../inside');

/** The port on which providers answer. */
export const PORT = 8080;

/** Milliseconds for all exchanges of a call. */
const DEADLINE = 120_000;

/** Questions to a host, which are asked at the same time as those of other exchanges. */
export interface Exchange {
  /** The network namespace that asks; absent for the node's own. */
  readonly from?: string;
  /** The VRF or interface that asks. */
  readonly device?: string;
  readonly protocol: 'tcp' | 'udp' | 'icmp';
  readonly sourcePort?: number;
  readonly to: string;
  readonly port?: number;
  /** Bytes of a question; of an echo request, those of its data. Answers to datagrams are as long. */
  readonly size?: number;
  /** How many questions, one after the other: one where absent. */
  readonly rounds?: number;
}

/** What becomes of an exchange. */
export interface Answers {
  /** How many there were of each answer. That to an echo request is "reply", any other one "NAMESPACE ADDRESS PORT": who answers, and whom. */
  readonly answers: Readonly<Record<string, number>>;
  readonly lost: number;
  readonly error?: string;
}

/** Starts what answers in some namespaces. */
export async function startAnswering(node: LabNode, namespaces: readonly string[]): Promise<NodeProcess> {
  const output = '/run/answer.log';
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
