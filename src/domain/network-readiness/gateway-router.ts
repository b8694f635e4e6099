import type { Entity } from '../entities/entity-kinds.ts';
import { servesRow } from '../entities/northbound-row.ts';
import { rowsByKey } from '../entities/northbound-words.ts';
import { lastByObject } from '../lazy.ts';
import { rowKey } from '../node-model/northbound.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import type { NetworkCheck, NetworkFailure } from './network-check.ts';

/** The result for a network, as long as its rows and those of the node are the same. */
const lastOfDatapath = lastByObject<NetworkFailure | undefined>();

function rowInTheWay(entities: readonly Entity[], { northbound }: NodeSnapshot): NetworkFailure | undefined {
  const found = rowsByKey(northbound);
  for (const entity of entities) {
    if (entity.kind !== 'northbound-row') continue;
    const { row } = entity;
    const other = found.get(rowKey(row));
    if (other === undefined || other.network === row.network || servesRow(other, row)) continue;
    return {
      reason: 'GatewayRouterFailed',
      cause: 'row-in-the-way',
      row: `${row.table} ${row.name}`,
      ...(other.network !== undefined && { networkName: other.network }),
    };
  }
  return undefined;
}

/**
 * The network's gateway router can be made: this version makes those of its topology, and no row of another program, or of another network, is where one
 * of its rows belongs. One that says the same serves.
 */
export const gatewayRouter: NetworkCheck = ({ dataplane, unknownDatapath, node: { snapshot } }) => {
  if (snapshot.isNorthboundRead === true && unknownDatapath !== undefined && 'topology' in unknownDatapath) {
    return { reason: 'GatewayRouterFailed', cause: 'unsupported-topology', topology: unknownDatapath.topology };
  }
  if (dataplane?.datapath === undefined) return undefined;
  const { datapath, entities } = dataplane;
  const missing = (snapshot.missingNorthboundColumns ?? []).join(' ');
  return lastOfDatapath(datapath, [snapshot.northbound, missing], () => rowInTheWay(entities, snapshot));
};
