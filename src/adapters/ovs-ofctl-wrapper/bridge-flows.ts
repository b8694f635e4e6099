import { FLOW_COOKIE, LEARNED_FLOW_COOKIE } from '../../domain/conventions.ts';
import { flowKey } from '../../domain/openflow/flow-entry.ts';
import type { BridgeFlow } from '../../domain/snapshot/datapath.ts';
import type { Bridge } from '../../domain/snapshot/node-snapshot.ts';
import type { Reading } from '../../ports/input-problem.ts';
import { mapReading, thenRead } from '../json/readings.ts';
import { type Cached } from './cached.ts';
import type { ForeignFlows } from './flow-bundle.ts';
import { type FlowsByLine, readFlows } from './flow-dump.ts';
import type { FlowChange } from './openflow-messages.ts';
import { portSignature } from './port-numbers.ts';

/**
 * Seconds. A flow that ends by itself before is no change worth a reading: such flows remember who has asked for a neighbour, come with every question,
 * and are gone within seconds.
 */
const SHORT_LIFETIME = 60;

const isOwn = (cookie: string) => cookie === FLOW_COOKIE || cookie === LEARNED_FLOW_COOKIE;

/** What was read, from what. */
interface FlowReading {
  readonly text: string;
  readonly ports: string;
  readonly byLine: FlowsByLine;
  readonly flows: readonly BridgeFlow[];
}

/** The flows of a bridge, read again only after changes. */
export class BridgeFlows {
  readonly #file: string;
  readonly #dump: () => Promise<Reading<string>>;
  readonly #text: Cached<string>;
  #last: FlowReading | undefined;
  /** Whether another program may have added flows since the last reading. */
  #hasForeignAdditions = true;

  /**
   * @param file named in problems
   * @param dump reads the flows as ovs-ofctl prints them
   * @param text what it has printed
   */
  constructor(file: string, dump: () => Promise<Reading<string>>, text: Cached<string>) {
    this.#file = file;
    this.#dump = dump;
    this.#text = text;
  }

  /** The flows with names of ports; the same objects as long as they are equal. Never rejects. */
  async read(bridge: Bridge): Promise<Reading<readonly BridgeFlow[]>> {
    const text = await this.#text.get(() => {
      this.#hasForeignAdditions = false;
      return this.#dump();
    });
    return thenRead(text, (value) => this.#flowsOf(value, bridge));
  }

  /**
   * The flows of other programs that were added since the last reading, and thus that no plan knows; with them others that were there before. Never
   * rejects.
   */
  async addedByOthers(bridge: Bridge): Promise<Reading<ForeignFlows>> {
    if (!this.#hasForeignAdditions) return { read: true, value: new Map() };
    return mapReading(
      await this.read(bridge),
      (flows) => new Map(flows.filter(({ cookie }) => !isOwn(cookie)).map((flow) => [flowKey(flow), flow])),
    );
  }

  /** Has them read again. */
  outdate(): void {
    this.#text.outdate();
    this.#hasForeignAdditions = true;
  }

  /** Has them read again after changes of ours. */
  outdateOwn(): void {
    this.#text.outdate();
  }

  /**
   * Has them read again where changes matter.
   *
   * @returns whether one of them matters; and whether one was made to a flow of another program
   */
  changed(changes: readonly FlowChange[]): { readonly isRelevant: boolean; readonly isForeign: boolean } {
    const relevant = changes.filter(({ lifetime = Number.POSITIVE_INFINITY }) => lifetime >= SHORT_LIFETIME);
    if (relevant.length > 0) this.#text.outdate();
    const foreign = relevant.filter(({ cookie }) => !isOwn(cookie));
    if (foreign.some(({ isDeletion }) => !isDeletion)) this.#hasForeignAdditions = true;
    return { isRelevant: relevant.length > 0, isForeign: foreign.length > 0 };
  }

  #flowsOf(text: string, bridge: Bridge): Reading<readonly BridgeFlow[]> {
    const ports = portSignature(bridge);
    if (this.#last?.text === text && this.#last.ports === ports) return { read: true, value: this.#last.flows };
    const reading = readFlows(text, this.#file, bridge, this.#last?.byLine);
    return mapReading(reading, (byLine) => {
      const flows = [...byLine.values()];
      this.#last = { text, ports, byLine, flows };
      return flows;
    });
  }
}
