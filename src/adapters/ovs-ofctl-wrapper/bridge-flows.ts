import { FLOW_COOKIE, LEARNED_FLOW_COOKIE } from '../../domain/conventions.ts';
import { flowKey } from '../../domain/openflow/flow-entry.ts';
import type { BridgeFlow } from '../../domain/snapshot/datapath.ts';
import type { Bridge } from '../../domain/snapshot/node-snapshot.ts';
import type { Reading } from '../../ports/input-problem.ts';
import { allOf, mapReading, thenRead } from '../../ports/readings.ts';
import type { ForeignFlows } from './flow-bundle.ts';
import { type FlowsByLine, readFlows } from './flow-dump.ts';
import type { FlowUpdate } from './openflow-messages.ts';
import { portSignature } from './port-numbers.ts';

/**
 * Seconds. Flows with a shorter timeout are not worth a reading: they record who has asked for a neighbour, come with every request, and expire
 * within seconds.
 */
const SHORT_LIFETIME = 60;

const isOwn = (cookie: string) => cookie === FLOW_COOKIE || cookie === LEARNED_FLOW_COOKIE;

/** Maximum number of tables that are read one by one: each takes a program, and one program reads all of them. */
const TABLES_ONE_BY_ONE = 2;

/** A reading, and the text that it was read from. */
interface FlowReading {
  readonly ports: string;
  readonly byLine: FlowsByLine;
  readonly flows: readonly BridgeFlow[];
}

/** Reads the flows of one table or of all, as ovs-ofctl prints them. */
export type DumpFlows = (table?: number) => Promise<Reading<string>>;

/** The flows of a bridge. After changes, only the changed tables are read again. */
export class BridgeFlows {
  readonly #file: string;
  readonly #dump: DumpFlows;
  readonly #lifetime: number;
  readonly #now: () => number;
  #last: FlowReading | undefined;
  /** When everything is read again. */
  #until = 0;
  #outdated = new Set<number>();
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
    const outdated = [...this.#outdated];
    const isPartial = known !== undefined && outdated.length <= TABLES_ONE_BY_ONE;
    if (isPartial && outdated.length === 0) return { read: true, value: known.flows };
    // They may change while they are read.
    this.#outdated = new Set();
    this.#hasForeignAdditions = false;
    if (!isPartial) this.#until = this.#now() + this.#lifetime;
    const texts = allOf(await Promise.all((isPartial ? outdated : [undefined]).map((table) => this.#dump(table))));
    const reading = thenRead(texts, (each) => readFlows(each.join(''), this.#file, bridge, this.#last?.byLine));
    if (!reading.read) this.outdate();
    return mapReading(reading, (read) => {
      const others = isPartial ? [...known.byLine].filter(([, { table }]) => !outdated.includes(table)) : [];
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

  /** Marks all tables as outdated. */
  outdate(): void {
    this.#until = 0;
    this.#hasForeignAdditions = true;
  }

  /** Marks tables as outdated after changes by this agent. */
  outdateOwn(tables: Iterable<number>): void {
    for (const table of tables) this.#outdated.add(table);
  }

  /**
   * Marks tables as outdated after relevant changes.
   *
   * @returns whether one is relevant; and whether one was made to a flow of another program
   */
  changed(changes: readonly FlowUpdate[]): { readonly isRelevant: boolean; readonly isForeign: boolean } {
    const relevant = changes.filter(({ lifetime = Number.POSITIVE_INFINITY }) => lifetime >= SHORT_LIFETIME);
    this.outdateOwn(relevant.map(({ table }) => table));
    const foreign = relevant.filter(({ cookie }) => !isOwn(cookie));
    if (foreign.some(({ isDeletion }) => !isDeletion)) this.#hasForeignAdditions = true;
    return { isRelevant: relevant.length > 0, isForeign: foreign.length > 0 };
  }
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
