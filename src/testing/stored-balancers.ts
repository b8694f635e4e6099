/** A model of a Northbound database that stores load balancers of Services, as far as agents write them. */
import { byName } from '../domain/basics/names/ordering.ts';
import type { FoundLoadBalancer, LoadBalancerChange } from '../domain/services/load-balancer-changes.ts';

/** The stored load balancers. */
export class StoredBalancers {
  list: readonly FoundLoadBalancer[] = [];
  #created = 0;

  /** Makes a change; nothing if its load balancer is not there any more. */
  make(change: LoadBalancerChange): void {
    if (change.verb === 'add') {
      this.#created += 1;
      const uuid = `uuid-${String(this.#created).padStart(6, '0')}`;
      this.list = [...this.list, { ...change.desired, uuid, switches: [change.switchName], ended: [] }];
      return;
    }
    this.list = this.list.flatMap((each) => (each.uuid === change.uuid ? changed(each, change) : [each]));
  }
}

/** A load balancer after a change; none if it is deleted. */
function changed(
  former: FoundLoadBalancer,
  change: Extract<LoadBalancerChange, { readonly verb: 'replace' | 'remove' | 'forget' }>,
): readonly FoundLoadBalancer[] {
  switch (change.verb) {
    case 'remove':
      return [];
    case 'forget':
      return [former.ended.join() === change.ended.join() ? { ...former, ended: [] } : former];
    case 'replace': {
      const { switchName, otherSwitches, desired, ended } = change;
      const kept = former.switches.filter((name) => !otherSwitches.includes(name));
      const switches = [...kept, ...(switchName === undefined ? [] : [switchName])].sort(byName);
      return [{ ...desired, uuid: former.uuid, switches, ended }];
    }
  }
}
