import type { NorthboundRow } from '../../datapath/northbound/row.ts';
import type { DatabaseOperation } from '../../datapath/ovsdb/database-operation.ts';
import { northboundTransaction, type RowChange } from '../../datapath/ovsdb/row-transaction.ts';
import type { Command } from '../command.ts';

/** The command that makes changes of rows. @param northbound the rows as they were read */
export function northboundCommand(changes: readonly RowChange[], northbound: readonly NorthboundRow[]): Command {
  return northboundProgram(northboundTransaction(changes, northbound).map(({ operation }) => operation));
}

/** The command that applies operations on the Northbound database in one transaction. */
export function northboundProgram(operations: readonly DatabaseOperation[]): Command {
  return {
    program: 'ovsdb-client',
    arguments: ['transact', 'unix:/var/run/ovn/ovnnb_db.sock', JSON.stringify(['OVN_Northbound', ...operations])],
  };
}
