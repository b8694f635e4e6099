/** Which Uplinks select which nodes? A node is judged by every Uplink, and an Uplink on every node, only where one of the two has changed. */
import type { Node } from '../../../api/node.ts';
import type { Uplink } from '../../../api/uplink.ts';
import { lazyByObject } from '../../../basics/incremental/by-identity.ts';
import { listChanges } from '../../../basics/incremental/list-changes.ts';
import { nodeIndex } from '../../../selection/indexes.ts';
import {
  type NodeSelection,
  selectNodes,
  selectOnNode,
  type UplinkTable,
  uplinkTable,
} from '../../../selection/node-config.ts';
import type { ClusterSnapshot } from '../../../snapshot/cluster-snapshot.ts';
import { Pairs, PairSet } from '../../../basics/names/pairs.ts';

/** The differences of the selections for two snapshots. */
export interface SelectionChanges {
  /** Uplinks and nodes. */
  readonly pairs: PairSet;
  /** Names of the Uplinks that came, went or are other objects. */
  readonly uplinks: ReadonlySet<string>;
  /** Names of those of which something else is known on all nodes: whether they exist, and which selector is not understood. */
  readonly onAllNodes: ReadonlySet<string>;
  /** Names of the nodes that came or went. */
  readonly nodes: ReadonlySet<string>;
}

const textOfSpec = lazyByObject((spec: Uplink['spec']) => JSON.stringify(spec));

function isSameSelection(left: NodeSelection | undefined, right: NodeSelection | undefined): boolean {
  if (left === right) return true;
  if (left?.kind === 'selected' && right?.kind === 'selected') return left.config === right.config;
  if (left?.kind === 'overlap' && right?.kind === 'overlap')
    return left.hostInterfaceNames.join() === right.hostInterfaceNames.join();
  return false;
}

/** The selections of all Uplinks. */
export class Selections {
  readonly #tables = new Map<string, UplinkTable>();
  readonly #nodes = new Map<string, Node>();
  readonly #selections = new Pairs<NodeSelection>();
  /** Number of pairs that were judged so far; laws hold it against the table of docs/design/cluster-plan.md. */
  decisions = 0;

  table(uplink: string): UplinkTable | undefined {
    return this.#tables.get(uplink);
  }

  /** The selection of an Uplink on each node that it selects. */
  of(uplink: string): ReadonlyMap<string, NodeSelection> {
    return this.#selections.of(uplink);
  }

  /** Takes the differences of two snapshots over. */
  take(former: ClusterSnapshot, next: ClusterSnapshot): SelectionChanges {
    const pairs = new PairSet();
    const nodes = this.#takeNodes(former, next, pairs);
    return { ...this.#takeUplinks(former, next, pairs), pairs, nodes };
  }

  #takeNodes(former: ClusterSnapshot, next: ClusterSnapshot, pairs: PairSet): ReadonlySet<string> {
    const { removed, added } = listChanges(former.nodes, next.nodes);
    const changed = new Set([...removed, ...added].map(({ metadata }) => metadata.name));
    const before = new Set(removed.map(({ metadata }) => metadata.name));
    for (const name of before) this.#nodes.delete(name);
    for (const node of added) this.#nodes.set(node.metadata.name, node);
    for (const name of changed) {
      const node = this.#nodes.get(name);
      for (const [uplink, table] of this.#tables) {
        const selection = node === undefined || table.unclear !== undefined ? undefined : selectOnNode(table, node);
        this.#set(uplink, name, selection?.kind === 'none' ? undefined : selection, pairs);
      }
    }
    return new Set([...changed].filter((name) => before.has(name) !== this.#nodes.has(name)));
  }

  #takeUplinks(former: ClusterSnapshot, next: ClusterSnapshot, pairs: PairSet) {
    const { removed, added } = listChanges(former.uplinks, next.uplinks);
    const later = new Map(added.map((uplink) => [uplink.metadata.name, uplink]));
    const uplinks = new Set([...removed.map(({ metadata }) => metadata.name), ...later.keys()]);
    const onAllNodes = new Set<string>();
    for (const name of uplinks) {
      const [known, uplink] = [this.#tables.get(name), later.get(name)];
      if (known !== undefined && uplink !== undefined && textOfSpec(known.uplink.spec) === textOfSpec(uplink.spec)) {
        // Selections refer to its rows.
        this.#tables.set(name, { ...known, uplink });
        continue;
      }
      const table = uplink && uplinkTable(uplink);
      if (known === undefined || table === undefined || known.unclear !== undefined || table.unclear !== undefined)
        onAllNodes.add(name);
      this.#replaceTable(name, table, next.nodes, pairs);
    }
    return { uplinks, onAllNodes };
  }

  #replaceTable(name: string, table: UplinkTable | undefined, nodes: ClusterSnapshot['nodes'], pairs: PairSet): void {
    if (table === undefined) this.#tables.delete(name);
    else this.#tables.set(name, table);
    const selections = table === undefined ? undefined : selectNodes(table, nodeIndex(nodes));
    for (const node of [...this.#selections.of(name).keys()])
      if (selections?.has(node) !== true) this.#set(name, node, undefined, pairs);
    for (const [node, selection] of selections ?? []) this.#set(name, node, selection, pairs);
  }

  #set(uplink: string, node: string, selection: NodeSelection | undefined, pairs: PairSet): void {
    this.decisions += 1;
    if (isSameSelection(this.#selections.get(uplink, node), selection)) return;
    if (selection === undefined) this.#selections.delete(uplink, node);
    else this.#selections.set(uplink, node, selection);
    pairs.add(uplink, node);
  }
}
