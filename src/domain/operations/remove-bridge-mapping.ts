import { setExternalIds } from '../node-model/switch-external-ids.ts';
import { externalIdsCommand, withoutOwnMapping } from './bridge-mapping-words.ts';
import { bridgeMappingChange } from './bridge-mapping-change.ts';
import type { OperationBase, OperationKind } from './operation.ts';

/** Removes an entry of ours from the bridge mappings: ovn-controller then takes network and bridge apart. */
export interface RemoveBridgeMapping extends OperationBase {
  readonly kind: 'remove-bridge-mapping';
  readonly networkName: string;
  readonly bridge: string;
}

export const removeBridgeMapping: OperationKind<RemoveBridgeMapping> = {
  mark: '-',
  dependencies: ({ networkName, networks }) => ({
    uses: networks.map((name) => `mapped ${name}`),
    ends: [`mapping ${networkName}`],
  }),
  effect: (operation, node) => setExternalIds(node, bridgeMappingChange(operation, node.switchExternalIds) ?? {}),
  inverse: ({ networks, networkName, bridge }) => [{ kind: 'add-bridge-mapping', networks, networkName, bridge }],
  disruption: () => 'connections-reset',
  command: ({ networkName, bridge }, { switchExternalIds: now }) =>
    externalIdsCommand(now, withoutOwnMapping(now, `${networkName}:${bridge}`)),
  summary: ({ networkName, bridge }) => `bridge mapping ${networkName}:${bridge}`,
};
