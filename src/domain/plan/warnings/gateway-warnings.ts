/**
 * Warns where pods do otherwise than the node's default routes say.
 */
import { MAIN_TABLE } from '../../basics/conventions.ts';
import {
  routingTableOf,
  unequalGatewaysOf,
  type UnusedDefaultRoute,
  unusedDefaultRoutes,
} from '../../discovery/default-gateways.ts';
import { routeText } from '../../entities/kernel/route-command.ts';
import { tableText } from '../../entities/kernel/route.ts';
import { groupBy } from '../../basics/names/grouping.ts';
import { distinct } from '../../basics/names/ordering.ts';
import type { Link } from '../../snapshot/node-snapshot.ts';
import type { NodeView } from '../../snapshot/node-view.ts';
import { nameSample } from '../../status/node-sample.ts';
import type { ClusterView } from '../view/cluster-view.ts';
import type { NodeDataplane } from '../node-dataplane.ts';

function unequalMessages(link: Link, families: ReadonlySet<4 | 6>, node: NodeView): readonly string[] {
  return unequalGatewaysOf(families, link, node).map((gateways) => {
    const weights = nameSample(gateways.map(({ address, weight }) => `${address} weight ${weight}`));
    return `the gateways of ${link.name} have different weights (${weights}), and routes of OVN have none: pods use each of them equally; give them equal weights, or make one a backup with a worse metric`;
  });
}

function whyUnused({ route, why }: UnusedDefaultRoute, link: Link, node: NodeView): string {
  switch (why) {
    case 'some-packets':
      return 'it is for some packets only; add a default route without "from" and "tos"';
    case 'one-half':
      return `it is half of a default route, and table ${tableText(route.table)} has no other half by the same gateway; add one`;
    case 'no-gateway':
      return 'it has no gateway; add one';
    case 'gateway-of-other-family':
      return `its gateway is not of IPv${route.family}, which gateway routers do not support; add a default route by an IPv${route.family} gateway`;
    case 'other-table': {
      const table = tableText(routingTableOf(link, node));
      return `it is not in table ${table}, and no rule before that of main selects its table for an address of ${link.name} alone; add it to table ${table}, or the rule: ip -${route.family} rule add from ADDRESS lookup ${route.table}`;
    }
  }
}

/** Whether a route of the main table leads out of an interface in a VRF, which there are warnings about whether networks have gateways or not. */
function isStray({ route }: UnusedDefaultRoute, link: Link, node: NodeView): boolean {
  return route.table === MAIN_TABLE && routingTableOf(link, node) !== MAIN_TABLE;
}

function unusedMessages(link: Link, families: ReadonlySet<4 | 6>, node: NodeView): readonly string[] {
  return ([4, 6] as const)
    .filter((family) => families.has(family))
    .flatMap((family) => unusedDefaultRoutes(family, link, node))
    .filter((unused) => !isStray(unused, link, node))
    .map((unused) => `${routeText(unused.route)} gives networks no gateway: ${whyUnused(unused, link, node)}`);
}

/** The warnings about the default routes of the uplinks that carry networks. */
export function gatewayMessages(
  node: NodeView,
  { view, dataplane: { programmed } }: { readonly view: ClusterView; readonly dataplane: NodeDataplane },
): readonly string[] {
  const familiesByKey = new Map(view.networks.map(({ key, families }) => [key, families]));
  return [...groupBy(programmed, ({ device }) => device)].flatMap(([device, onDevice]) => {
    const link = node.link(device);
    if (link === undefined) return [];
    const families = new Set(onDevice.flatMap(({ network }) => familiesByKey.get(network) ?? []));
    return [...unequalMessages(link, families, node), ...distinct(unusedMessages(link, families, node))];
  });
}
