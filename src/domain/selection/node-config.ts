/**
 * Which interface does an Uplink select on a node? (OKEP-6019, UplinkSpec)
 *
 * `nodeConfigs` is a table and not an order of preference: where two items apply to a node, neither wins.
 */
import type { Node } from '../api/node.ts';
import type { NodeConfig, Uplink } from '../api/uplink.ts';
import { by, distinct, least } from '../basics/names/ordering.ts';
import type { LabelIndex } from './label-index.ts';
import { type SelectorProblem, selects, type UnderstoodSelector, understandSelector } from './label-selector.ts';

/** The selection of an Uplink on one node. */
export type NodeSelection =
  | { readonly kind: 'none' }
  | { readonly kind: 'selected'; readonly config: NodeConfig }
  | { readonly kind: 'overlap'; readonly hostInterfaceNames: readonly string[] }
  | { readonly kind: 'unclear'; readonly problem: UnclearSelector };

/** A node selector that cannot be evaluated, and its item of nodeConfigs. */
export interface UnclearSelector extends SelectorProblem {
  readonly hostInterfaceName: string;
}

/** An Uplink whose selectors are understood, or the one that is not. */
export interface UplinkTable {
  readonly uplink: Uplink;
  readonly rows: readonly { readonly config: NodeConfig; readonly selector: UnderstoodSelector }[];
  /** Present where a selector is not understood: then no statement about any node is possible. */
  readonly unclear?: UnclearSelector;
}

/** Reads an Uplink's table, once for all nodes. */
export function uplinkTable(uplink: Uplink): UplinkTable {
  const rows = uplink.spec.nodeConfigs.map((config) => ({ config, selector: understandSelector(config.nodeSelector) }));
  const unclear = rows.flatMap(({ config: { hostInterfaceName }, selector }) =>
    selector.understood ? [] : [{ ...selector.problem, hostInterfaceName }],
  );
  const first = least(
    unclear,
    by(({ hostInterfaceName, kind, key, detail }) => JSON.stringify([hostInterfaceName, kind, key, detail])),
  );
  return { uplink, rows, ...(first && { unclear: first }) };
}

function selectionOf(configs: readonly NodeConfig[]): NodeSelection {
  const [config, ...others] = configs;
  if (config === undefined) return { kind: 'none' };
  if (others.length === 0) return { kind: 'selected', config };
  return { kind: 'overlap', hostInterfaceNames: distinct(configs.map(({ hostInterfaceName }) => hostInterfaceName)) };
}

/** The selection of an Uplink on one node. */
export function selectOnNode({ rows, unclear }: UplinkTable, node: Node): NodeSelection {
  if (unclear !== undefined) return { kind: 'unclear', problem: unclear };
  return selectionOf(
    rows.filter(({ selector }) => selects(selector, node.metadata.labels)).map(({ config }) => config),
  );
}

/** The selection of an Uplink on every node that it selects, by node name. Costs what is selected. */
export function selectNodes(
  { rows, unclear }: UplinkTable,
  nodes: LabelIndex<Node>,
): ReadonlyMap<string, NodeSelection> {
  if (unclear !== undefined) return new Map();
  const configs = new Map<string, NodeConfig[]>();
  for (const { config, selector } of rows) {
    for (const { metadata } of nodes.selectedBy(selector)) {
      const ofNode = configs.get(metadata.name);
      if (ofNode === undefined) configs.set(metadata.name, [config]);
      else ofNode.push(config);
    }
  }
  const selections = new Map<string, NodeSelection>();
  for (const [name, ofNode] of configs) selections.set(name, selectionOf(ofNode));
  return selections;
}
