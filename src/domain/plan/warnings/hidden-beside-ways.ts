/**
 * Warnings about networks that leave by the node and have addresses where they leave it: of the device, or of the next hop. Other hosts there, such as
 * DNS servers, often have addresses of the same subnet; pods look for all of these in their own network (docs/design/node-egress.md, "The host").
 */
import { addressFamilies, type AddressFamily, familyOf, subnetContains } from '../../basics/addresses/ip-address.ts';
import { groupBy } from '../../basics/names/grouping.ts';
import { byName, distinct } from '../../basics/names/ordering.ts';
import { waysOn } from '../../dataplane/egress/egress-on-node.ts';
import { nameOfNetwork } from '../../network/key.ts';
import type { NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import type { NodeSettings } from '../../snapshot/settings.ts';
import { routesOut } from '../../snapshot/ways-out.ts';
import { nameSample } from '../../status/node-sample.ts';
import type { PlannedNetwork } from '../parts/part.ts';
import type { Warning } from '../view/warning.ts';

/** An address where networks leave the node. */
interface AddressOfWay {
  readonly address: string;
  /** The address and where it is, for people. */
  readonly text: string;
}

/** The next hops of default routes in force, and the addresses of the devices that packets of a family leave by. */
function addressesOfWays(node: NodeSnapshot, settings: NodeSettings, family: AddressFamily): readonly AddressOfWay[] {
  const devices = new Set(waysOn(node.routes, settings)[family]);
  const hops = routesOut(node.routes, family).flatMap(({ nextHops }) => nextHops);
  return [
    ...hops.flatMap(({ gateway, device = '' }) =>
      gateway !== undefined && devices.has(device)
        ? [{ address: gateway, text: `${gateway} (next hop by ${device})` }]
        : [],
    ),
    ...node.links
      .filter(({ name }) => devices.has(name))
      .flatMap(({ name, addresses }) =>
        addresses
          .filter(({ address }) => familyOf(address) === family)
          .map(({ address }) => ({ address, text: `${address} (of ${name})` })),
      ),
  ];
}

/** A warning for each subnet of networks that leave by the node, with all networks that have it. */
export function hiddenBesideWaysWarnings(
  provided: readonly PlannedNetwork[],
  node: NodeSnapshot,
  settings: NodeSettings,
): readonly Warning[] {
  const leaving = provided.flatMap(({ onNode, egress }) =>
    egress?.isProgrammed === true
      ? egress.subnets.map((subnet) => ({ subnet, network: nameOfNetwork(onNode.object) }))
      : [],
  );
  if (leaving.length === 0) return [];
  const found = addressFamilies.flatMap((family) => addressesOfWays(node, settings, family));
  return [...groupBy(leaving, ({ subnet }) => subnet)].flatMap(([subnet, networks]): readonly Warning[] => {
    const hidden = found.filter(({ address }) => subnetContains(subnet, address));
    if (hidden.length === 0) return [];
    const names = nameSample(distinct(networks.map(({ network }) => network)).toSorted(byName));
    const addresses = nameSample(distinct(hidden.map(({ text }) => text)).toSorted(byName));
    const message = `pods of ${names} do not reach ${addresses}, nor other hosts with addresses in ${subnet}, a subnet of their network: packets for these stay in the network, others leave all the same; if pods need such a host, for example a DNS server, give it another address, or recreate the network with other subnets`;
    return [{ object: `Node/${node.nodeName}`, message, seenOnNode: true }];
  });
}
