import { FLOW_COOKIE, LEARNED_FLOW_COOKIE, SERVICE_FLOW_COOKIE } from '../../domain/basics/conventions.ts';
import { flowKey } from '../../domain/datapath/openflow/flow-entry.ts';
import type { BridgeFlow } from '../../domain/snapshot/datapath.ts';
import type { Bridge } from '../../domain/snapshot/node-snapshot.ts';
import type { Reading } from '../../ports/input-problem.ts';
import { allOf, mapReading, thenRead } from '../../ports/readings.ts';
import type { ForeignFlows } from './flow-bundle.ts';
import { type FlowsByLine, readFlows } from './flow-dump.ts';
import { type Selection, selectionsOf } from './flow-selection.ts';
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

/** Whether a change was made to a flow by which Services are reached. */
export const isOfService = ({ cookie }: { readonly cookie: string }) => cookie === SERVICE_FLOW_COOKIE;

const isOwn = (cookie: string) => [FLOW_COOKIE, LEARNED_FLOW_COOKIE, SERVICE_FLOW_COOKIE].includes(cookie);

/** The flows as they were read, and as they were written since. */
interface FlowReading {
  readonly ports: string;
  /** By the line that each was read from, or a key of its own. */
  readonly byLine: FlowsByLine;
  readonly flows: readonly BridgeFlow[];
}

/** A flow that was added, in place of another one with its key, or removed. */
export interface FlowChange {
  readonly flow: BridgeFlow;
  readonly isDeletion: boolean;
}

/** Reads some of the flows or all, as ovs-ofctl prints them. */
export type DumpFlows = (...selections: readonly Selection[]) => Promise<Reading<string>>;

/** Flows as they are after a change, by key; undefined for those that were removed. */
type FlowsAfter = ReadonlyMap<string, BridgeFlow | undefined>;

/** The changes of flows that this agent has made on a bridge. */
export interface OwnChange {
  /** In their order. */
  readonly flows: readonly FlowChange[];
  /** Whether the switch has accepted all of them. */
  readonly isDone: boolean;
}

/** The flows of a bridge that are read and changed together. */
export interface FlowsPart {
  /** The cookie of those that this agent adds. */
  readonly cookie: string;
  /** Whether one is among them, by its cookie. */
  readonly has: (flow: { readonly cookie: string }) => boolean;
}

/** Those of networks and of other programs. */
export const ofNetworks: FlowsPart = { cookie: FLOW_COOKIE, has: (flow) => !isOfService(flow) };

/** Those of Services. */
export const ofServices: FlowsPart = { cookie: SERVICE_FLOW_COOKIE, has: isOfService };

/**
 * Flows of a bridge. After changes of others, only tables that may have changed are read again. Changes of this agent that the switch has reported
 * count as read, until all flows are read after their lifetime: if the switch prints them in another way than they were written, changes are read from
 * then on.
 */
export class BridgeFlows {
  readonly #file: string;
  readonly #dump: DumpFlows;
  readonly #part: FlowsPart;
  readonly #lifetime: number;
  readonly #now: () => number;
  #last: FlowReading | undefined;
  /** When everything is read again. */
  #until = 0;
  /** Tables that may have changed since they were read. */
  #outdated = new Set<number>();
  /** Flows that were written and not read since, by key. */
  readonly #written = new Map<string, BridgeFlow>();
  /** Whether flows were printed in another way than they were written. */
  #isPrintedOtherwise = false;
  /** Whether another program may have added flows since the last reading. */
  #hasForeignAdditions = true;

