/** Reports of nodes on the uplinks that are selected for them: a pair is judged where its selection or its state has changed. */
import type { UplinkState } from '../../../api/uplink-state.ts';
import type { ListChanges } from '../../../basics/incremental/list-changes.ts';
import { AffectedNodes } from '../../../status/affected-nodes.ts';
import { type SelectedNodes, type UplinkReport, uplinkReport } from '../../../status/degraded.ts';
import { belongsTo, type StateIdentity, uplinkStateName } from '../../../status/state-identity.ts';
import { Pairs, PairSet } from '../../../basics/names/pairs.ts';
import type { SelectionChanges, Selections } from './selections.ts';

/** The differences of the reports for two snapshots. */
export interface ReportChanges {
  /** Uplinks and nodes. */
  readonly pairs: PairSet;
  /** Names of the uplinks of which other nodes are selected, or not ready. */
  readonly uplinks: ReadonlySet<string>;
}

function isSameReport(left: UplinkReport | undefined, right: UplinkReport | undefined): boolean {
  return left?.selection === right?.selection && left?.state === right?.state && left?.reason === right?.reason;
}

/** The reports on all uplinks. */
export class Reports {
  /** By name. */
  readonly #states = new Map<string, UplinkState>();
  /** The selected pairs, by the names of their states. */
  readonly #pairs = new Map<string, StateIdentity>();
  readonly #reports = new Pairs<UplinkReport>();
  readonly #notReady = new Map<string, AffectedNodes>();
  /** Names of states of selected pairs that have another identity. */
  readonly #taken = new Map<string, StateIdentity>();
  /** Number of pairs that were judged so far; laws hold it against the table of docs/design/cluster-plan.md. */
  decisions = 0;

  /** The reports on an uplink, by node. They are valid until the next snapshot is taken over. */
  on(uplink: string): ReadonlyMap<string, UplinkReport> {
    return this.#reports.of(uplink);
  }

  /** The nodes that an Uplink selects. */
  selectedBy(uplink: string): SelectedNodes {
    return { total: this.#reports.of(uplink).size, notReady: this.#notReady.get(uplink) ?? new AffectedNodes() };
  }

  /** The selected pairs whose states would have names that states of other identities have, by these names. */
  get takenNames(): ReadonlyMap<string, StateIdentity> {
    return this.#taken;
  }

  /**
   * Takes the differences of two snapshots over.
   *
   * @param selections those for the second one
   * @param changes their differences
   */
  take(
    states: ListChanges<UplinkState>,
    selections: Selections,
    changes: Pick<SelectionChanges, 'pairs'>,
  ): ReportChanges {
    for (const { metadata } of states.removed) this.#states.delete(metadata.name);
    for (const state of states.added) this.#states.set(state.metadata.name, state);
    const changed: ReportChanges & { readonly uplinks: Set<string> } = { pairs: new PairSet(), uplinks: new Set() };
    for (const name of new Set([...states.removed, ...states.added].map(({ metadata }) => metadata.name))) {
      const pair = this.#pairs.get(name);
      if (pair !== undefined) this.#judge(pair, selections, changed);
    }
    for (const [uplink, nodes] of changes.pairs)
      for (const node of nodes) this.#judge({ uplink, node }, selections, changed);
    return changed;
  }

  #judge(pair: StateIdentity, selections: Selections, changed: ReportChanges & { readonly uplinks: Set<string> }) {
    const { uplink, node } = pair;
    const selection = selections.of(uplink).get(node);
    const before = this.#reports.get(uplink, node);
    if (selection === undefined && before === undefined) return;
    this.decisions += 1;
    const name = uplinkStateName(uplink, node);
    const found = this.#states.get(name);
    const isOwn = found !== undefined && belongsTo(found, pair);
    if (selection !== undefined && found !== undefined && !isOwn) this.#taken.set(name, pair);
    else this.#taken.delete(name);
    const report = selection && uplinkReport(node, selection, isOwn ? found : undefined);
    if (isSameReport(before, report)) return;
    if (report === undefined) {
      this.#reports.delete(uplink, node);
      this.#pairs.delete(name);
    } else {
      this.#reports.set(uplink, node, report);
      if (before === undefined) this.#pairs.set(name, pair);
    }
    const isCounted = this.#countNotReady(uplink, node, report?.reason);
    if (this.#reports.of(uplink).size === 0) this.#notReady.delete(uplink);
    changed.pairs.add(uplink, node);
    if (isCounted || (before === undefined) !== (report === undefined)) changed.uplinks.add(uplink);
  }

  #countNotReady(uplink: string, node: string, reason: string | undefined): boolean {
    const known = this.#notReady.get(uplink);
    if (known !== undefined) return known.set(node, reason);
    const notReady = new AffectedNodes();
    this.#notReady.set(uplink, notReady);
    return notReady.set(node, reason);
  }
}
