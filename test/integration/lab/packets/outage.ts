import { resolve } from 'node:path';
import type { ArgumentVector, LabNode } from '../node.ts';
import { type Exchange, PORT } from './exchange.ts';

const PROGRAM = resolve(import.meta.dirname, '../inside/outage.py');

/** Milliseconds for the whole run; the program ends before. */
const DEADLINE = 600_000;

/** The effect of commands on traffic. */
export interface Outage {
  /** Unanswered requests, of fifty a second, by stream. */
  readonly lost: readonly number[];
  /** Milliseconds from the start of the commands until all streams are answered for good; 0 where no answer was missing. */
  readonly traffic: number;
  /** Milliseconds until the bridges have as many flows of the agent as before; 0 where none was missing. */
  readonly flows: number;
}

/** The effect of commands on a bridge whose settings are observed too. */
interface OutageWithSettings extends Outage {
  /** Milliseconds until as many ports are not flooded to as before. */
  readonly ports: number;
  /** Milliseconds until the MAC learning table has as many static entries as before. */
  readonly entries: number;
}

/** A client, and the provider that answers it. */
export interface Stream extends Pick<Exchange, 'from' | 'device' | 'to'> {
  /** Its network namespace. */
  readonly answerer: string;
}

/** The streams and bridges that are observed meanwhile. */
interface Observed {
  readonly streams: readonly Stream[];
  readonly bridges: readonly string[];
}

async function observedDuring<Found extends Outage>(
  node: LabNode,
  commands: readonly ArgumentVector[],
  { streams, ...observed }: Observed & { readonly settings: boolean },
): Promise<Found> {
  const input = JSON.stringify({ ...observed, commands, streams: streams.map((each) => ({ port: PORT, ...each })) });
  const { exitCode, stdout, stderr } = await node.run([PROGRAM], { input, deadline: DEADLINE });
  if (exitCode !== 0) throw new Error(`outage.py on ${node.name} exited with status ${exitCode}: ${stderr}`);
  return JSON.parse(stdout) as Found;
}

/** Runs commands during steady traffic, and waits until all of it is answered for half a second and the bridges have the agent's flows. */
export function outageDuring(node: LabNode, commands: readonly ArgumentVector[], observed: Observed): Promise<Outage> {
  return observedDuring(node, commands, { ...observed, settings: false });
}

/** Runs commands, and waits until a bridge has the agent's flows, settings of ports and static entries of the MAC learning table. */
export function outageOfBridge(
  node: LabNode,
  commands: readonly ArgumentVector[],
  bridge: string,
): Promise<OutageWithSettings> {
  return observedDuring(node, commands, { streams: [], bridges: [bridge], settings: true });
}
