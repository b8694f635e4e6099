import { BRIDGE_MAPPINGS_KEY } from '../../basics/conventions.ts';
import { done } from '../../node-model/change.ts';
import { withPatchPortsOf } from '../../node-model/switch/patch-ports.ts';
import { withExternalIds } from '../../node-model/switch/switch-external-ids.ts';
import { isWholeEntry, mappingsInForce, ownMappings } from '../../snapshot/bridge-mappings.ts';
import { keyInForce } from '../../snapshot/controller-keys.ts';
import type { NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import { bridgeMappingChange } from './bridge-mapping-change.ts';
import { externalIdsCommand, withOwnMapping, withoutOwnMapping } from './bridge-mapping-command.ts';
import { capturedFiles } from '../../snapshot/captured-files.ts';
import { dependencies, dependency } from '../dependencies.ts';
import type { Discrepancy, EntityKind } from '../entity-kind.ts';

/** An entry of the bridge mappings, by which ovn-controller connects the network to the bridge. */
export interface BridgeMappingEntity {
  readonly kind: 'bridge-mapping';
  /** The network's name in OVN. */
  readonly networkName: string;
  readonly bridge: string;
  /** The key of the node's chassis, under which another program has added it; absent for the one without a chassis, and for a managed entry. */
  readonly overriding?: string;
  /** Present if ovn-controller does not read the entry. */
  readonly isIneffective?: true;
  /** Present if the entry is also under the key of ovn-uplinks. */
  readonly isSigned?: true;
}

function mappingsIn({ switchExternalIds }: NodeSnapshot): readonly BridgeMappingEntity[] {
  const own = ownMappings(switchExternalIds);
  const inForce = mappingsInForce(switchExternalIds);
  const key = keyInForce(BRIDGE_MAPPINGS_KEY, switchExternalIds);
  const byOthers = key !== BRIDGE_MAPPINGS_KEY && { overriding: key };
  const effective = new Set(inForce.map((entry) => entry.join(':')));
  return [
    ...inForce.map(([networkName, bridge]) => ({
      kind: 'bridge-mapping' as const,
      networkName,
      bridge,
      ...(own.get(networkName) === bridge ? { isSigned: true as const } : byOthers),
    })),
    ...[...own]
      .filter((entry) => !effective.has(entry.join(':')))
      .map(([networkName, bridge]) => ({
        kind: 'bridge-mapping' as const,
        networkName,
        bridge,
        isIneffective: true as const,
        isSigned: true as const,
      })),
  ];
}

function entryText({ networkName, bridge }: BridgeMappingEntity): string {
  return `${networkName}:${bridge}`;
}

function discrepancy({ switchExternalIds }: NodeSnapshot, wanted: string): Discrepancy {
  const key = keyInForce(BRIDGE_MAPPINGS_KEY, switchExternalIds);
  return { path: `Open_vSwitch external_ids:${key}`, found: switchExternalIds[key] ?? 'none', wanted };
}

function changed(node: NodeSnapshot, verb: 'add' | 'remove', entity: BridgeMappingEntity): NodeSnapshot {
  return withExternalIds(node, bridgeMappingChange({ ...entity, verb }, node.switchExternalIds) ?? {});
}

/** ovn-controller adds the patch port of the network with its mapping, and deletes it. */
function effect(verb: 'add' | 'remove') {
  return (entity: BridgeMappingEntity, node: NodeSnapshot) =>
    done(withPatchPortsOf(changed(node, verb, entity), entity.networkName));
}

export const bridgeMapping: EntityKind<BridgeMappingEntity, 'switchDatabase'> = {
  kind: 'bridge-mapping',
  parts: ['switchExternalIds'],
  identity: entryText,
  // Which of two entries of a network takes effect is undefined.
  place: ({ networkName }) => networkName,
  satisfies: (found, desired) => found.isIneffective !== true && found.bridge === desired.bridge,
  all: mappingsIn,
  put: (node, entities) => entities.reduce((before, entity) => changed(before, 'add', entity), node),
  take: (node, entities) => entities.reduce((before, entity) => changed(before, 'remove', entity), node),
  // Administrators do not use the managed key.
  undoneByOthers: (entity, node) => {
    const key = keyInForce(BRIDGE_MAPPINGS_KEY, node.switchExternalIds);
    const entries = (node.switchExternalIds[key] ?? '').split(',');
    const left = entries.filter((entry) => entry !== entryText(entity)).join(',');
    return withExternalIds(node, { [key]: left });
  },
  isOurs: ({ isSigned }) => isSigned === true,
  conflictText: (found, desired) =>
    `${found.overriding ?? BRIDGE_MAPPINGS_KEY} maps ${found.networkName} to bridge ${found.bridge}, expected ${desired.bridge}; the entry is not managed by ovn-uplinks`,
  anchor: ({ networkName }) => ({ networkName, part: 'uplink' }),
  port: 'switchDatabase',
  capturedIn: () => [capturedFiles.switchDatabase],
  text: (entity) => `bridge mapping ${entryText(entity)}`,
  add: {
    name: 'add-bridge-mapping',
    mark: '+',
    // It starts traffic, so everything else of the network comes first.
    dependencies: ({ networkName }, networks) => ({
      makes: [dependency('mapping', networkName)],
      needs: dependencies('network', networks),
    }),
    effect: effect('add'),
    refusal: ({ networkName, bridge }) =>
      isWholeEntry([networkName, bridge])
        ? undefined
        : `${networkName}:${bridge} is read as something else in bridge mappings, and would break those of others`,
    command: (entity, { switchExternalIds: now }) => externalIdsCommand(now, withOwnMapping(now, entryText(entity))),
    discrepancy: (entity, node) => discrepancy(node, `an entry ${entryText(entity)}`),
  },
  remove: {
    name: 'remove-bridge-mapping',
    mark: '-',
    dependencies: ({ networkName }, networks) => ({
      uses: dependencies('traffic', networks),
      ends: [dependency('mapping', networkName)],
    }),
    effect: effect('remove'),
    disruption: () => 'connections-reset',
    command: (entity, { switchExternalIds: now }) => externalIdsCommand(now, withoutOwnMapping(now, entryText(entity))),
    discrepancy: (entity, node) => discrepancy(node, `no entry ${entryText(entity)}`),
  },
};
