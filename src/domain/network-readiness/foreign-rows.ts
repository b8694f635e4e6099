import { servesRow } from '../entities/northbound-row.ts';
import { rowsByKey } from '../entities/northbound-words.ts';
import { rowKey } from '../node-model/northbound.ts';
import type { NetworkCheck } from './network-check.ts';

/** No row of another program, or of another network, is where one of the network's gateway router belongs; one that says the same serves. */
export const foreignRows: NetworkCheck = ({ dataplane, node }) => {
  const found = rowsByKey(node.snapshot.northbound);
  for (const entity of dataplane?.entities ?? []) {
    if (entity.kind !== 'northbound-row') continue;
    const { row } = entity;
    const other = found.get(rowKey(row));
    if (other === undefined || other.network === row.network || servesRow(other, row)) continue;
    return {
      reason: 'GatewayRouterFailed',
      row: `${row.table} ${row.name}`,
      ...(other.network !== undefined && { networkName: other.network }),
    };
  }
  return undefined;
};
