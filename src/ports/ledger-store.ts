import type { Ledger } from '../domain/snapshot/ledger.ts';
import type { CarriedOut } from './carried-out.ts';
import type { Reading } from './input-problem.ts';

/** Where the ledger is kept. */
export interface LedgerStore {
  /**
   * The ledger as it was written last; an empty one where none has been. One that cannot be understood is an empty one that says why, and is
   * kept aside before anything is written in its place. Never rejects.
   *
   * @param bootId the kernel's name of this boot; absent where it is not known
   */
  read(bootId: string | undefined): Promise<Reading<Ledger>>;
  /**
   * Writes the whole ledger: once it is done a crash loses nothing of it, and where it is refused the former one is there, whole. What is written
   * while another writing is under way comes after it. Never rejects.
   */
  write(ledger: Ledger, bootId: string | undefined): Promise<CarriedOut>;
}
