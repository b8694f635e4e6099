import { mappingsInForce, ownMappings } from '../dataplane/bridge-mappings.ts';
import type { Operation } from '../operations/operation-kinds.ts';
import type { Difference } from './difference.ts';
import type { Changes } from './own-things.ts';

/** Bridge mappings: entries of ours that nobody wants go, those that are wanted and not in force come. */
export function mappingChanges({ before, programmed, kept, networksOf }: Difference): Changes {
  const own = ownMappings(before.switchExternalIds);
  const inForce = new Set(mappingsInForce(before.switchExternalIds).map(([network, bridge]) => `${network}:${bridge}`));
  const wanted = new Map(programmed.map((network) => [network.networkName, network]));
  const removals = [...own]
    .filter(([networkName, bridge]) => wanted.get(networkName)?.bridge !== bridge && !kept.hasNetworkName(networkName))
    .map(([networkName, bridge]): Operation => ({
      kind: 'remove-bridge-mapping',
      networks: networksOf.ofNetworkName(networkName),
      networkName,
      bridge,
    }));
  const additions = [...wanted.values()]
    .filter(({ networkName, bridge }) => !inForce.has(`${networkName}:${bridge}`))
    .map(({ network, networkName, bridge }): Operation => ({
      kind: 'add-bridge-mapping',
      networks: [network],
      networkName,
      bridge,
    }));
  return { removals, additions };
}
