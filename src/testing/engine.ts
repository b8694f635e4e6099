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
import type { ServicePort } from '../domain/api/service.ts';
import { chooseEndpoints, type ChoiceInput, type ChosenEndpoint } from '../domain/services/endpoint-choice.ts';
import { type LoadBalancer, type LoadBalancersInput, loadBalancersOf } from '../domain/services/load-balancers.ts';

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
  /** @returns the endpoints for a port of a Service on a node. */
  chooseEndpoints(input: ChoiceInput & { readonly port: ServicePort }): readonly ChosenEndpoint[];
  /** @returns the load balancers of a Service that is served, on a node. */
  loadBalancersOf(input: LoadBalancersInput): readonly LoadBalancer[];
}

/** The engine of ovn-uplinks. */
export const engine: Engine = {
  planNode,
  diffNode,
  nodeStatus,
  planCluster,
  recover,
  chooseEndpoints,
  loadBalancersOf,
  inverse: (operation, before) => semanticsOf(operation).inverse(operation, before),
};
