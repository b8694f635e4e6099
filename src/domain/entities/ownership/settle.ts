import { lazyByObject } from '../../basics/incremental/by-identity.ts';
import { isSameList } from '../../basics/incremental/list-changes.ts';
import { sameIfEqual } from '../../basics/incremental/same-if-equal.ts';
import type { Ledger } from '../../snapshot/ledger.ts';
import type { NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import { presenceIn } from './displaced-entities.ts';
import { settledEntry } from './entry-kinds.ts';

/** The last settled ledger of each: mostly it is settled to the same again. */
const lastSettled = new WeakMap<Ledger, Ledger>();

/**
 * The ledger as it is true of the node: what an entry announces may have happened or not, and what it describes may be gone. An entry stays
 * while what it describes is there or is still to come.
 */
export const settle = lazyByObject((node: NodeSnapshot): Ledger => {
  const { ledger } = node;
  if (ledger.entries.length === 0) return ledger;
  const view = { node, links: new Map(node.links.map((link) => [link.name, link])), isThere: presenceIn(node) };
  const entries = ledger.entries.flatMap((entry) => settledEntry(entry, view) ?? []);
  if (isSameList(entries, ledger.entries)) return ledger;
  const former = lastSettled.get(ledger);
  const same = entries.map((entry, at) => sameIfEqual(former?.entries[at], entry));
  const settled = former !== undefined && isSameList(former.entries, same) ? former : { ...ledger, entries: same };
  lastSettled.set(ledger, settled);
  return settled;
});
