/**
 * Names of a network's entities in OVN (docs/design/field-facts.md, "OVN entity names").
 */

/** Names of one network's entities on one node. */
export interface GatewayRouterNames {
  readonly gatewayRouter: string;
  readonly clusterRouter: string;
  readonly joinSwitch: string;
  readonly nodeSwitch: string;
  readonly externalSwitch: string;
  /** The localnet port, for which ovn-controller adds the patch port on the bridge. */
  readonly localnetPort: string;
  /** Gateway router to external switch, and its peer. */
  readonly externalRouterPort: string;
  readonly externalSwitchPort: string;
  /** Gateway router to join switch, and its peer. */
  readonly joinRouterPort: string;
  readonly joinSwitchPort: string;
  /** Cluster router to node switch. */
  readonly nodeSwitchRouterPort: string;
  /** Address sets with the addresses of the cluster's nodes, by address family. ovn-nb(5) allows letters, digits, underscores and dots. */
  readonly nodeAddressSets: Readonly<Record<4 | 6, string>>;
}

/** Prefix of the names of a network's entities: `-` and `/` of its name are replaced by `.`. */
export function entityPrefix(networkName: string): string {
  return `${networkName.replaceAll(/[-/]/g, '.')}_`;
}

function addressSet(nodeSwitch: string, family: 4 | 6): string {
  return `${nodeSwitch.replaceAll('-', '.')}_node_ips_v${String(family)}`;
}

/** The names of a Layer3 network's entities. */
export function gatewayRouterNames(networkName: string, node: string, bridge: string): GatewayRouterNames {
  const prefix = entityPrefix(networkName);
  const gatewayRouter = `GR_${prefix}${node}`;
  const nodeSwitch = `${prefix}${node}`;
  return {
    gatewayRouter,
    clusterRouter: `${prefix}ovn_cluster_router`,
    joinSwitch: `${prefix}join`,
    nodeSwitch,
    externalSwitch: `ext_${prefix}${node}`,
    localnetPort: `${bridge}_${prefix}${node}`,
    externalRouterPort: `rtoe-${gatewayRouter}`,
    externalSwitchPort: `etor-${gatewayRouter}`,
    joinRouterPort: `rtoj-${gatewayRouter}`,
    joinSwitchPort: `jtor-${gatewayRouter}`,
    nodeSwitchRouterPort: `rtos-${nodeSwitch}`,
    nodeAddressSets: { 4: addressSet(nodeSwitch, 4), 6: addressSet(nodeSwitch, 6) },
  };
}
