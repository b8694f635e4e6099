import type { Ledger } from '../../domain/snapshot/ledger.ts';
import type { ApplyResult } from '../apply-result.ts';
import type { Reading } from '../input-problem.ts';

/** The storage of the ledger. */
export interface LedgerStore {
  /**
   * Reads the last written ledger; an empty one if there is none. Returns an empty one with the reason for an unusable one, and keeps a copy before
   * that is overwritten. Never rejects.
   *
   * @param bootId the kernel's boot id; absent if unknown
   */
  read(bootId: string | undefined): Promise<Reading<Ledger>>;
  /**
   * Writes the whole ledger, durably; if that fails the former one is kept. Writes are done in order. Never rejects.
   */
  write(ledger: Ledger, bootId: string | undefined): Promise<ApplyResult>;
}
