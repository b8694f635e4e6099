/**
 * Names of the entities of a Layer3 network in OVN, apart from those by which it leaves (docs/design/field-facts.md, "OVN entity names" and "Zones").
 */

/** Prefix of the names of a network's entities: `-` and `/` of its name are replaced by `.`. */
export function entityPrefix(networkName: string): string {
  return `${networkName.replaceAll(/[-/]/g, '.')}_`;
}

/** Names of a Layer3 network's entities in the zone of a node. */
export interface LogicalNetworkNames {
  /** The switch of the pods on the node. */
  readonly nodeSwitch: string;
  /** The management port on that switch. */
  readonly managementPort: string;
  readonly clusterRouter: string;
  /** Cluster router to node switch, and its peer. */
  readonly nodeRouterPort: string;
  readonly nodeSwitchPort: string;
  /** The switch between cluster router and gateway router. */
  readonly joinSwitch: string;
  /** Cluster router to join switch, and its peer. */
  readonly joinRouterPort: string;
  readonly joinSwitchPort: string;
  /** The switch between the zones, which has the same name in each of them. */
  readonly transitSwitch: string;
  /** Cluster router to transit switch. Its peer has the name that `transitSwitchPort` gives it. */
  readonly transitRouterPort: string;
}

/** The port of a node on the transit switch of a network, in all zones. */
export function transitSwitchPort(networkName: string, node: string): string {
  return `${entityPrefix(networkName)}tstor-${node}`;
}

/** The names of a Layer3 network's entities in the zone of a node. */
export function logicalNetworkNames(networkName: string, node: string): LogicalNetworkNames {
  const prefix = entityPrefix(networkName);
  const nodeSwitch = `${prefix}${node}`;
  const clusterRouter = `${prefix}ovn_cluster_router`;
  return {
    nodeSwitch,
    managementPort: `k8s-${nodeSwitch}`,
    clusterRouter,
    nodeRouterPort: `rtos-${nodeSwitch}`,
    nodeSwitchPort: `stor-${nodeSwitch}`,
    joinSwitch: `${prefix}join`,
    joinRouterPort: `rtoj-${clusterRouter}`,
    joinSwitchPort: `jtor-${clusterRouter}`,
    transitSwitch: `${prefix}transit_switch`,
    transitRouterPort: `${prefix}rtots-${node}`,
  };
}
