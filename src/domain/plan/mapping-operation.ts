import type { Operation } from '../operations/operation-kinds.ts';

/** Whether an operation is about the bridge mappings, one text that is shared by all networks and with others. */
export function isAboutMappings({ kind }: Operation): boolean {
  return kind === 'add-bridge-mapping' || kind === 'remove-bridge-mapping';
}
