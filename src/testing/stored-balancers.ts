/** A model of a Northbound database that stores load balancers of Services, as far as agents write them. */
import { byName } from '../domain/basics/names/ordering.ts';
import type {
  BalancerParent,
  FoundLoadBalancer,
  LoadBalancerChange,
} from '../domain/services/load-balancer-changes.ts';

/** The stored load balancers. */
export class StoredBalancers {
  list: readonly FoundLoadBalancer[] = [];
  #created = 0;

  /** Makes a change; nothing if its load balancer is not there any more. */
  make(change: LoadBalancerChange): void {
    if (change.verb === 'add') {
      this.#created += 1;
      const uuid = `uuid-${String(this.#created).padStart(6, '0')}`;
      const { desired, parentName } = change;
      const parents = [{ place: desired.place, name: parentName }];
      this.list = [...this.list, { ...desired, uuid, parents, ended: [] }];
      return;
    }
    this.list = this.list.flatMap((each) => (each.uuid === change.uuid ? changed(each, change) : [each]));
  }
}

const textOf = ({ place, name }: BalancerParent) => `${place} ${name}`;

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
      const { parentName, otherParents, desired, ended } = change;
      const gone = new Set(otherParents.map(textOf));
      const kept = former.parents.filter((parent) => !gone.has(textOf(parent)));
      const added = parentName === undefined ? [] : [{ place: desired.place, name: parentName }];
      const parents = [...kept, ...added].sort((one, other) => byName(textOf(one), textOf(other)));
      return [{ ...desired, uuid: former.uuid, parents, ended }];
    }
  }
}
