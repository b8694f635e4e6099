/**
 * Ends connections to endpoints that are gone: those that load balancers have stored, and those of load balancers that are deleted (docs/design/services.md, "Connections").
 */
import { endedConnections, type EndedConnections, endedWith } from '../../domain/services/ended-connections.ts';
import type { FoundLoadBalancer } from '../../domain/services/load-balancer-changes.ts';
import type { LoadBalancers, MadeChange } from '../../ports/node/load-balancers.ts';
import type { ServiceConnections } from '../../ports/node/service-connections.ts';

/** Needs for that. */
export interface ConnectionEndsPorts {
  readonly loadBalancers: LoadBalancers;
  readonly connections: ServiceConnections;
  readonly warn: (text: string) => void;
}

/** Takes steps one after the other, until one fails. @returns its error */
async function firstError(
  ...steps: readonly ((former: MadeChange) => Promise<MadeChange>)[]
): Promise<string | undefined> {
  let last: MadeChange = { done: true };
  for (const step of steps) {
    last = await step(last);
    if (!last.done) return last.error;
  }
  return undefined;
}

/** The connections that end with load balancers which are deleted. */
export function endedWithDeleted(deleted: readonly FoundLoadBalancer[]): readonly EndedConnections[] {
  return deleted.flatMap((found) => endedConnections({ ...found, vips: {} }, endedWith(found, undefined)));
}

/** Ends connections, one set after the other. */
export class ConnectionEnds {
  readonly #ports: ConnectionEndsPorts;
  /** Those that have to end since their load balancers are deleted. */
  #orphaned: readonly EndedConnections[] = [];
  #ending: Promise<void> | undefined;
  /** The load balancers that were read last while connections were being ended. */
  #readMeanwhile: readonly FoundLoadBalancer[] = [];

  constructor(ports: ConnectionEndsPorts) {
    this.#ports = ports;
  }

  /** Takes connections over whose load balancers are deleted: nothing that is stored says that they have to end. */
  add(orphaned: readonly EndedConnections[]): void {
    this.#orphaned = [...this.#orphaned, ...orphaned];
  }

  /** Resolves once none is being ended. */
  async settled(): Promise<void> {
    while (this.#ending !== undefined) await this.#ending;
  }

  /** Ends the connections that have to: once those are ended that are being ended, where there are some. */
  end(all: readonly FoundLoadBalancer[]): void {
    const found = all.filter(({ ended }) => ended.length > 0);
    if (this.#ending === undefined) this.#start(found);
    else this.#readMeanwhile = found;
  }

  #start(found: readonly FoundLoadBalancer[]): void {
    if (found.length + this.#orphaned.length === 0) return;
    this.#ending = this.#end(found, this.#orphaned).then((isDone) => {
      this.#ending = undefined;
      const isDoneFor = ({ uuid, ended }: FoundLoadBalancer) =>
        found.some((each) => each.uuid === uuid && each.ended.join() === ended.join());
      const rest = this.#readMeanwhile.filter((each) => !isDoneFor(each));
      this.#readMeanwhile = [];
      // What fails is tried again with the next look at everything.
      if (isDone) this.#start(rest);
    });
  }

  /** Ends connections. @returns whether all have ended */
  async #end(found: readonly FoundLoadBalancer[], orphaned: readonly EndedConnections[]): Promise<boolean> {
    const { loadBalancers, connections } = this.#ports;
    const error = await firstError(
      // The number of a change that changes nothing comes after those of all others.
      async () => await loadBalancers.apply([]),
      async ({ number }) => (number === undefined ? { done: true } : await loadBalancers.confirmed(number)),
      async () => await connections.end([...found.flatMap((each) => endedConnections(each, each.ended)), ...orphaned]),
      async () => {
        const ended = new Set(orphaned);
        this.#orphaned = this.#orphaned.filter((each) => !ended.has(each));
        if (found.length === 0) return { done: true };
        return await loadBalancers.apply(found.map(({ uuid, ended }) => ({ verb: 'forget', uuid, ended })));
      },
    );
    if (error !== undefined) this.#ports.warn(`connections to endpoints that are gone have not ended yet: ${error}`);
    return error === undefined;
  }
}
