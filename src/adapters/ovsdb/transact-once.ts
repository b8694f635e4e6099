import { Connection } from './connection.ts';
import type { DatabaseServer } from './server.ts';
import { socketError } from './tls-error.ts';
import { type OvsdbTiming, USUAL_TIMING } from './timing.ts';
import { type TransactionResult, transactionResult } from './transaction-result.ts';

/** Makes a transaction by a connection of its own to the first address that can be reached, for what is seldom done. Never rejects. */
export async function transactOnce(
  { addresses, tls }: DatabaseServer,
  database: string,
  operations: readonly unknown[],
  timing: OvsdbTiming = USUAL_TIMING,
): Promise<TransactionResult> {
  const reasons: string[] = [];
  for (const address of addresses) {
    let connection: Connection;
    try {
      connection = await Connection.open(address, timing, tls);
    } catch (error) {
      reasons.push(socketError(error));
      continue;
    }
    const reply = await connection.request('transact', [database, ...operations]);
    connection.close('is not needed any more');
    return transactionResult(reply);
  }
  return { outcome: 'unknown', reason: `cannot be reached: ${reasons.join('; ')}` };
}
