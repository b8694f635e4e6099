import { BRIDGE_MAPPINGS_KEY, OWN_BRIDGE_MAPPINGS_KEY } from '../conventions.ts';

/** One entry of the bridge mappings. */
export type MappingEntry = readonly [network: string, bridge: string];

/**
 * Reads a list of bridge mappings, `network:bridge,network:bridge` (ovn-controller(8), ovn-bridge-mappings), as ovn-controller does: spaces are part
 * of names, and the first entry that lacks its network or its bridge ends the list (tried with 23.03).
 *
 * Of several entries of one network, ovn-controller's hash table decides.
 */
export function parseBridgeMappings(text: string): readonly MappingEntry[] {
  const entries = text.split(',').map((entry): MappingEntry => {
    const [network = '', ...bridge] = entry.split(':');
    return [network, bridge.join(':')];
  });
  const end = entries.findIndex(([network, bridge]) => network === '' || bridge === '');
  return end === -1 ? entries : entries.slice(0, end);
}

/** Whether a bridge name can be part of an entry: a comma ends the entry, and not all readers accept a second colon. */
export function isMappable(bridge: string): boolean {
  return /^[^,:]+$/.test(bridge);
}

/** Whether an entry is read unchanged at any position in a list. */
export function isWholeEntry([network, bridge]: MappingEntry): boolean {
  const [read, ...others] = parseBridgeMappings(`${network}:${bridge}`);
  return others.length === 0 && read?.[0] === network && read[1] === bridge && isMappable(bridge);
}

/** The managed mapping entries, by network name. */
export function ownMappings(switchExternalIds: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(parseBridgeMappings(switchExternalIds[OWN_BRIDGE_MAPPINGS_KEY] ?? ''));
}

/** The effective mapping entries, whoever added them. */
export function mappingsInForce(switchExternalIds: Readonly<Record<string, string>>): readonly MappingEntry[] {
  return parseBridgeMappings(switchExternalIds[BRIDGE_MAPPINGS_KEY] ?? '');
}

/** The effective entries that are not managed. */
export function foreignMappings(switchExternalIds: Readonly<Record<string, string>>): readonly MappingEntry[] {
  const own = ownMappings(switchExternalIds);
  return mappingsInForce(switchExternalIds).filter(([network, bridge]) => own.get(network) !== bridge);
}
