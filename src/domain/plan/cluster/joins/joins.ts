/**
 * All that a plan of a cluster knows of pairs: uplinks and nodes, networks and nodes. It follows from one snapshot, and is brought to the next one at the
 * cost of their differences.
 */
import { listChanges } from '../../../basics/incremental/list-changes.ts';
import type { NetworkKey } from '../../../network/key.ts';
import { clusterNetwork, namespacedNetwork, type Network } from '../../../network/network.ts';
import { type ClusterSnapshot, emptyCluster } from '../../../snapshot/cluster-snapshot.ts';
import { egressUplink } from '../../../snapshot/settings.ts';
import type { ReferencedUplink } from '../../../status/uplinks-ready.ts';
import type { ClusterView } from '../../view/cluster-view.ts';
import type { Warning } from '../../view/warning.ts';
import { ProvidedNetworks } from '../provided-networks.ts';
import type { ProvisionPlan } from '../provision-plan.ts';
import { Activity } from './activity.ts';
import { Readiness } from './readiness.ts';
import { Reports } from './reports.ts';
import { Selections } from './selections.ts';
import { StateFindings, takenNameWarning } from './state-findings.ts';

/** The differences for two snapshots: the objects whose plans may have changed. */
export interface JoinedChanges {
  /** Names of Uplinks, also of those that are gone. */
  readonly uplinks: ReadonlySet<string>;
  /** Keys of networks whose uplinks count, also of those that are gone. */
  readonly networks: ReadonlySet<NetworkKey>;
  /** Writes for the networks that ovn-uplinks provides; absent if it provides none. */
  readonly provision: ProvisionPlan | undefined;
}

/** Everything that is known of pairs, for one snapshot after the other. The objects that cannot be read are the same for all of them. */
export class Joins {
  readonly selections = new Selections();
  readonly reports = new Reports();
  readonly states: StateFindings;
  readonly activity: Activity;
  readonly readiness: Readiness;
  /** Absent where ovn-uplinks provides no networks. */
  readonly provided: ProvidedNetworks | undefined;
  readonly #unreadableUplinks: ReadonlySet<string>;
  /** By key: those of ClusterUserDefinedNetworks, and others that ovn-uplinks provides. */
  readonly #networks = new Map<NetworkKey, Network>();
  #snapshot: ClusterSnapshot = emptyCluster;

  /**
   * @param view of the first snapshot; it is not taken over yet
   * @param former the pairs before all is joined anew
   */
  constructor(view: ClusterView, former?: Joins) {
    this.#unreadableUplinks = view.unreadable('uplinks');
    this.states = new StateFindings({ uplinks: this.#unreadableUplinks, nodes: view.unreadable('nodes') });
    this.activity = new Activity(view.settings.dynamicNetworks);
    this.readiness = new Readiness(this.activity, (uplink) => this.referenced(uplink));
    const isProvider = view.settings.providedNetworks !== 'none';
    this.provided = isProvider ? new ProvidedNetworks(view.settings, this.activity, former?.provided) : undefined;
  }

  /** All networks of ClusterUserDefinedNetworks, and those of UserDefinedNetworks where ovn-uplinks provides some, by key. */
  get networks(): ReadonlyMap<NetworkKey, Network> {
    return this.#networks;
  }

  /** Number of decisions so far: on pairs, on provided networks, and on Services in these. */
  get decisions(): Readonly<Record<'selections' | 'reports' | 'readiness' | 'provided' | 'services', number>> {
    return {
      selections: this.selections.decisions,
      reports: this.reports.decisions,
      readiness: this.readiness.decisions,
      provided: this.provided?.decisions ?? 0,
      services: this.provided?.services.decisions ?? 0,
    };
  }

  /** An uplink as input for conditions of networks. */
  referenced(name: string): ReferencedUplink {
    if (this.#unreadableUplinks.has(name)) return { kind: 'unreadable', name };
    const table = this.selections.table(name);
    if (table === undefined) return { kind: 'missing', name };
    if (table.unclear !== undefined) return { kind: 'unclear', problem: table.unclear };
    const reports = this.reports.on(name);
    return { kind: 'table', reportFor: (node) => reports.get(node) };
  }

  /** Warnings about states, in any order. */
  get warnings(): readonly Warning[] {
    return [
      ...this.states.warnings,
      ...[...this.reports.takenNames].map(([name, pair]) => takenNameWarning(name, pair)),
    ];
  }

  /** Takes the next snapshot over. */
  take(view: ClusterView): JoinedChanges {
    const [former, next] = [this.#snapshot, view.snapshot];
    this.#snapshot = next;
    const selections = this.selections.take(former, next);
    const states = listChanges(former.uplinkStates, next.uplinkStates);
    const reports = this.reports.take(states, this.selections, selections);
    this.states.take(states, this.selections, selections);
    const { changed, onUplinks } = this.#takeNetworks(former, view);
    const objects = { all: this.#networks, changed };
    const activity = this.activity.take(former, view, objects, selections.nodes);
    const { onAllNodes } = selections;
    const readiness = this.readiness.take({ networks: objects, activity, reports: reports.pairs, onAllNodes });
    return {
      uplinks: new Set([...selections.uplinks, ...reports.uplinks, ...readiness.uplinks]),
      networks: new Set([...onUplinks, ...readiness.networks]),
      provision: this.provided?.take(view, { networks: objects, activity }),
    };
  }

  #takeNetworks(former: ClusterSnapshot, { snapshot, settings }: ClusterView) {
    const { providedNetworks, egress } = settings;
    const wide = listChanges(former.clusterUserDefinedNetworks, snapshot.clusterUserDefinedNetworks);
    const clusterWide = this.#replace(
      wide.removed.map((object) => clusterNetwork(object, settings)),
      wide.added.map((object) => clusterNetwork(object, settings)),
    );
    if (providedNetworks === 'none') return { changed: clusterWide, onUplinks: clusterWide };
    const { removed, added } = listChanges(former.userDefinedNetworks, snapshot.userDefinedNetworks);
    const namespaced = this.#replace(
      removed.map((object) => namespacedNetwork(object, settings)),
      added.map((object) => namespacedNetwork(object, settings)),
    );
    const changed = new Set([...clusterWide, ...namespaced]);
    return { changed, onUplinks: egressUplink(egress) === undefined ? clusterWide : changed };
  }

  /** @returns keys of the networks that came, went or are other objects */
  #replace(removed: readonly Network[], added: readonly Network[]): ReadonlySet<NetworkKey> {
    for (const { key } of removed) this.#networks.delete(key);
    for (const network of added) this.#networks.set(network.key, network);
    return new Set([...removed, ...added].map(({ key }) => key));
  }
}
