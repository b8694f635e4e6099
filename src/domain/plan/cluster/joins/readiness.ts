/** On which active nodes are networks not ready, by their uplinks? A pair is judged where its activity, or a report on one of its uplinks, has changed. */
import { byName, distinct } from '../../../basics/names/ordering.ts';
import { nameOfNetwork, type NetworkKey } from '../../../network/key.ts';
import type { Network } from '../../../network/network.ts';
import { AffectedNodes } from '../../../status/affected-nodes.ts';
import { reasonByUplinks, type ReferencedUplink } from '../../../status/uplinks-ready.ts';
import type { Activity, FollowedNetworks } from './activity.ts';
import { addTo, type PairSet, removeFrom } from '../../../basics/names/pairs.ts';

/** A network with uplinks. */
interface Entry {
  readonly network: Network;
  /** Names of its uplinks, each once, in order. */
  readonly uplinks: readonly string[];
  notReady: AffectedNodes;
}

/** Changes of everything by which a network is judged. */
export interface ReadinessChanges {
  readonly networks: FollowedNetworks;
  /** Networks and nodes. */
  readonly activity: PairSet<NetworkKey>;
  /** Uplinks and nodes. */
  readonly reports: PairSet;
  /** Names of the uplinks of which something else is known on all nodes. */
  readonly onAllNodes: ReadonlySet<string>;
}

/** The readiness of all networks by their uplinks. */
export class Readiness {
  readonly #entries = new Map<NetworkKey, Entry>();
  readonly #networksOn = new Map<string, Set<NetworkKey>>();
  readonly #activity: Activity;
  readonly #referenced: (uplink: string) => ReferencedUplink;
  /** Number of pairs that were judged so far; laws hold it against the table of docs/design/cluster-plan.md. */
  decisions = 0;

  constructor(activity: Activity, referenced: (uplink: string) => ReferencedUplink) {
    this.#activity = activity;
    this.#referenced = referenced;
  }

  /** The active nodes on which a network is not ready. */
  notReady(network: NetworkKey): AffectedNodes {
    return this.#entries.get(network)?.notReady ?? new AffectedNodes();
  }

  /** The networks that have an Uplink, in order. */
  networksOn(uplink: string): readonly NetworkKey[] {
    return [...(this.#networksOn.get(uplink) ?? [])].sort(byName);
  }

  /**
   * Judges what has changed.
   *
   * @returns keys of the networks whose nodes are other ones, or not ready for another reason; and names of the uplinks that other networks refer to
   */
  take({ networks, activity, reports, onAllNodes }: ReadinessChanges): {
    readonly networks: ReadonlySet<NetworkKey>;
    readonly uplinks: ReadonlySet<string>;
  } {
    const { anew, uplinks } = this.#takeNetworks(networks);
    for (const uplink of onAllNodes) for (const key of this.#networksOn.get(uplink) ?? []) anew.add(key);
    const changed = new Set(anew);
    for (const key of anew) this.#judgeAll(key);
    for (const [key, nodes] of activity) {
      if (!this.#entries.has(key)) continue;
      // Its number of active nodes is another one.
      changed.add(key);
      if (!anew.has(key)) for (const node of nodes) this.#judge(key, node);
    }
    for (const [uplink, nodes] of reports) {
      for (const key of this.#networksOn.get(uplink) ?? []) {
        if (anew.has(key)) continue;
        for (const node of nodes) if (this.#judge(key, node)) changed.add(key);
      }
    }
    return { networks: changed, uplinks };
  }

  /** @returns the networks that are judged on all their nodes */
  #takeNetworks({ all, changed }: FollowedNetworks) {
    const anew = new Set<NetworkKey>();
    const uplinks = new Set<string>();
    for (const key of changed) {
      const [before, object] = [this.#entries.get(key), all.get(key)];
      const later = distinct(object?.uplinks ?? []);
      const network = later.length > 0 ? object : undefined;
      if (before !== undefined && network !== undefined && before.uplinks.join() === later.join()) {
        this.#entries.set(key, { ...before, network });
        continue;
      }
      for (const uplink of before?.uplinks ?? []) removeFrom(this.#networksOn, uplink, key);
      for (const uplink of later) addTo(this.#networksOn, uplink, key);
      for (const uplink of [...(before?.uplinks ?? []), ...later]) uplinks.add(uplink);
      if (network === undefined) this.#entries.delete(key);
      else {
        this.#entries.set(key, { network, uplinks: later, notReady: new AffectedNodes() });
        anew.add(key);
      }
    }
    return { anew, uplinks };
  }

  #judgeAll(key: NetworkKey): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    entry.notReady = new AffectedNodes();
    const uplinks = entry.uplinks.map(this.#referenced);
    for (const node of this.#activity.nodes(key)) {
      this.decisions += 1;
      entry.notReady.set(node, reasonByUplinks(nameOfNetwork(key), uplinks, node));
    }
  }

  #judge(key: NetworkKey, node: string): boolean {
    const entry = this.#entries.get(key);
    if (entry === undefined) return false;
    this.decisions += 1;
    const isActive = this.#activity.isActive(key, node);
    const { uplinks, notReady } = entry;
    const reason = isActive ? reasonByUplinks(nameOfNetwork(key), uplinks.map(this.#referenced), node) : undefined;
    return notReady.set(node, reason);
  }
}
