import { mappingsInForce } from '../dataplane/bridge-mappings.ts';
import { OWN_BRIDGE_MAPPINGS_KEY } from '../conventions.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import type { AddBridgeMapping } from './add-bridge-mapping.ts';
import { type MappingKeys, withOwnMapping, withoutOwnMapping } from './bridge-mapping-words.ts';
import type { RemoveBridgeMapping } from './remove-bridge-mapping.ts';

/**
 * What an operation makes of the external_ids as they are now, which need not be those that it was planned for; absent where nothing is left
 * to do.
 *
 * An entry that is in force by another's hand serves: it is not made ours. One that does not stand among ours is not ours, or is removed
 * already: it is not taken away. (Node design, Ownership, third rule)
 */
export function bridgeMappingChange(
  { kind, networkName, bridge }: AddBridgeMapping | RemoveBridgeMapping,
  now: NodeSnapshot['switchExternalIds'],
): MappingKeys | undefined {
  const entry = `${networkName}:${bridge}`;
  const isOurs = (now[OWN_BRIDGE_MAPPINGS_KEY] ?? '').split(',').includes(entry);
  if (kind === 'remove-bridge-mapping') return isOurs ? withoutOwnMapping(now, entry) : undefined;
  const isInForce = mappingsInForce(now).some((found) => found.join(':') === entry);
  return isInForce ? undefined : withOwnMapping(now, entry);
}
