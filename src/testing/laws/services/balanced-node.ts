import type { EndpointSlice } from '../../../domain/api/endpoint-slice.ts';
import type { LoadBalancerChange, ParentOf } from '../../../domain/services/load-balancer-changes.ts';
import { logicalNetworkNames } from '../../../domain/network/names/logical-network.ts';
import { subnetIndex } from '../../../domain/network/provision/used-subnets.ts';
import { hasOtherProxy } from '../../../domain/services/service-scope.ts';
import type { ServedObjects } from '../../../domain/services/services-on-node.ts';
import type { ClusterSnapshot } from '../../../domain/snapshot/cluster-snapshot.ts';
import type { Case } from '../../case.ts';
import type { Engine } from '../../engine.ts';
import { StoredBalancers } from '../../stored-balancers.ts';
import { servedServices } from './served-services.ts';

/** A change of a load balancer of a Service, as `namespace/name`. */
export interface OwnedChange {
  readonly owner: string;
  readonly change: LoadBalancerChange;
}

/** The objects that the agents of a cluster see once its mirrors are written. */
export function servedObjects(engine: Engine, subject: Case): ServedObjects {
  const { sources, mirrors } = servedServices(engine, subject);
  return {
    // The cluster manager labels those that have no label yet.
    services: subject.cluster.services.filter((service) => !hasOtherProxy(service)),
    slices: [...sources, ...mirrors],
    unreadable: { services: [], slices: [] },
  };
}

/** The key of a Service or a slice, `namespace/name`. */
export const keyOf = ({ metadata: { namespace = '', name } }: ServedObjects['services'][number] | EndpointSlice) =>
  `${namespace}/${name}`;

const nothingUsed = subnetIndex([]);

/** No network has a way from the wire. */
const withoutWay = () => 'none' as const;

/** A node with load balancers. All networks are on it. */
export class BalancedNode {
  readonly stored = new StoredBalancers();
  readonly #engine: Engine;
  readonly #case: Case;
  readonly #services: ReturnType<Engine['servicesOnNode']>;
  readonly #networkOf: ReturnType<BalancedNode['networksIn']>;
  readonly #keys = new Set<string>();

  constructor(engine: Engine, subject: Case) {
    this.#engine = engine;
    this.#case = subject;
    this.#services = engine.servicesOnNode();
    this.#networkOf = this.networksIn(subject.cluster);
  }

  /** Makes load balancers as they should be. @returns the Services that were judged again, and the changes */
  update(
    objects: ServedObjects,
    networkOf = this.#networkOf,
  ): { readonly judged: ReadonlySet<string>; readonly changes: readonly OwnedChange[] } {
    const { nodes } = this.#case.cluster;
    const { masqueradeSubnets } = this.#case.settings;
    const [name = ''] = nodes.map(({ metadata }) => metadata.name);
    const outside = { externalIps: [], used: nothingUsed, wayOf: withoutWay };
    const judged = this.#services.take(objects, { node: { name }, masqueradeSubnets, networkOf, outside });
    for (const key of [...objects.services.map(keyOf), ...this.stored.list.map(({ owner }) => owner)])
      this.#keys.add(key);
    const parentOf: ParentOf = (networkName, place) =>
      place === 'switch' ? logicalNetworkNames(networkName, name).nodeSwitch : undefined;
    const changes = [...this.#keys].flatMap((owner) =>
      this.#engine
        .loadBalancerChanges(
          this.#services.desired(owner).loadBalancers,
          this.stored.list.filter((each) => each.owner === owner),
          parentOf,
        )
        .map((change): OwnedChange => ({ owner, change })),
    );
    for (const { change } of changes) this.stored.make(change);
    return { judged, changes };
  }

  /** The networks of namespaces in a cluster. */
  networksIn(cluster: ClusterSnapshot) {
    return (namespace: string) => this.#engine.networkOfServices(namespace, cluster, this.#case.settings);
  }
}
