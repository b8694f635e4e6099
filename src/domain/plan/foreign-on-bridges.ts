/** Flows and FDB entries of other programs that networks would replace: a switch has one for each identity. */
import type { BridgeEntity } from '../dataplane/bridge-dataplane.ts';
import type { NetworkDataplane } from '../dataplane/network-dataplane.ts';
import { type Entity, entityKey, isOurs, kindOf } from '../entities/entity-kinds.ts';
import { fdbEntry } from '../entities/fdb-entry.ts';
import { flowEntity } from '../entities/flow.ts';
import type { NetworkFailure } from '../network-readiness/network-check.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { networksOfOwners } from './node-dataplane.ts';

/** Entities of other programs on some bridges, by their keys. */
function foreignEntities(bridges: ReadonlySet<string>, node: NodeSnapshot): ReadonlyMap<string, Entity> {
  const onBridges: readonly Entity[] = [
    ...node.flows.filter(({ bridge }) => bridges.has(bridge)).map(flowEntity),
    ...fdbEntry.all(node).filter(({ bridge }) => bridges.has(bridge)),
  ];
  return new Map(onBridges.filter((entity) => !isOurs(entity, node)).map((entity) => [entityKey(entity), entity]));
}

/** What was found and what was expected, for people. */
function inTheWay(found: Entity, wanted: Entity): NetworkFailure {
  const text = (entity: Entity) => kindOf<Entity>(entity).text(entity);
  const texts =
    found.kind === 'flow' && wanted.kind === 'flow'
      ? { found: `${text(found)} with actions ${found.flow.actions}`, wanted: `actions ${wanted.flow.actions}` }
      : { found: text(found), wanted: text(wanted) };
  return { reason: 'UplinkBridgeMappingFailed', cause: 'in-the-way', ...texts };
}

/**
 * Why networks cannot be programmed on their bridges, by the name of the network: an entity of another program would be replaced. One with the same
 * content is used.
 *
 * @param entities of `bridgeEntities`
 */
export function foreignOnBridges(
  entities: readonly BridgeEntity[],
  programmed: readonly NetworkDataplane[],
  node: NodeSnapshot,
): ReadonlyMap<string, NetworkFailure> {
  const foreign = foreignEntities(new Set(programmed.map(({ bridge }) => bridge)), node);
  const failures = new Map<string, NetworkFailure>();
  if (foreign.size === 0) return failures;
  for (const { entity, owners } of entities) {
    const found = foreign.get(entityKey(entity));
    if (found === undefined || kindOf<Entity>(entity).serves(found, entity, node.ledger)) continue;
    for (const network of networksOfOwners(owners, programmed)) {
      if (!failures.has(network)) failures.set(network, inTheWay(found, entity));
    }
  }
  return failures;
}
