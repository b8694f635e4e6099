import type { NorthboundRow } from '../../domain/datapath/northbound/row.ts';
import type { NorthboundSnapshot } from '../../ports/node/northbound.ts';

/**
 * The Northbound database in a node snapshot.
 *
 * @param missing tables and columns that it does not have
 */
export function northboundSnapshot(rows: readonly NorthboundRow[], missing: readonly string[]): NorthboundSnapshot {
  return {
    northbound: rows,
    isNorthboundRead: true,
    ...(missing.length > 0 && { missingNorthboundColumns: missing }),
  };
}
