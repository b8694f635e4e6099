/**
 * The Services of networks on a node, decided as its agent does: the load balancers in OVN, and the flows of uplink bridges by which packets come to them from the wire. Neither is
 * part of the plan of the node (docs/design/services.md, "The loop of a node").
 */
import type { Service } from '../../../api/service.ts';
import { lazyByKey } from '../../../basics/incremental/lazy.ts';
import { by, byName } from '../../../basics/names/ordering.ts';
import { exposedFlows, flowsOnBridge } from '../../../dataplane/pipeline/exposed-flows.ts';
import { exposedRows } from '../../../dataplane/pipeline/exposed-rows.ts';
import { type UplinkWay, uplinkWays } from '../../../dataplane/uplink-ways.ts';
import { flowKey } from '../../../datapath/openflow/flow-entry.ts';
import type { NodePlan } from '../../../plan/node-plan.ts';
import { clusterSubnets } from '../../../plan/view/cluster-subnets.ts';
import { type ClusterView, viewCluster } from '../../../plan/view/cluster-view.ts';
import { networkOfServices } from '../../../plan/view/network-of-services.ts';
import { placeOf } from '../../../services/endpoint-choice.ts';
import type { LoadBalancer } from '../../../services/load-balancers.ts';
import { servedOutside, type ServedOutside, wayFinder } from '../../../services/served-outside.ts';
import { keyOf, namespaceOf } from '../../../services/services-by-namespace.ts';
import { serviceScope, type ServiceScope } from '../../../services/service-scope.ts';
import { nameSample } from '../../../status/node-sample.ts';
import { type DesiredService, type ServiceSurroundings, ServicesOnNode } from '../../../services/services-on-node.ts';
import type { ClusterSnapshot } from '../../../snapshot/cluster-snapshot.ts';
import type { BridgeFlow } from '../../../snapshot/datapath.ts';
import type { NodeSnapshot } from '../../../snapshot/node-snapshot.ts';
import { viewNode } from '../../../snapshot/node-view.ts';
import type { NodeSettings } from '../../../snapshot/settings.ts';

/** A Service on a node. */
export interface ServiceHere {
  /** `namespace/name`. */
  readonly key: string;
  readonly service: Service;
  readonly scope: ServiceScope;
  /** Its addresses and ports outside of its network, also those that it does not get; absent where it is not served. */
  readonly outside?: ServedOutside;
  /** The ports by which it is reached from the wire. */
  readonly exposed: DesiredService['exposed'];
  readonly balancers: readonly LoadBalancer[];
}

/** A flow of a bridge by which Services are reached. */
export interface ServiceFlow {
  readonly flow: BridgeFlow;
  readonly why: string;
}

/** The Services of networks on a node. */
export interface NodeServices {
  /** All Services of the cluster, by key. */
  readonly all: readonly ServiceHere[];
  readonly flows: readonly ServiceFlow[];
  /** The ways of networks from the wire. */
  readonly ways: readonly UplinkWay[];
}

/** A Service, for people. */
export const named = (key: string) => `Service/${key}`;

function surroundingsOf(
  view: ClusterView,
  nodeName: string,
  ways: readonly UplinkWay[],
  { dataplane: { kept } }: NodePlan,
): ServiceSurroundings {
  const { snapshot, settings } = view;
  const byNetwork = new Map(ways.map((way) => [way.networkName, way]));
  const held = new Set(kept.map(({ networkName }) => networkName));
  const object = view.nodes.byName.get(nodeName);
  return {
    node: object === undefined ? { name: nodeName } : placeOf(object),
    masqueradeSubnets: settings.masqueradeSubnets,
    networkOf: lazyByKey((namespace: string) => networkOfServices(namespace, view)),
    outside: {
      externalIps: settings.externalIps,
      used: clusterSubnets(snapshot.nodes, settings),
      wayOf: wayFinder(byNetwork, held),
    },
  };
}

/** The reasons of flows that are for one port or address, by which it matters whose it is. */
const reasonsOfPlaces: ReadonlySet<string> = new Set(
  [...exposedRows.port, ...exposedRows.address].map(({ why }) => why),
);

/** The flows of Services, each once, with its reason and, where it is for a port or an address, the Services that have that. */
function flowsOf(all: readonly ServiceHere[]): readonly ServiceFlow[] {
  const flows = new Map<string, { readonly flow: BridgeFlow; readonly why: string; readonly of: string[] }>();
  for (const { key, exposed } of all) {
    if (typeof exposed === 'string') continue;
    const { way, ports } = exposed;
    const reasons = exposedFlows(way.scope, ports).map(({ why }) => why);
    for (const [at, flow] of flowsOnBridge(way.scope, ports).entries()) {
      const id = `${flow.bridge} ${flowKey(flow)}`;
      const found = flows.get(id) ?? { flow, why: reasons[at] ?? '', of: [] };
      found.of.push(named(key));
      flows.set(id, found);
    }
  }
  return [...flows.values()].map(({ flow, why, of }) => ({
    flow,
    why: reasonsOfPlaces.has(why) ? `${nameSample(of.sort(byName))}: ${why}` : why,
  }));
}

/**
 * Decides how the Services of a cluster are served on a node.
 *
 * @param plan of the node
 */
export function nodeServices(
  cluster: ClusterSnapshot,
  node: NodeSnapshot,
  settings: NodeSettings,
  plan: NodePlan,
): NodeServices {
  const view = viewCluster(cluster, settings);
  const ways = uplinkWays(plan.dataplane.programmed, view.settings, viewNode(node));
  const surroundings = surroundingsOf(view, node.nodeName, ways, plan);
  const { networkOf, outside } = surroundings;
  const unread = (kind: 'services' | 'endpointSlices') => [...view.unreadable(kind)];
  const services = new ServicesOnNode();
  services.take(
    {
      services: cluster.services,
      slices: cluster.endpointSlices,
      unreadable: { services: unread('services'), slices: unread('endpointSlices') },
    },
    surroundings,
  );
  const all = cluster.services
    .map((service): ServiceHere => {
      const key = keyOf(service);
      const scope = serviceScope(service, networkOf(namespaceOf(service)));
      const { exposed, loadBalancers } = services.desired(key);
      return {
        key,
        service,
        scope,
        ...(scope.kind === 'served' && { outside: servedOutside(service, scope.network, outside) }),
        exposed,
        balancers: loadBalancers.balancers,
      };
    })
    .toSorted(by(({ key }) => key));
  return { all, flows: flowsOf(all), ways };
}
