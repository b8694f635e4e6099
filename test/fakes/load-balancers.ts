import type { FoundLoadBalancer, LoadBalancerChange } from '../../src/domain/services/load-balancer-changes.ts';
import type { ApplyResult } from '../../src/ports/apply-result.ts';
import { Changes } from '../../src/ports/changes.ts';
import type { Reading } from '../../src/ports/input-problem.ts';
import type {
  LoadBalancers,
  LoadBalancersSnapshot,
  MadeChange,
  NetworkRouter,
} from '../../src/ports/node/load-balancers.ts';
import type { NetworkSwitch } from '../../src/ports/node/logical-ports.ts';
import { StoredBalancers } from '../../src/testing/stored-balancers.ts';

/** Load balancers in memory. */
export class FakeLoadBalancers implements LoadBalancers {
  switches: readonly NetworkSwitch[];
  routers: readonly NetworkRouter[];
  /** The changes of each transaction that was made. */
  readonly transactions: (readonly LoadBalancerChange[])[] = [];
  isAway = false;
  /** Result of waiting for OVN. */
  confirmation: Promise<ApplyResult> = Promise.resolve({ done: true });
  /** Whether the database refuses a change. */
  isRefused: (change: LoadBalancerChange) => boolean = () => false;
  readonly #changes = new Changes();
  readonly #stored = new StoredBalancers();

  constructor(switches: readonly NetworkSwitch[], routers: readonly NetworkRouter[] = []) {
    this.switches = switches;
    this.routers = routers;
  }

  get found(): readonly FoundLoadBalancer[] {
    return this.#stored.list;
  }

  set found(found: readonly FoundLoadBalancer[]) {
    this.#stored.list = found;
  }

  read(): Promise<Reading<LoadBalancersSnapshot>> {
    if (this.isAway)
      return Promise.resolve({
        read: false,
        problems: [{ origin: { kind: 'file', file: 'ovnnb_db.sock' }, message: 'cannot be reached' }],
      });
    return Promise.resolve({
      read: true,
      value: { switches: this.switches, routers: this.routers, loadBalancers: this.found },
    });
  }

  apply(changes: readonly LoadBalancerChange[]): Promise<MadeChange> {
    if (this.isAway) return Promise.resolve({ done: false, error: 'cannot be reached', isUnavailable: true });
    if (changes.some((change) => this.isRefused(change)))
      return Promise.resolve({ done: false, error: 'constraint violation', isRefused: true });
    this.transactions.push(changes);
    for (const change of changes) this.#stored.make(change);
    this.#changes.notify();
    return Promise.resolve({ done: true, number: this.transactions.length });
  }

  confirmed(): Promise<ApplyResult> {
    return this.confirmation;
  }

  /** Has another program change them. */
  change(found: readonly FoundLoadBalancer[]): void {
    this.found = found;
    this.#changes.notify();
  }

  onChange(listener: () => void): () => void {
    return this.#changes.listen(listener);
  }

  close(): void {
    this.isAway = true;
  }
}
