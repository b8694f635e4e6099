import {
  type ClusterPlan,
  type ClusterSettings,
  type ClusterSnapshot,
  diffNode,
  semanticsOf,
  type NodePlan,
  type NodeSettings,
  type NodeSnapshot,
  nodeStatus,
  type Operation,
  planCluster,
  planNode,
  recover,
  type Recovery,
  type UplinkStateObject,
} from '../domain/index.ts';
import { egressFilter } from '../domain/datapath/nftables/egress-filter.ts';
import type { NftFilter } from '../domain/datapath/nftables/table.ts';
import type { ServicePort } from '../domain/api/service.ts';
import { chooseEndpoints, type ChoiceInput, type ChosenEndpoint } from '../domain/services/endpoint-choice.ts';
import {
  type DesiredLoadBalancers,
  type FoundLoadBalancer,
  type LoadBalancerChange,
  loadBalancerChanges,
  type ParentOf,
} from '../domain/services/load-balancer-changes.ts';
import { type LoadBalancer, type LoadBalancersInput, loadBalancersOf } from '../domain/services/load-balancers.ts';
import type { NamespaceNetwork } from '../domain/services/namespace-network.ts';
import { ServicesOnNode } from '../domain/services/services-on-node.ts';
import { defaultServicesIn } from '../domain/pods/default-services.ts';
import type { InterfaceLock } from '../domain/pods/interface-lock.ts';
import { attachmentsOf } from '../domain/pods/pod-attachment.ts';
import type { PodKey } from '../domain/pods/pod-key.ts';
import { lockOfPod } from '../domain/pods/pod-lock.ts';
import { podFactsIn } from '../domain/plan/view/pod-facts.ts';
import { viewCluster } from '../domain/plan/view/cluster-view.ts';
import { networkOfServices } from '../domain/plan/view/network-of-services.ts';

/** Decisions about a pod on a node. */
export interface PodOnNode {
  readonly attachments: ReturnType<typeof attachmentsOf>;
  /** The lock of its interface in the default network, with its open ports; absent where another pod has its name. Addresses of the node are left out. */
  readonly lock?: InterfaceLock;
}

/** An engine as the laws use it: every decision, and no effect. What an operation does to a node, the model of the node decides. */
export interface Engine {
  planNode(cluster: ClusterSnapshot, node: NodeSnapshot, settings: NodeSettings): NodePlan;
  /** @param plan as `planNode` returned it for this snapshot. */
  diffNode(plan: NodePlan, node: NodeSnapshot): readonly Operation[];
  nodeStatus(plan: NodePlan): readonly UplinkStateObject[];
  planCluster(cluster: ClusterSnapshot, settings: ClusterSettings): ClusterPlan;
  /** @param rest the operations after the failed one, in order. */
  recover(failed: Operation, rest: readonly Operation[], node: NodeSnapshot): Recovery;
  /** @returns what undoes an operation, from the node as it was before. */
  inverse(operation: Operation, before: NodeSnapshot): readonly Operation[];
  /** The filter of packets that leave networks by the node. A plan has the elements of its sets. */
  readonly egressFilter: NftFilter;
  /** @returns the endpoints for a port of a Service on a node. */
  chooseEndpoints(input: ChoiceInput & { readonly port: ServicePort }): readonly ChosenEndpoint[];
  /** @returns the load balancers of a Service that is served, on a node. */
  loadBalancersOf(input: LoadBalancersInput): readonly LoadBalancer[];
  /** @returns what an agent decides about a pod of its node. */
  podOnNode(pod: PodKey, node: string, cluster: ClusterSnapshot, settings: NodeSettings): PodOnNode;
  /** @returns the network of the Services of a namespace. */
  networkOfServices(namespace: string, cluster: ClusterSnapshot, settings: ClusterSettings): NamespaceNetwork;
  /** @returns the Services on a node, which take one state of the cluster after the other. */
  servicesOnNode(): Pick<ServicesOnNode, 'take' | 'desired'>;
  /** @returns the changes of the load balancers of a Service. */
  loadBalancerChanges(
    desired: DesiredLoadBalancers,
    found: readonly FoundLoadBalancer[],
    parentOf: ParentOf,
  ): readonly LoadBalancerChange[];
}

function podOnNode(pod: PodKey, node: string, cluster: ClusterSnapshot, settings: NodeSettings): PodOnNode {
  const facts = podFactsIn(cluster, pod, node, settings);
  const { services } = defaultServicesIn(cluster, settings);
  const lock = lockOfPod(facts.pod, pod.uid, { nodeAddresses: [], services });
  return { attachments: attachmentsOf(facts, pod.uid, settings), ...(lock && { lock }) };
}

/** The engine of ovn-uplinks. */
export const engine: Engine = {
  planNode,
  diffNode,
  nodeStatus,
  planCluster,
  recover,
  egressFilter,
  chooseEndpoints,
  loadBalancersOf,
  loadBalancerChanges,
  podOnNode,
  servicesOnNode: () => new ServicesOnNode(),
  networkOfServices: (namespace, cluster, settings) => networkOfServices(namespace, viewCluster(cluster, settings)),
  inverse: (operation, before) => semanticsOf(operation).inverse(operation, before),
};
