import { lazyByObject } from '../../basics/incremental/by-identity.ts';
import type { Ledger } from '../../snapshot/ledger.ts';
import type { NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import { presenceIn } from './displaced-entities.ts';
import { settledEntry } from './entry-kinds.ts';

/**
 * The ledger as it is true of the node: what an entry announces may have happened or not, and what it describes may be gone. An entry stays
 * while what it describes is there or is still to come.
 */
export const settle = lazyByObject((node: NodeSnapshot): Ledger => {
  const { ledger } = node;
  if (ledger.entries.length === 0) return ledger;
  const view = { node, links: new Map(node.links.map((link) => [link.name, link])), isThere: presenceIn(node) };
  const entries = ledger.entries.flatMap((entry) => settledEntry(entry, view) ?? []);
  const isUnchanged =
    entries.length === ledger.entries.length && entries.every((entry, at) => entry === ledger.entries[at]);
  return isUnchanged ? ledger : { ...ledger, entries };
});
