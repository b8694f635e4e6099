import { mappingsInForce } from '../../snapshot/bridge-mappings.ts';
import type { NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import { isOwnMapping, type MappingKeys, withOwnMapping, withoutOwnMapping } from './bridge-mapping-command.ts';

/** A mapping entry that is added or removed. */
export interface MappingEntryChange {
  readonly verb: 'add' | 'remove';
  readonly networkName: string;
  readonly bridge: string;
}

/**
 * The external_ids after a change of the current ones, which may differ from the planned ones; undefined if nothing is left to do.
 *
 * An effective entry of another program is used and not adopted. An entry without the managed copy stays: it is not managed, or is already removed.
 * (docs/design/ownership.md, "Three rules")
 */
export function bridgeMappingChange(
  { verb, networkName, bridge }: MappingEntryChange,
  now: NodeSnapshot['switchExternalIds'],
): MappingKeys | undefined {
  const entry = `${networkName}:${bridge}`;
  if (verb === 'remove') return isOwnMapping(now, entry) ? withoutOwnMapping(now, entry) : undefined;
  const isInForce = mappingsInForce(now).some((found) => found.join(':') === entry);
  return isInForce ? undefined : withOwnMapping(now, entry);
}
