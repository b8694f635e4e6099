/**
 * Changes that other programs make to a node.
 */
import { VRF_TABLE_OFFSET } from '../domain/basics/conventions.ts';
import type { EntityKind } from '../domain/entities/entity-kind.ts';
import { allKinds, type Entity, isOurs } from '../domain/entities/entity-kinds.ts';
import type { NodeSnapshot } from '../domain/snapshot/node-snapshot.ts';
import type { Step } from './story.ts';

/** The node after another program has undone a managed entity. */
function damaged(node: NodeSnapshot, kind: EntityKind<Entity>, entity: Entity): NodeSnapshot {
  if (kind.undoneByOthers !== undefined) return kind.undoneByOthers(entity, node);
  const change = kind.remove.effect?.(entity, node);
  if (change === undefined) return kind.take(node, [entity]);
  return change.done ? change.node : node;
}

/** The node after each change that another program could make to a managed entity. */
function damages(node: NodeSnapshot): readonly NodeSnapshot[] {
  return allKinds.flatMap((kind) =>
    kind
      .all(node)
      .filter((entity) => isOurs(entity, node))
      .map((entity) => damaged(node, kind, entity)),
  );
}

function withRemadeManagementPort(node: NodeSnapshot, id: number): NodeSnapshot {
  const links = node.links.map((link) =>
    link.name === `ovn-k8s-mp${id}` ? { ...link, index: link.index + VRF_TABLE_OFFSET } : link,
  );
  return { ...node, links };
}

/** The node after what others did to it. */
export function disturbed(node: NodeSnapshot, { damage, remadeManagementPort }: Step): NodeSnapshot {
  const candidates = damage === undefined ? [] : damages(node);
  const result = candidates.length === 0 ? node : (candidates[(damage ?? 0) % candidates.length] ?? node);
  return remadeManagementPort === undefined ? result : withRemadeManagementPort(result, remadeManagementPort);
}
