import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { type Change, done, refused } from './change.ts';

/** Some external_ids by their keys; a value that is absent says that the key is not there. */
export type ExternalIds = Readonly<Record<string, string | undefined>>;

/**
 * Sets external_ids of the Open_vSwitch row in one transaction, which is made only if those named in `expected` are as it says: an OVSDB
 * `wait` before a `mutate` (RFC 7047, 5.2.6).
 */
export function setExternalIds(node: NodeSnapshot, expected: ExternalIds, wanted: ExternalIds): Change {
  const stale = Object.keys(expected).filter((key) => node.switchExternalIds[key] !== expected[key]);
  if (stale.length > 0) return refused(`external_ids ${stale.join(', ')}: changed by another`);
  const ids = Object.entries({ ...node.switchExternalIds, ...wanted }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return done({ ...node, switchExternalIds: Object.fromEntries(ids) });
}
