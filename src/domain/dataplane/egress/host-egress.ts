/**
 * Routes and rules by which packets of a network leave by the kernel, and their answers come back (docs/design/node-egress.md, "The host"; ip-rule(8)). The main table decides where they leave,
 * as for the node itself: a default route that comes, goes or changes needs nothing here.
 */
import { EGRESS_RULE_PRIORITY, MAIN_TABLE, OWN_ROUTE_PROTOCOL, OWN_RULE_PRIORITY } from '../../basics/conventions.ts';
import { familyOf, withoutLength } from '../../basics/addresses/ip-address.ts';
import type { Entity } from '../../entities/entity-kinds.ts';
import { routeEntity } from '../../entities/kernel/route.ts';
import { ruleEntity } from '../../entities/kernel/rule.ts';
import { managementPortName } from '../../network/names/management-port.ts';
import { ownRoute } from '../routes.ts';
import type { NetworkAddress } from './network-by-node.ts';

/** A network that leaves by the host. */
export interface NetworkByHost {
  readonly networkId: number;
  /** Of the router of its pods on the node, CIDR. */
  readonly routerAddresses: readonly string[];
  /** Of its VRF. */
  readonly table: number;
  readonly networkAddresses: readonly NetworkAddress[];
}

/** The route and the rules of an address of a network. */
function entitiesFor({ networkId, routerAddresses, table }: NetworkByHost, own: NetworkAddress): readonly Entity[] {
  const { family, address } = own;
  const device = managementPortName(networkId);
  const gateways = routerAddresses.filter((each) => familyOf(each) === family).map(withoutLength);
  const destination = `${address}/${family === 4 ? 32 : 128}`;
  const rule = { family, protocol: OWN_ROUTE_PROTOCOL };
  return [
    ...gateways
      .slice(0, 1)
      .map((gateway) =>
        routeEntity({ ...ownRoute(family, table, destination), type: 'unicast', nextHops: [{ device, gateway }] }),
      ),
    ruleEntity({ ...rule, priority: OWN_RULE_PRIORITY, table, others: { dst: JSON.stringify(address) } }),
    // Answers need it too: where the kernel asks by which device they should come (rp_filter), it looks up what they answer, in the VRF that they go to
    // (net/ipv4/fib_frontend.c, __fib_validate_source). So it must not depend on a mark.
    ruleEntity({
      ...rule,
      priority: EGRESS_RULE_PRIORITY,
      table: MAIN_TABLE,
      others: { src: JSON.stringify(address) },
    }),
  ];
}

/** The routes and rules by which a network leaves by the host and its answers come back. */
export function hostEgress(network: NetworkByHost): readonly Entity[] {
  return network.networkAddresses.flatMap((address) => entitiesFor(network, address));
}