  /**
   * @param file named in problems
   * @param timing its lifetime is in milliseconds after which everything is read again, and its clock a monotonic one
   */
  constructor(
    part: FlowsPart,
    file: string,
    dump: DumpFlows,
    { lifetime, now }: { readonly lifetime: number; readonly now: () => number },
  ) {
    this.#part = part;
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
    const selections = known && selectionsOf(outdated);
    if (known !== undefined && selections?.length === 0) return { read: true, value: known.flows };
    // With other numbers of ports flows are printed with other names.
    if (this.#last?.ports !== ports) this.#written.clear();
    // They may change while they are read.
    this.#outdated = new Set();
    this.#hasForeignAdditions = false;
    if (selections === undefined) this.#until = this.#now() + this.#lifetime;
    const texts = allOf(
      await Promise.all(
        selections === undefined ? [this.#dump()] : selections.map((selection) => this.#dump(selection)),
      ),
    );
    const reading = thenRead(texts, (each) => readFlows(each.join(''), this.#file, bridge, this.#last?.byLine));
    if (!reading.read) this.outdate();
    return mapReading(reading, (found) => {
      const ofPart = [...found].filter(([, flow]) => this.#part.has(flow));
      const read = new Map(ofPart.map(([line, flow]) => [line, this.#asWritten(flow)]));
      const isRead = ({ table }: BridgeFlow) => selections === undefined || outdated.has(table);
      this.#confirm(new Set(read.values()), isRead, outdated);
      const keys = new Set([...read.values()].map(flowKey));
      const others = [...(known?.byLine ?? [])].filter(([, flow]) => !isRead(flow) && !keys.has(flowKey(flow)));
      this.#last = withSameFlows(this.#last, { ports, byLine: new Map([...others, ...read]) });
      return this.#last.flows;
    });
  }

  /** The flow that was written, if an equal one was read. */
  #asWritten(flow: BridgeFlow): BridgeFlow {
    const written = this.#written.get(flowKey(flow));
    return written?.cookie === flow.cookie && written.actions === flow.actions ? written : flow;
  }

  /** Looks for flows that were written among those that were read; not in tables that others have changed. */
  #confirm(read: ReadonlySet<BridgeFlow>, isRead: (flow: BridgeFlow) => boolean, outdated: ReadonlySet<number>): void {
    const isChanged = ({ table }: BridgeFlow) => outdated.has(table) || this.#outdated.has(table);
    const known = [...this.#written].filter(([, flow]) => isRead(flow));
    if (known.some(([, flow]) => !read.has(flow) && !isChanged(flow))) this.#isPrintedOtherwise = true;
    for (const [key] of known) this.#written.delete(key);
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

  /** Whether the flows that were removed were known, with the same text. */
  #knowsRemoved(after: FlowsAfter): boolean {
    const removed = new Set([...after].flatMap(([key, flow]) => (flow === undefined ? [key] : [])));
    if (removed.size === 0) return true;
    return (this.#last?.flows ?? []).filter((flow) => removed.has(flowKey(flow))).length === removed.size;
  }

  /** Marks all tables as outdated. */
  outdate(): void {
    this.#until = 0;
    this.#written.clear();
    this.#isPrintedOtherwise = false;
    this.#hasForeignAdditions = true;
  }

  #outdateTables(flows: readonly { readonly table: number }[]): void {
    for (const { table } of flows) this.#outdated.add(table);
  }

  /**
   * Takes changes of this agent as read, or marks their tables as outdated.
   *
   * @param reported what the switch has reported meanwhile: if others have changed managed flows too, their tables are outdated
   */
  changedBy({ flows, isDone }: OwnChange, reported: readonly FlowUpdate[]): void {
    const own = reported.filter(({ cookie }) => cookie === this.#part.cookie);
    const after = new Map(flows.map(({ flow, isDeletion }) => [flowKey(flow), isDeletion ? undefined : flow]));
    const isExact = isDone && after.size === flows.length && isSameChange(own, flows) && this.#knowsRemoved(after);
    if (isExact && !this.#isPrintedOtherwise) this.#take(after);
    else this.#outdateTables([...own, ...flows.map(({ flow }) => flow)]);
    this.changed(reported.filter(({ cookie }) => cookie !== this.#part.cookie));
  }

  #take(after: FlowsAfter): void {
    if (this.#last === undefined || after.size === 0) return;
    const added = [...after].flatMap(([key, flow]) => (flow === undefined ? [] : [[key, flow] as const]));
    const { ports, byLine } = this.#last;
    const others = [...byLine].filter(([, flow]) => !after.has(flowKey(flow)));
    this.#last = withSameFlows(undefined, { ports, byLine: new Map([...others, ...added]) });
    for (const [key, flow] of after) {
      if (flow === undefined) this.#written.delete(key);
      else this.#written.set(key, flow);
    }
  }

  /**
   * Marks tables as outdated after relevant changes.
   *
   * @returns whether one is relevant
   */
  changed(changes: readonly FlowUpdate[]): boolean {
    const relevant = changes.filter(isRelevant);
    this.#outdateTables(relevant);
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
