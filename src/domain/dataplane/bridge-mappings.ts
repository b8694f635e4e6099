import { BRIDGE_MAPPINGS_KEY, OWN_BRIDGE_MAPPINGS_KEY } from '../conventions.ts';

/**
 * Reads a list of bridge mappings, `network:bridge,network:bridge` (ovn-controller(8), ovn-bridge-mappings). What is no entry is left out; a
 * network's last entry counts, as for ovn-controller.
 */
export function parseBridgeMappings(text: string): ReadonlyMap<string, string> {
  const entries = text.split(',').map((entry) => entry.trim().split(':'));
  return new Map(
    entries.flatMap(([network, bridge, ...rest]) =>
      network && bridge && rest.length === 0 ? [[network, bridge]] : [],
    ),
  );
}

/** The mapping entries that this project has made, by network name. */
export function ownMappings(switchExternalIds: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return parseBridgeMappings(switchExternalIds[OWN_BRIDGE_MAPPINGS_KEY] ?? '');
}

/** The mapping entries that are in force, by network name, whoever made them. */
export function mappingsInForce(switchExternalIds: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return parseBridgeMappings(switchExternalIds[BRIDGE_MAPPINGS_KEY] ?? '');
}

/** The entries in force that this project has not made. */
export function foreignMappings(switchExternalIds: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  const own = ownMappings(switchExternalIds);
  return new Map([...mappingsInForce(switchExternalIds)].filter(([network, bridge]) => own.get(network) !== bridge));
}
