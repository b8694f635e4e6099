import { Connection } from './connection.ts';
import type { Server } from './server.ts';
import { socketError } from './tls-error.ts';
import { type OvsdbTiming, USUAL_TIMING } from './timing.ts';
import { type TransactionResult, transactionResult } from './transaction-result.ts';

/** Makes a transaction by a connection of its own, for what is seldom done. Never rejects. */
export async function transactOnce(
  { addresses: [address], tls }: Server,
  database: string,
  operations: readonly unknown[],
  timing: OvsdbTiming = USUAL_TIMING,
): Promise<TransactionResult> {
  if (address === undefined) return { outcome: 'unknown', reason: 'has no address' };
  try {
    const connection = await Connection.open(address, timing, tls);
    const reply = await connection.request('transact', [database, ...operations]);
    connection.close('is not needed any more');
    return transactionResult(reply);
  } catch (error) {
    return { outcome: 'unknown', reason: `cannot be reached: ${socketError(error)}` };
  }
}
