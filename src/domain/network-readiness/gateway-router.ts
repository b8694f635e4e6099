import { servesRow } from '../entities/northbound-row.ts';
import { rowsByKey } from '../entities/northbound-words.ts';
import { rowKey } from '../node-model/northbound.ts';
import type { NetworkCheck } from './network-check.ts';

/**
 * The network's gateway router can be made: this version makes those of its topology, and no row of another program, or of another network, is where one
 * of its rows belongs. One that says the same serves.
 */
export const gatewayRouter: NetworkCheck = ({ dataplane, unknownDatapath, node }) => {
  if (node.snapshot.isNorthboundRead === true && unknownDatapath !== undefined && 'topology' in unknownDatapath) {
    return { reason: 'GatewayRouterFailed', cause: 'unsupported-topology', topology: unknownDatapath.topology };
  }
  const found = rowsByKey(node.snapshot.northbound);
  for (const entity of dataplane?.entities ?? []) {
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
};
