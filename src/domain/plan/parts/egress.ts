/** The way out of a network by the node (docs/design/node-egress.md): rows in OVN, routes and rules of the kernel, and the filter that all such networks share. */
import { networkOwner } from '../../dataplane/owner.ts';
import { egressRows, type LeavingNetwork } from '../../dataplane/egress/egress-rows.ts';
import { deniedIn, filterFor, waysOf } from '../../dataplane/egress/filter-elements.ts';
import { hostEgress } from '../../dataplane/egress/host-egress.ts';
import { networksInForce } from '../../dataplane/egress/networks-in-force.ts';
import { egressFilter } from '../../datapath/nftables/egress-filter.ts';
import type { Entity } from '../../entities/entity-kinds.ts';
import { filterTable, filterTableEntity } from '../../entities/kernel/filter-table.ts';
import { rule as ruleKind, ruleEntity } from '../../entities/kernel/rule.ts';
import { newRowEntity } from '../../entities/ovn/northbound-row.ts';
import { interned, lazyByContent } from '../../basics/incremental/interned.ts';
import type { FilterTable } from '../../snapshot/datapath.ts';
import type { NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import { lastByReadParts } from '../../snapshot/read-parts.ts';
import { deniedDestinations } from '../view/denied-destinations.ts';
import type { DesiredEntity, PartOfNetwork, PlannedNetwork, SettledInput } from './part.ts';

/** Number of networks whose entities are cached: more than a node has. */
const CACHED_NETWORKS = 5000;

const rowsFor = lazyByContent((network: LeavingNetwork) => egressRows(network).map(newRowEntity), CACHED_NETWORKS);

const onHost = lazyByContent(hostEgress, CACHED_NETWORKS);

/** The filter that a node has. */
function filterOn({ filterTables }: NodeSnapshot): FilterTable | undefined {
  return filterTables.find(({ name }) => name === egressFilter.table.name);
}

const lastFilter = lastByReadParts<FilterTable>();

const sameEntity = interned<Entity>(1);

/** The filter, with all networks that leave by the node, and those that are held. */
function shared(
  networks: readonly PlannedNetwork[],
  { view, node, settings, enslaved }: SettledInput,
  isHeld: (entity: Entity) => boolean,
): readonly DesiredEntity[] {
  const leaving = networks.filter(({ egress }) => egress?.isProgrammed === true);
  const held = networksInForce(node.snapshot, (rule) => isHeld(ruleEntity(rule)));
  if (leaving.length + held.length === 0) return [];
  const { subnets: denied, isDefaultNetworkKnown } = deniedDestinations(view.snapshot.nodes, view.settings);
  const inFilter = leaving.flatMap(({ egress }) => egress ?? []);
  const inputs = [denied, JSON.stringify(held), ...enslaved, ...inFilter];
  const table = lastFilter(settings, inputs, node, ({ snapshot }) => {
    // Their default routes are not in the main table, or leave it.
    const others = snapshot.routes.filter(({ nextHops }) => nextHops.every(({ device = '' }) => !enslaved.has(device)));
    return filterFor([...inFilter, ...held], {
      ways: waysOf(others, settings.egressDevices),
      // What was denied stays denied while it is not known what should be.
      denied: isDefaultNetworkKnown ? denied : [...denied, ...deniedIn(filterOn(snapshot))],
      allowed: settings.egressAllow,
    });
  });
  // Held networks are given nothing, but a filter that was lost.
  const owners = leaving.map(({ onNode }) => networkOwner(onNode.object));
  return [{ entity: sameEntity(filterTableEntity(table)), owners }];
}

export const egress: PartOfNetwork = {
  plan: ({ addressed, vrf, egress: way }) => {
    if (way?.isProgrammed !== true) return [];
    const { networkAddresses, chassis, unreached, opened } = way;
    const { network, addresses } = addressed;
    return [
      rowsFor({ addressed, networkAddresses, chassis, unreached, opened }),
      onHost({
        networkId: network.networkId,
        routerAddresses: addresses.routerAddresses,
        table: vrf.table,
        networkAddresses,
      }),
    ];
  },
  shared,
  reasons: { [filterTable.kind]: 'EgressFailed', [ruleKind.kind]: 'EgressFailed' },
};
