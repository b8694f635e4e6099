import { FLOW_COOKIE, LEARNED_FLOW_COOKIE } from '../../domain/basics/conventions.ts';
import { flowKey } from '../../domain/datapath/openflow/flow-entry.ts';
import type { BridgeFlow } from '../../domain/snapshot/datapath.ts';
import type { Bridge } from '../../domain/snapshot/node-snapshot.ts';
import type { Reading } from '../../ports/input-problem.ts';
import { allOf, mapReading, thenRead } from '../../ports/readings.ts';
import type { ForeignFlows } from './flow-bundle.ts';
import { type FlowsByLine, readFlows } from './flow-dump.ts';
import { OutdatedFlows, type Selection } from './flow-selection.ts';
import type { FlowUpdate } from './openflow-messages.ts';
import { portSignature } from './port-numbers.ts';

/**
 * Seconds. Flows with a shorter timeout are not worth a reading: they record who has asked for a neighbour, come with every request, and expire
 * within seconds.
 */
const SHORT_LIFETIME = 60;

const isRelevant = ({ lifetime = Number.POSITIVE_INFINITY }: FlowUpdate) => lifetime >= SHORT_LIFETIME;

/** Whether a change was made to a flow of another program, and is relevant. */
export const isForeign = (update: FlowUpdate) => isRelevant(update) && !isOwn(update.cookie);

/** Whether a change was made by managed flows. */
export const isLearned = ({ cookie }: FlowUpdate) => cookie === LEARNED_FLOW_COOKIE;

const isOwn = (cookie: string) => cookie === FLOW_COOKIE || cookie === LEARNED_FLOW_COOKIE;

/** A reading, and the text that it was read from. */
interface FlowReading {
  readonly ports: string;
  readonly byLine: FlowsByLine;
  readonly flows: readonly BridgeFlow[];
}

/** A flow that was added, in place of another one with its key, or removed. */
export interface FlowChange {
  readonly flow: BridgeFlow;
  readonly isDeletion: boolean;
}

/** Reads some of the flows or all, as ovs-ofctl prints them. */
export type DumpFlows = (selection?: Selection) => Promise<Reading<string>>;

/** The flows of a bridge. After changes, only those that may have changed are read again. */
export class BridgeFlows {
  readonly #file: string;
  readonly #dump: DumpFlows;
  readonly #lifetime: number;
  readonly #now: () => number;
  #last: FlowReading | undefined;
  /** When everything is read again. */
  #until = 0;
  #outdated = new OutdatedFlows();
  /** Whether another program may have added flows since the last reading. */
  #hasForeignAdditions = true;

  /**
   * @param file named in problems
   * @param lifetime milliseconds after which everything is read again
   * @param now milliseconds of a monotonic clock
   */
  constructor(file: string, dump: DumpFlows, lifetime: number, now: () => number) {
    this.#file = file;
    this.#dump = dump;
    this.#lifetime = lifetime;
    this.#now = now;
  }

  /** The flows with names of ports; the same objects as long as they are equal. Never rejects. */
  async read(bridge: Bridge): Promise<Reading<readonly BridgeFlow[]>> {
    const ports = portSignature(bridge);
    const known = this.#last?.ports === ports && this.#now() < this.#until ? this.#last : undefined;
    const outdated = this.#outdated;
    const selections = known && outdated.selections(bridge);
    if (known !== undefined && selections?.length === 0) return { read: true, value: known.flows };
    // They may change while they are read.
    this.#outdated = new OutdatedFlows();
    this.#hasForeignAdditions = false;
    if (selections === undefined) this.#until = this.#now() + this.#lifetime;
    const texts = allOf(await Promise.all((selections ?? [undefined]).map((selection) => this.#dump(selection))));
    const reading = thenRead(texts, (each) => readFlows(each.join(''), this.#file, bridge, this.#last?.byLine));
    if (!reading.read) this.outdate();
    return mapReading(reading, (read) => {
      const before = known === undefined || selections === undefined ? [] : known.byLine;
      const found = new Set([...read.values()].map(flowKey));
      const others = [...before].filter(([, flow]) => !outdated.has(flow) && !found.has(flowKey(flow)));
      this.#last = withSameFlows(this.#last, { ports, byLine: new Map([...others, ...read]) });
      return this.#last.flows;
    });
  }

  /**
   * The flows of other programs, also those that no plan knows: they were added since the last reading, or nothing was planned after that one. Never
   * rejects.
   */
  async foreign(bridge: Bridge): Promise<Reading<ForeignFlows>> {
    const known = this.#hasForeignAdditions ? undefined : this.#last?.flows;
    const reading = known === undefined ? await this.read(bridge) : { read: true as const, value: known };
    return mapReading(
      reading,
      (flows) => new Map(flows.filter(({ cookie }) => !isOwn(cookie)).map((flow) => [flowKey(flow), flow])),
    );
  }

  /** Whether flows were read before, with the same text. */
  #knows(flows: readonly FlowChange[]): boolean {
    const keys = new Set(flows.map(({ flow }) => flowKey(flow)));
    if (keys.size === 0) return true;
    return (this.#last?.flows ?? []).filter((flow) => keys.has(flowKey(flow))).length === keys.size;
  }

  /** Marks all tables as outdated. */
  outdate(): void {
    this.#until = 0;
    this.#hasForeignAdditions = true;
  }

  /**
   * Marks flows as outdated after a bundle of this agent.
   *
   * @param flows that were added or removed
   * @param reported what the switch has reported meanwhile: if others have changed managed flows too, their tables are outdated
   */
  changedBy(flows: readonly FlowChange[], reported: readonly FlowUpdate[]): void {
    this.changed(reported.filter(({ cookie }) => cookie !== FLOW_COOKIE));
    const own = reported.filter(({ cookie }) => cookie === FLOW_COOKIE);
    if (isSameChange(own, flows) && this.#knows(flows.filter(({ isDeletion }) => isDeletion)))
      this.#outdated.addFlows(flows.map(({ flow }) => flow));
    else this.#outdated.addTables([...own, ...flows.map(({ flow }) => flow)].map(({ table }) => table));
  }

  /**
   * Marks tables as outdated after relevant changes.
   *
   * @returns whether one is relevant
   */
  changed(changes: readonly FlowUpdate[]): boolean {
    const relevant = changes.filter(isRelevant);
    this.#outdated.addTables(relevant.map(({ table }) => table));
    if (relevant.some((each) => isForeign(each) && !each.isDeletion)) this.#hasForeignAdditions = true;
    return relevant.length > 0;
  }
}

/** Whether the switch has reported the changes of a bundle and no others. */
function isSameChange(reported: readonly FlowUpdate[], flows: readonly FlowChange[]): boolean {
  const textOf = (table: number, priority: number, isDeletion: boolean) =>
    `${String(table)} ${String(priority)} ${String(isDeletion)}`;
  const found = reported.map(({ table, priority, isDeletion }) => textOf(table, priority, isDeletion));
  const expected = flows.map(({ flow: { table, priority }, isDeletion }) => textOf(table, priority, isDeletion));
  return found.sort().join() === expected.sort().join();
}

/** A reading; with the list of the previous one if no flow has changed. */
function withSameFlows(
  last: FlowReading | undefined,
  { ports, byLine }: Pick<FlowReading, 'ports' | 'byLine'>,
): FlowReading {
  const isSame =
    last?.byLine.size === byLine.size && [...byLine].every(([line, flow]) => last.byLine.get(line) === flow);
  return { ports, byLine, flows: isSame ? last.flows : [...byLine.values()] };
}
