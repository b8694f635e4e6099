/**
 * The ids that a Node's annotations report as used (docs/design/networks.md, "Ids").
 */
import type { Node } from '../api/node.ts';
import { NODE_NETWORKS_ANNOTATION, NODE_REMOVED_NODES_ANNOTATION } from '../conventions.ts';
import { lazyByObject } from '../lazy.ts';
import type { IdUsage, ReportingNode } from './claim-ids.ts';
import { idRanges } from './id-range.ts';

const RANGE = /^(0|[1-9][0-9]{0,5})(?:-([1-9][0-9]{0,5}))?$/;

function numbers(first: number, last: number): readonly number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}

/** The ids in a text such as `1-3,7`; undefined if it is malformed. */
function idsIn(text: string): ReadonlySet<number> | undefined {
  if (text === '') return new Set();
  const parts = text.split(',').map((part) => {
    const [, first, last] = RANGE.exec(part) ?? [];
    return first === undefined ? undefined : numbers(Number(first), Number(last ?? first));
  });
  return parts.includes(undefined) ? undefined : new Set(parts.flatMap((part) => part ?? []));
}

/** A node whose report cannot be read may use everything. */
const unknown: IdUsage = {
  networks: new Set(numbers(idRanges.network.first, idRanges.network.last)),
  removedNodes: new Set(),
};

/** A Node and its report, which is absent as long as it has used nothing. */
export const reportingNode = lazyByObject(({ metadata: { name, uid = '', annotations } }: Node): ReportingNode => {
  const text = annotations?.[NODE_NETWORKS_ANNOTATION];
  if (text === undefined) return { name, uid };
  const networks = idsIn(text);
  const removedNodes = idsIn(annotations?.[NODE_REMOVED_NODES_ANNOTATION] ?? '');
  return { name, uid, report: networks && removedNodes ? { networks, removedNodes } : unknown };
});

const textOf = ({ metadata: { name, uid, annotations } }: Node) =>
  JSON.stringify([name, uid, annotations?.[NODE_NETWORKS_ANNOTATION], annotations?.[NODE_REMOVED_NODES_ANNOTATION]]);

/** The reports of nodes as texts, in order: two lists of nodes, each in any order, have the same ones if the nodes and their reports are the same. */
export function reportTexts(nodes: readonly Node[]): readonly string[] {
  return nodes.map(textOf).sort();
}
