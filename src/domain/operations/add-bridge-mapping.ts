import { isWholeEntry } from '../dataplane/bridge-mappings.ts';
import { setExternalIds } from '../node-model/switch-external-ids.ts';
import { externalIdsCommand, withOwnMapping } from './bridge-mapping-words.ts';
import { bridgeMappingChange } from './bridge-mapping-change.ts';
import type { OperationBase, OperationKind } from './operation.ts';

/** Adds an entry of ours to the bridge mappings: from then on ovn-controller connects the network and the bridge. */
export interface AddBridgeMapping extends OperationBase {
  readonly kind: 'add-bridge-mapping';
  readonly networkName: string;
  readonly bridge: string;
}

export const addBridgeMapping: OperationKind<AddBridgeMapping> = {
  mark: '+',
  // Packets flow from here on, so everything else of the network comes first.
  dependencies: ({ networkName, networks }) => ({
    makes: [`mapping ${networkName}`],
    needs: networks.map((name) => `network ${name}`),
  }),
  obstacle: ({ networkName, bridge }) =>
    isWholeEntry([networkName, bridge])
      ? undefined
      : `${networkName}:${bridge} is read as something else in bridge mappings, and would break those of others`,
  effect: (operation, node) => setExternalIds(node, bridgeMappingChange(operation, node.switchExternalIds) ?? {}),
  inverse: ({ networks, networkName, bridge }) => [{ kind: 'remove-bridge-mapping', networks, networkName, bridge }],
  disruption: () => 'none',
  command: ({ networkName, bridge }, { switchExternalIds: now }) =>
    externalIdsCommand(now, withOwnMapping(now, `${networkName}:${bridge}`)),
  summary: ({ networkName, bridge }) => `bridge mapping ${networkName}:${bridge}`,
};
