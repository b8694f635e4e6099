/**
 * Has packets from the wire come to Services: flows of bridges are added once OVN has confirmed the load balancers to which they lead, and removed before these change.
 */
import { byName } from '../../domain/basics/names/ordering.ts';
import { ExposedChanges } from '../../domain/services/exposed-changes.ts';
import type { DesiredService } from '../../domain/services/services-on-node.ts';
import { describeProblem } from '../../ports/input-problem.ts';
import type { ServiceFlows } from '../../ports/node/service-flows.ts';

type FlowChanges = Parameters<ServiceFlows['apply']>[0];

/** Errors of Services whose flows were refused, by their keys, and of all others. */
export interface WireAttempt {
  readonly refused: ReadonlyMap<string, string>;
  readonly error?: string;
}

const isDone: WireAttempt = { refused: new Map() };

/** The flows of Services on the bridges of a node. */
export class Wire {
  readonly #flows: ServiceFlows;
  readonly #changes = new ExposedChanges();

  constructor(flows: ServiceFlows) {
    this.#flows = flows;
  }

  /** Takes over how a Service is to be reached. @param key its key */
  set(key: string, exposed: DesiredService['exposed']): void {
    this.#changes.set(key, exposed);
  }

  /** The keys of Services that are not reached as they should be. */
  get incomplete(): ReadonlySet<string> {
    return this.#changes.incomplete;
  }

  /** Reads which flows there are, and removes those that no Service needs any more. @returns an error; undefined for none */
  async close(): Promise<string | undefined> {
    const unread = await this.#read();
    if (unread !== undefined) return unread;
    const { error, refused } = await this.#apply(this.#changes.obsolete);
    return error ?? [...refused.values()][0];
  }

  /** Adds flows. @param isReady whether OVN has confirmed the load balancers of a Service */
  async open(isReady: (key: string) => boolean): Promise<WireAttempt> {
    return await this.#apply(this.#changes.missing(isReady));
  }

  async #read(): Promise<string | undefined> {
    const found = await this.#flows.read();
    if (!found.read) return found.problems.map(describeProblem).join('; ');
    this.#changes.take(found.value);
    return undefined;
  }

  async #apply(changes: FlowChanges): Promise<WireAttempt> {
    if (changes.length === 0) return isDone;
    const result = await this.#flows.apply(changes);
    const unread = await this.#read();
    if (!result.done) return { refused: new Map(), error: result.error };
    const { leftOut = [] } = result;
    const refused = new Map(
      leftOut.flatMap(({ change, error, isAwaited }) => {
        if (isAwaited === true) return [];
        const { flow } = (change as FlowChanges[number]).entity;
        return [...this.#changes.ownersOf(flow)].toSorted(byName).map((key) => [key, error] as const);
      }),
    );
    // A port that is not there yet comes with its network.
    const error = unread ?? leftOut.find(({ isAwaited }) => isAwaited)?.error;
    return { refused, ...(error !== undefined && { error }) };
  }
}
