import { sortedBy } from '../../src/domain/basics/names/ordering.ts';
import type { FoundLoadBalancer, LoadBalancerChange } from '../../src/domain/services/load-balancer-changes.ts';
import type { ApplyResult } from '../../src/ports/apply-result.ts';
import { Changes } from '../../src/ports/changes.ts';
import type { Reading } from '../../src/ports/input-problem.ts';
import type { LoadBalancers, LoadBalancersSnapshot, MadeChange } from '../../src/ports/node/load-balancers.ts';
import type { NetworkSwitch } from '../../src/ports/node/logical-ports.ts';

/** Load balancers in memory. */
export class FakeLoadBalancers implements LoadBalancers {
  switches: readonly NetworkSwitch[];
  found: readonly FoundLoadBalancer[] = [];
  /** The changes of each transaction that was made. */
  readonly transactions: (readonly LoadBalancerChange[])[] = [];
  isAway = false;
  /** What comes of waiting for OVN. */
  confirmation: Promise<ApplyResult> = Promise.resolve({ done: true });
  /** Whether the database refuses a change. */
  isRefused: (change: LoadBalancerChange) => boolean = () => false;
  readonly #changes = new Changes();
  #created = 0;

  constructor(switches: readonly NetworkSwitch[]) {
    this.switches = switches;
  }

  read(): Promise<Reading<LoadBalancersSnapshot>> {
    if (this.isAway)
      return Promise.resolve({
        read: false,
        problems: [{ origin: { kind: 'file', file: 'ovnnb_db.sock' }, message: 'cannot be reached' }],
      });
    return Promise.resolve({ read: true, value: { switches: this.switches, loadBalancers: this.found } });
  }

  apply(changes: readonly LoadBalancerChange[]): Promise<MadeChange> {
    if (this.isAway) return Promise.resolve({ done: false, error: 'cannot be reached', isUnavailable: true });
    if (changes.some((change) => this.isRefused(change)))
      return Promise.resolve({ done: false, error: 'constraint violation', isRefused: true });
    this.transactions.push(changes);
    for (const change of changes) this.#make(change);
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

  #make(change: LoadBalancerChange): void {
    if (change.verb === 'add') {
      this.#created += 1;
      const uuid = `uuid-${String(this.#created).padStart(6, '0')}`;
      this.found = [...this.found, { ...change.desired, uuid, switches: [change.switchName], ended: [] }];
      return;
    }
    const others = this.found.filter(({ uuid }) => uuid !== change.uuid);
    const former = this.found.find(({ uuid }) => uuid === change.uuid);
    if (change.verb === 'remove' || former === undefined) {
      this.found = others;
      return;
    }
    if (change.verb === 'forget') {
      const isSame = former.ended.join() === change.ended.join();
      this.found = [...others, isSame ? { ...former, ended: [] } : former];
      return;
    }
    const { switchName, otherSwitches, desired, ended } = change;
    const kept = former.switches.filter((name) => !otherSwitches.includes(name));
    const switches = sortedBy([...kept, ...(switchName === undefined ? [] : [switchName])], (name) => name);
    this.found = [...others, { ...desired, uuid: former.uuid, switches, ended }];
  }
}
