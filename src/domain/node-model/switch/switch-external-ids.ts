import type { NodeSnapshot } from '../../snapshot/node-snapshot.ts';

/** Some external_ids by key; an undefined value means that the key is absent. */
export type ExternalIds = Readonly<Record<string, string | undefined>>;

/** Sets external_ids of the Open_vSwitch row in one transaction; the others stay as they are. */
export function withExternalIds(node: NodeSnapshot, wanted: ExternalIds): NodeSnapshot {
  const ids = Object.entries({ ...node.switchExternalIds, ...wanted }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return { ...node, switchExternalIds: Object.fromEntries(ids) };
}
