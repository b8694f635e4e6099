import { lazyByKey } from '../../domain/basics/incremental/lazy.ts';
import { viewCluster } from '../../domain/plan/view/cluster-view.ts';
import { networkOfServices } from '../../domain/plan/view/network-of-services.ts';
import { nodeIndex } from '../../domain/selection/indexes.ts';
import { type NodePlace, placeOf } from '../../domain/services/endpoint-choice.ts';
import type { ServiceSurroundings } from '../../domain/services/services-on-node.ts';
import type { ClusterSnapshot } from '../../domain/snapshot/cluster-snapshot.ts';
import type { NodeSettings } from '../../domain/snapshot/settings.ts';
import type { UplinkWay } from '../../domain/dataplane/uplink-ways.ts';
import { clusterSubnets } from '../../domain/plan/view/cluster-subnets.ts';
import type { SubnetIndex } from '../../domain/network/provision/used-subnets.ts';
import { type OutsideSurroundings, wayFinder } from '../../domain/services/served-outside.ts';
import { Changes } from '../../ports/changes.ts';
import type { NodeReport } from '../../ports/node/node-report.ts';

/** The kinds that networks of namespaces follow from. */
const relevantKinds = [
  'namespaces',
  'clusterUserDefinedNetworks',
  'userDefinedNetworks',
  'networkAttachmentDefinitions',
  'configMaps',
] as const satisfies readonly (keyof ClusterSnapshot)[];

/** The networks of namespaces in the last snapshot of the cluster, which stays valid while the API server is away. */
export class ServiceCluster {
  readonly #node: string;
  readonly #settings: NodeSettings;
  readonly #changes = new Changes();
  #snapshot: ClusterSnapshot | undefined;
  /** The last ways of networks, also of those whose uplink is held now: there everything stays as it was. */
  #ways: ReadonlyMap<string, UplinkWay> = new Map();
  /** Finds the way of a network: another function if one has changed; absent before any is known. */
  #wayOf: OutsideSurroundings['wayOf'] | undefined;
  #found: (Omit<ServiceSurroundings, 'outside'> & { readonly used: SubnetIndex }) | undefined;
  #surroundings: ServiceSurroundings | undefined;

  /** @param node the name of this node */
  constructor(node: string, settings: NodeSettings) {
    this.#node = node;
    this.#settings = settings;
  }

  /** Takes a snapshot, which replaces the previous one. */
  update(snapshot: ClusterSnapshot): void {
    const former = this.#snapshot;
    this.#snapshot = snapshot;
    const areNetworksSame =
      former !== undefined &&
      former.unreadable === snapshot.unreadable &&
      relevantKinds.every((kind) => snapshot[kind] === former[kind]);
    const place = this.#placeIn(snapshot);
    const before = this.#found;
    const used = clusterSubnets(snapshot.nodes, viewCluster(snapshot, this.#settings).settings);
    const isSamePlace = before?.node.zone === place.zone && before?.used === used;
    if (before !== undefined && areNetworksSame && isSamePlace) return;
    const networkOf = areNetworksSame && before !== undefined ? before.networkOf : this.#networksIn(snapshot);
    this.#found = { node: place, masqueradeSubnets: this.#settings.masqueradeSubnets, networkOf, used };
    this.#complete();
  }

  /** Takes over the ways of networks from the wire, as the loop of the node reports them. */
  takeReport(report: NodeReport): void {
    if (report.kind !== 'ways') return;
    const held = new Set(report.held);
    const kept = [...this.#ways].filter(([name]) => held.has(name));
    const ways = new Map([...kept, ...report.ways.map((way) => [way.networkName, way] as const)]);
    this.#ways = ways;
    this.#wayOf = wayFinder(ways, held);
    this.#complete();
  }

  /** Nothing is known before the ways are: what Services have by them would be taken away, and added again a moment later. */
  #complete(): void {
    if (this.#found === undefined || this.#wayOf === undefined) return;
    const { used, ...found } = this.#found;
    const { externalIps } = this.#settings;
    this.#surroundings = { ...found, outside: { externalIps, used, wayOf: this.#wayOf } };
    this.#changes.notify();
  }

  /** The node and its networks: the same object as long as nothing in it changes; undefined as long as nothing is known. */
  get surroundings(): ServiceSurroundings | undefined {
    return this.#surroundings;
  }

  onChange(listener: () => void): () => void {
    return this.#changes.listen(listener);
  }

  #placeIn({ nodes }: ClusterSnapshot): NodePlace {
    const node = nodeIndex(nodes).byName.get(this.#node);
    return node === undefined ? { name: this.#node } : placeOf(node);
  }

  #networksIn(snapshot: ClusterSnapshot): ServiceSurroundings['networkOf'] {
    const view = viewCluster(snapshot, this.#settings);
    // Each namespace once: it may have many Services.
    return lazyByKey((namespace: string) => networkOfServices(namespace, view));
  }
}
