import { gatewayRouterName } from '../../domain/network/names/gateway-router.ts';
import { logicalNetworkNames } from '../../domain/network/names/logical-network.ts';
import type { ParentOf } from '../../domain/services/load-balancer-changes.ts';
import type { LoadBalancersSnapshot } from '../../ports/node/load-balancers.ts';

/** Finds the switches of pods and the gateway routers on a node. */
export function parentsOn(
  node: string,
  { switches, routers }: Pick<LoadBalancersSnapshot, 'switches' | 'routers'>,
): ParentOf {
  const nameIn = (
    list: readonly { readonly name: string; readonly networkName: string }[],
    nameOf: (network: string) => string,
  ) =>
    new Map(
      list.flatMap(({ name, networkName }) => (name === nameOf(networkName) ? [[networkName, name] as const] : [])),
    );
  const found = {
    switch: nameIn(switches, (network) => logicalNetworkNames(network, node).nodeSwitch),
    router: nameIn(routers, (network) => gatewayRouterName(network, node)),
  };
  return (networkName, place) => found[place].get(networkName);
}
