/** Which UplinkStates are obsolete, and which are named wrongly? A state is judged where it, or the selection of the pair that it speaks of, has changed. */
import type { UplinkState } from '../../../api/uplink-state.ts';
import type { ListChanges } from '../../../basics/incremental/list-changes.ts';
import { byName } from '../../../basics/names/ordering.ts';
import { identityOf, saidIdentity, type StateIdentity, uplinkStateName } from '../../../status/state-identity.ts';
import type { Warning } from '../../view/warning.ts';
import { Pairs } from '../../../basics/names/pairs.ts';
import type { SelectionChanges, Selections } from './selections.ts';

/** Names of objects that exist and cannot be read. */
export interface UnreadableNames {
  readonly uplinks: ReadonlySet<string>;
  readonly nodes: ReadonlySet<string>;
}

function misnamedWarning(name: string, { uplink, node }: StateIdentity): Warning {
  return {
    object: `UplinkState/${name}`,
    message: `identifies itself as the state of uplink ${uplink} on node ${node}, whose state is named ${uplinkStateName(uplink, node)}; it is ignored`,
  };
}

/** A warning about a state that has the name of that of another pair. */
export function takenNameWarning(name: string, { uplink, node }: StateIdentity): Warning {
  return {
    object: `UplinkState/${name}`,
    message: `has the name of the state of uplink ${uplink} on node ${node} and another identity; it is not overwritten`,
  };
}

/** The findings about all states. */
export class StateFindings {
  readonly #unreadable: UnreadableNames;
  /** The states that say of themselves which pair they belong to. */
  readonly #said = new Pairs<readonly UplinkState[]>();
  readonly #superseded = new Set<string>();
  /** By the name of the state. */
  readonly #misnamed = new Map<string, Warning>();

  constructor(unreadable: UnreadableNames) {
    this.#unreadable = unreadable;
  }

  /**
   * Names of the states to delete, in order: their Uplink or their node is gone, or the Uplink no longer selects the node.
   *
   * A state without an identity may not have its first status yet and is kept; so is one of an Uplink with an invalid selector, and of an Uplink or
   * a node that cannot be read.
   */
  get superseded(): readonly string[] {
    return [...this.#superseded].sort(byName);
  }

  /** About states that are not named as what they say of themselves. */
  get warnings(): readonly Warning[] {
    return [...this.#misnamed.values()];
  }

  /** Takes the differences of two snapshots over. The parameters are those of `Reports.take`. */
  take({ removed, added }: ListChanges<UplinkState>, selections: Selections, changes: SelectionChanges): void {
    for (const state of removed) this.#remove(state);
    for (const state of added) this.#add(state);
    const { onAllNodes } = changes;
    for (const uplink of onAllNodes)
      for (const states of this.#said.of(uplink).values()) for (const state of states) this.#judge(state, selections);
    for (const [uplink, nodes] of changes.pairs) {
      if (onAllNodes.has(uplink)) continue;
      for (const node of nodes) for (const state of this.#said.get(uplink, node) ?? []) this.#judge(state, selections);
    }
    for (const state of added) if (!onAllNodes.has(saidIdentity(state).uplink ?? '')) this.#judge(state, selections);
  }

  #remove(state: UplinkState): void {
    const { name } = state.metadata;
    this.#superseded.delete(name);
    this.#misnamed.delete(name);
    const identity = identityOf(state);
    if (identity === undefined) return;
    const { uplink, node } = identity;
    const others = (this.#said.get(uplink, node) ?? []).filter((each) => each !== state);
    if (others.length === 0) this.#said.delete(uplink, node);
    else this.#said.set(uplink, node, others);
  }

  #add(state: UplinkState): void {
    const identity = identityOf(state);
    if (identity === undefined) return;
    const { uplink, node } = identity;
    this.#said.set(uplink, node, [...(this.#said.get(uplink, node) ?? []), state]);
  }

  #judge(state: UplinkState, selections: Selections): void {
    const identity = identityOf(state);
    if (identity === undefined) return;
    const { name } = state.metadata;
    const isSelected = selections.of(identity.uplink).has(identity.node);
    if (isSelected || this.#isUnknown(identity, selections)) this.#superseded.delete(name);
    else this.#superseded.add(name);
    if (isSelected && name !== uplinkStateName(identity.uplink, identity.node))
      this.#misnamed.set(name, misnamedWarning(name, identity));
    else this.#misnamed.delete(name);
  }

  /** Whether it is not known if the Uplink selects the node. */
  #isUnknown({ uplink, node }: StateIdentity, selections: Selections): boolean {
    return (
      this.#unreadable.uplinks.has(uplink) ||
      this.#unreadable.nodes.has(node) ||
      selections.table(uplink)?.unclear !== undefined
    );
  }
}
