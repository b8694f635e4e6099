import type { Ledger } from '../domain/snapshot/ledger.ts';
import type { ApplyResult } from './apply-result.ts';
import type { Reading } from './input-problem.ts';

/** The storage of the ledger. */
export interface LedgerStore {
  /**
   * Reads the ledger that was written last; an empty one where there is none. For one that is not understood it returns an empty one with the
   * reason, and keeps a copy before that is overwritten. Never rejects.
   *
   * @param bootId the kernel's id of this boot; absent where it is not known
   */
  read(bootId: string | undefined): Promise<Reading<Ledger>>;
  /**
   * Writes the whole ledger: once that is done a crash loses nothing of it, and where it is refused the former one is still there. Writes are done in
   * order. Never rejects.
   */
  write(ledger: Ledger, bootId: string | undefined): Promise<ApplyResult>;
}
