/**
 * Names of the entities by which a network leaves a node (docs/design/field-facts.md, "OVN entity names").
 */
import { entityPrefix, logicalNetworkNames } from './logical-network.ts';

/**
 * The part between a gateway router and the pods of its network on a node: the cluster router of a Layer3 network, behind a join switch; the transit
 * router of a Layer2 network; or, for a Layer2 network of older versions of OVN-Kubernetes, nothing: the router is on the switch of the pods.
 */
export type Inside = 'join-switch' | 'transit-router' | 'switch';

/** Names of one network's entities on one node. */
export interface GatewayRouterNames {
  readonly gatewayRouter: string;
  readonly externalSwitch: string;
  /** The localnet port, for which ovn-controller adds the patch port on the bridge. */
  readonly localnetPort: string;
  /** Gateway router to external switch, and its peer. */
  readonly externalRouterPort: string;
  readonly externalSwitchPort: string;
  /** Address sets with the addresses of the cluster's nodes, by address family. ovn-nb(5) allows letters, digits, underscores and dots. */
  readonly nodeAddressSets: Readonly<Record<4 | 6, string>>;
  readonly inside: InsideNames;
}

/** Names of what is between a gateway router and the pods. */
export interface InsideNames {
  /** The switch of the pods on this node. */
  readonly podSwitch: string;
  /** The port of a router to that switch. */
  readonly podRouterPort: string;
  /** The router between; absent where the gateway router itself is on the switch. */
  readonly router?: string;
  /** The switch between the two routers, and the port of the router between to it; absent where they are peers. */
  readonly joinSwitch?: string;
  readonly joinRouterPort?: string;
  /** The port of the gateway router, and its peer: on a switch, or on the other router. */
  readonly routerPort: string;
  readonly peer: string;
}

/** Name of the transit router of a Layer2 network. */
export function transitRouterName(networkName: string): string {
  return `${entityPrefix(networkName)}transit_router`;
}

function addressSet(prefix: string, node: string, family: 4 | 6): string {
  return `${prefix}${node.replaceAll('-', '.')}_node_ips_v${String(family)}`;
}

function insideNames(networkName: string, node: string, gatewayRouter: string, inside: Inside): InsideNames {
  const prefix = entityPrefix(networkName);
  const layer2Switch = `${prefix}ovn_layer2_switch`;
  switch (inside) {
    case 'join-switch': {
      const { nodeSwitch, nodeRouterPort, clusterRouter, joinSwitch, joinRouterPort } = logicalNetworkNames(
        networkName,
        node,
      );
      return {
        podSwitch: nodeSwitch,
        podRouterPort: nodeRouterPort,
        router: clusterRouter,
        joinSwitch,
        joinRouterPort,
        routerPort: `rtoj-${gatewayRouter}`,
        peer: `jtor-${gatewayRouter}`,
      };
    }
    case 'transit-router':
      return {
        podSwitch: layer2Switch,
        podRouterPort: `trtos-${layer2Switch}`,
        router: transitRouterName(networkName),
        routerPort: `rtotr-${gatewayRouter}`,
        peer: `trtor-${gatewayRouter}`,
      };
    case 'switch':
      return {
        podSwitch: layer2Switch,
        podRouterPort: `rtos-${layer2Switch}`,
        routerPort: `rtos-${layer2Switch}`,
        peer: `stor-${layer2Switch}`,
      };
  }
}

/** Name of the gateway router of a network on a node. */
export function gatewayRouterName(networkName: string, node: string): string {
  return `GR_${entityPrefix(networkName)}${node}`;
}

/** The names of a network's entities. */
export function gatewayRouterNames(
  networkName: string,
  node: string,
  bridge: string,
  inside: Inside = 'join-switch',
): GatewayRouterNames {
  const prefix = entityPrefix(networkName);
  const gatewayRouter = gatewayRouterName(networkName, node);
  return {
    gatewayRouter,
    externalSwitch: `ext_${prefix}${node}`,
    localnetPort: `${bridge}_${prefix}${node}`,
    externalRouterPort: `rtoe-${gatewayRouter}`,
    externalSwitchPort: `etor-${gatewayRouter}`,
    nodeAddressSets: { 4: addressSet(prefix, node, 4), 6: addressSet(prefix, node, 6) },
    inside: insideNames(networkName, node, gatewayRouter, inside),
  };
}
