/**
 * The rows of OVN's Northbound database for addresses of Services that no Service of the network has (docs/design/services.md, "Addresses that no Service has"; ovn-nb(5)): packets to
 * them are refused, and never leave the network. Load balancers are before them.
 */
import { familyOf, withoutContained } from '../../basics/addresses/ip-address.ts';
import { nameOfUnnamed } from '../../datapath/northbound/row-name.ts';
import type { NorthboundRow } from '../../datapath/northbound/row.ts';
import { northboundTables } from '../../datapath/northbound/tables.ts';
import { logicalNetworkNames } from '../../network/names/logical-network.ts';
import { policyOf } from '../northbound-parts.ts';
import type { AddressedNetwork } from './logical-network-rows.ts';

/** The priorities of the ACL, which is alone on its switch, and of the policy. */
const PRIORITIES = { refused: 1000, dropped: 1005 } as const;

const [MARK, MARKED] = northboundTables.ACL.mark;

/** Refuses packets of pods on a switch. Behind load balancers, what one of them takes has another destination. */
function refusal(nodeSwitch: string, match: string): NorthboundRow {
  const columns = {
    direction: 'from-lport',
    priority: PRIORITIES.refused,
    match,
    action: 'reject',
    options: { 'apply-after-lb': 'true' },
  };
  return {
    table: 'ACL',
    name: nameOfUnnamed('ACL', columns, nodeSwitch),
    columns,
    externalIds: { [MARK]: MARKED },
    parents: [{ table: 'Logical_Switch', name: nodeSwitch, column: 'acls' }],
  };
}

/**
 * The rows for subnets of Services. On the router a policy drops what comes to it nevertheless: a route that discards it would come after the routes by source, whose
 * prefixes are longer.
 */
export function unservedRows(
  { network: { networkName }, node }: AddressedNetwork,
  serviceSubnets: readonly string[],
): readonly NorthboundRow[] {
  const { nodeSwitch, clusterRouter } = logicalNetworkNames(networkName, node.name);
  return withoutContained(serviceSubnets).flatMap((subnet) => {
    const match = `ip${String(familyOf(subnet))}.dst == ${subnet}`;
    const rows = [
      refusal(nodeSwitch, match),
      policyOf(clusterRouter, { priority: PRIORITIES.dropped, match, action: 'drop' }),
    ];
    return rows.map((row) => ({ ...row, network: networkName, isOfZone: true as const }));
  });
}
