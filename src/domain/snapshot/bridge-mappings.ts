import { BRIDGE_MAPPINGS_KEY, OWN_BRIDGE_MAPPINGS_KEY } from '../conventions.ts';

/** One entry of the bridge mappings. */
export type MappingEntry = readonly [network: string, bridge: string];

/**
 * Reads a list of bridge mappings, `network:bridge,network:bridge` (ovn-controller(8), ovn-bridge-mappings), as ovn-controller does: spaces
 * belong to names, and the first entry that lacks its network or its bridge ends the list, whatever comes behind it (tried with 23.03).
 *
 * A network that has several entries has whichever bridge ovn-controller's hash table gives it.
 */
export function parseBridgeMappings(text: string): readonly MappingEntry[] {
  const entries = text.split(',').map((entry): MappingEntry => {
    const [network = '', ...bridge] = entry.split(':');
    return [network, bridge.join(':')];
  });
  const end = entries.findIndex(([network, bridge]) => network === '' || bridge === '');
  return end === -1 ? entries : entries.slice(0, end);
}

/** Whether a bridge's name is the same in an entry as alone: a comma ends an entry, and a second colon is not a name's to all who read it. */
export function isMappable(bridge: string): boolean {
  return /^[^,:]+$/.test(bridge);
}

/** Whether an entry is read as exactly itself, wherever in a list it stands. */
export function isWholeEntry([network, bridge]: MappingEntry): boolean {
  const [read, ...others] = parseBridgeMappings(`${network}:${bridge}`);
  return others.length === 0 && read?.[0] === network && read[1] === bridge && isMappable(bridge);
}

/** The mapping entries that this project has made, by network name. */
export function ownMappings(switchExternalIds: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(parseBridgeMappings(switchExternalIds[OWN_BRIDGE_MAPPINGS_KEY] ?? ''));
}

/** The mapping entries that are in force, whoever made them. */
export function mappingsInForce(switchExternalIds: Readonly<Record<string, string>>): readonly MappingEntry[] {
  return parseBridgeMappings(switchExternalIds[BRIDGE_MAPPINGS_KEY] ?? '');
}

/** The entries in force that this project has not made. */
export function foreignMappings(switchExternalIds: Readonly<Record<string, string>>): readonly MappingEntry[] {
  const own = ownMappings(switchExternalIds);
  return mappingsInForce(switchExternalIds).filter(([network, bridge]) => own.get(network) !== bridge);
}
