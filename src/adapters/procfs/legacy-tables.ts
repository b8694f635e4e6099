import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ForwardDrop } from '../../domain/snapshot/datapath.ts';
import { inFile, type Reading } from '../../ports/input-problem.ts';
import { allOf, mapReading } from '../../ports/readings.ts';
import { fileError, isFileError } from '../file-system/file-error.ts';

/** The files of /proc/net that name the tables of iptables-legacy, one a line, and the family of these tables. */
export const legacyTableFiles = [
  { file: 'ip_tables_names', family: 'ip' },
  { file: 'ip6_tables_names', family: 'ip6' },
] as const;

export type LegacyFamily = (typeof legacyTableFiles)[number]['family'];

/** The chain for packets that pass the node, of one of the tables that a file names; none where there is no such table. */
export function legacyForwardDrops(text: string, family: LegacyFamily): readonly ForwardDrop[] {
  const hasFilter = text.split('\n').includes('filter');
  return hasFilter ? [{ family, table: 'filter', chain: 'FORWARD', isLegacy: true }] : [];
}

/**
 * The tables of iptables-legacy (net/netfilter/x_tables.c). nft(8) does not list them, and only their names are read: their rules are not text.
 *
 * The kernel reports no change of them.
 */
export class LegacyTables {
  readonly #folder: string;

  /** @param folder /proc/net of the network namespace */
  constructor(folder = '/proc/net') {
    this.#folder = folder;
  }

  /** Reads which chains may drop what passes the node; none where the kernel has not loaded the tables. Never rejects. */
  async read(): Promise<Reading<readonly ForwardDrop[]>> {
    const read = await Promise.all(legacyTableFiles.map(({ file, family }) => this.#drops(file, family)));
    return mapReading(allOf(read), (drops) => drops.flat());
  }

  async #drops(name: string, family: LegacyFamily): Promise<Reading<readonly ForwardDrop[]>> {
    const file = join(this.#folder, name);
    try {
      // Not kept open, as other files of proc are: once the kernel has unloaded the module, reading fails.
      return { read: true, value: legacyForwardDrops(await readFile(file, 'utf8'), family) };
    } catch (error) {
      if (isFileError(error, 'ENOENT')) return { read: true, value: [] };
      return { read: false, problems: [{ origin: inFile(file), message: `cannot be read: ${fileError(error)}` }] };
    }
  }
}
