/**
 * What others do to a node while we look away.
 */
import { isOurs } from '../domain/ownership/is-ours.ts';
import { VRF_TABLE_OFFSET } from '../domain/conventions.ts';
import type { NodeSnapshot } from '../domain/snapshot/node-snapshot.ts';
import type { Step } from './story.ts';

/** Everything of ours that somebody could remove without touching anything else, as the node without it. */
function damages(node: NodeSnapshot): readonly NodeSnapshot[] {
  const { ledger } = node;
  const own = node.switchExternalIds['ovn-uplinks-bridge-mappings']?.split(',') ?? [];
  const mappings = node.switchExternalIds['ovn-bridge-mappings']?.split(',') ?? [];
  return [
    ...node.routes
      .filter((route) => isOurs({ kind: 'route', route }, ledger))
      .map((gone) => ({ ...node, routes: node.routes.filter((route) => route !== gone) })),
    ...node.rules
      .filter((rule) => isOurs({ kind: 'rule', rule }, ledger))
      .map((gone) => ({ ...node, rules: node.rules.filter((rule) => rule !== gone) })),
    ...node.neighbours
      .filter((neighbour) => isOurs({ kind: 'neighbour', neighbour }, ledger))
      .map((gone) => ({ ...node, neighbours: node.neighbours.filter((neighbour) => neighbour !== gone) })),
    ...node.links
      .filter((link) => isOurs({ kind: 'link', link }, ledger))
      .map((gone) => ({ ...node, links: node.links.map((link) => (link === gone ? { ...link, up: false } : link)) })),
    ...own
      .filter((entry) => mappings.includes(entry))
      .map((gone) => ({
        ...node,
        switchExternalIds: {
          ...node.switchExternalIds,
          'ovn-bridge-mappings': mappings.filter((entry) => entry !== gone).join(','),
        },
      })),
  ];
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
  const damaged = candidates.length === 0 ? node : (candidates[(damage ?? 0) % candidates.length] ?? node);
  return remadeManagementPort === undefined ? damaged : withRemadeManagementPort(damaged, remadeManagementPort);
}
