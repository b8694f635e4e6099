import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Entries of connection tracking in a network namespace. */
export interface ConnectionCounts {
  readonly entries: number;
  /** The most that there may be, 0 for any number: the kernel drops packets that would begin connections beyond it. */
  readonly limit: number;
}

/**
 * Reads how many connections are tracked, and how many may be (Documentation/networking/nf_conntrack-sysctl.rst of Linux).
 *
 * @param folder of the settings of the network namespace
 * @returns absent while the kernel tracks none, as it has not loaded the module
 */
export function readConnectionCounts(folder = '/proc/sys/net/netfilter'): ConnectionCounts | undefined {
  const [entries, limit] = ['nf_conntrack_count', 'nf_conntrack_max'].map((name) => numberIn(join(folder, name)));
  return entries === undefined || limit === undefined ? undefined : { entries, limit };
}

function numberIn(file: string): number | undefined {
  try {
    const text = readFileSync(file, 'utf8');
    return /^\d+\n$/.test(text) ? Number(text) : undefined;
  } catch {
    return undefined;
  }
}
