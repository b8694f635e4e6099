import { OWN_BRIDGE_MAPPINGS_KEY } from '../conventions.ts';
import { mappingsInForce } from '../snapshot/bridge-mappings.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { type MappingKeys, withOwnMapping, withoutOwnMapping } from './bridge-mapping-words.ts';

/** A mapping entry that is added or removed. */
export interface MappingEntryChange {
  readonly verb: 'add' | 'remove';
  readonly networkName: string;
  readonly bridge: string;
}

/**
 * What a change makes of the external_ids as they are now, which need not be those that it was planned for; absent where nothing is left to do.
 *
 * An entry that another program has brought into force serves: it is not made ours. One that is not among ours is not ours, or removed
 * already: it stays. (docs/design/ownership.md, "Three rules")
 */
export function bridgeMappingChange(
  { verb, networkName, bridge }: MappingEntryChange,
  now: NodeSnapshot['switchExternalIds'],
): MappingKeys | undefined {
  const entry = `${networkName}:${bridge}`;
  const isOurs = (now[OWN_BRIDGE_MAPPINGS_KEY] ?? '').split(',').includes(entry);
  if (verb === 'remove') return isOurs ? withoutOwnMapping(now, entry) : undefined;
  const isInForce = mappingsInForce(now).some((found) => found.join(':') === entry);
  return isInForce ? undefined : withOwnMapping(now, entry);
}
