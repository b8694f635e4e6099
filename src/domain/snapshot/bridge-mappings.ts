import { BRIDGE_MAPPINGS_KEY, OWN_BRIDGE_MAPPINGS_KEY } from '../basics/conventions.ts';
import { chassisKeyOf, type ControllerIds, valueInForce } from './controller-keys.ts';

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

/** The keys with a list of bridge mappings, and with the managed ones of it. */
export interface MappingKeyPair {
  readonly mappings: string;
  readonly own: string;
}

/** Both pairs of keys: the one that ovn-controller reads, and the one that it does not, which is absent while the node has no chassis. */
export function mappingKeyPairs(
  externalIds: ControllerIds,
): readonly [inForce: MappingKeyPair, other?: MappingKeyPair] {
  const common = { mappings: BRIDGE_MAPPINGS_KEY, own: OWN_BRIDGE_MAPPINGS_KEY };
  const mappings = chassisKeyOf(BRIDGE_MAPPINGS_KEY, externalIds);
  const own = chassisKeyOf(OWN_BRIDGE_MAPPINGS_KEY, externalIds);
  if (mappings === undefined || own === undefined) return [common];
  const ofChassis = { mappings, own };
  return externalIds[mappings] === undefined ? [common, ofChassis] : [ofChassis, common];
}

/** The managed mapping entries, by network name; also those in a list that ovn-controller does not read. */
export function ownMappings(switchExternalIds: ControllerIds): ReadonlyMap<string, string> {
  const [inForce, other] = mappingKeyPairs(switchExternalIds);
  const entriesOf = (pair: MappingKeyPair | undefined) =>
    parseBridgeMappings((pair && switchExternalIds[pair.own]) ?? '');
  return new Map([...entriesOf(other), ...entriesOf(inForce)]);
}

/** The effective mapping entries, including those of other programs. */
export function mappingsInForce(switchExternalIds: ControllerIds): readonly MappingEntry[] {
  return parseBridgeMappings(valueInForce(BRIDGE_MAPPINGS_KEY, switchExternalIds) ?? '');
}

/** The effective entries that are not managed. */
export function foreignMappings(switchExternalIds: ControllerIds): readonly MappingEntry[] {
  const own = ownMappings(switchExternalIds);
  return mappingsInForce(switchExternalIds).filter(([network, bridge]) => own.get(network) !== bridge);
}
