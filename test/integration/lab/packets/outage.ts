import { resolve } from 'node:path';
import type { ArgumentVector, LabNode } from '../node.ts';
import { type Exchange, PORT } from './exchange.ts';

const PROGRAM = resolve(import.meta.dirname, '../inside/outage.py');

/** Milliseconds for the whole run; the program ends before. */
const DEADLINE = 150_000;

/** The effect of commands on traffic. */
export interface Outage {
  /** Unanswered requests, of fifty a second, by stream. */
  readonly lost: readonly number[];
  /** Milliseconds from the start of the commands until all streams are answered for good; 0 where no answer was missing. */
  readonly traffic: number;
  /** Milliseconds until the bridges have as many flows of the agent as before; 0 where none was missing. */
  readonly flows: number;
}

/** A client, and the provider that answers it. */
export interface Stream extends Pick<Exchange, 'from' | 'device' | 'to'> {
  /** Its network namespace. */
  readonly answerer: string;
}

/** Runs commands during steady traffic, and waits until all of it is answered for half a second and the bridges have the agent's flows. */
export async function outageDuring(
  node: LabNode,
  commands: readonly ArgumentVector[],
  { streams, bridges }: { readonly streams: readonly Stream[]; readonly bridges: readonly string[] },
): Promise<Outage> {
  const input = JSON.stringify({ commands, bridges, streams: streams.map((each) => ({ port: PORT, ...each })) });
  const { exitCode, stdout, stderr } = await node.run([PROGRAM], { input, deadline: DEADLINE });
  if (exitCode !== 0) throw new Error(`outage.py on ${node.name} exited with status ${exitCode}: ${stderr}`);
  return JSON.parse(stdout) as Outage;
}
