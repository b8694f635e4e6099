/**
 * A cluster of two nodes, of Debian 12 and 13, each with three uplinks that have the same addresses: one in the default routing domain for two tenants, another one there for a third, and one in the
 * VRF of a fourth. The first two are bridges of their own on one node, and VLANs of one bridge on the other.
 */
import { emptyCluster } from '../../../../src/domain/index.ts';
import { namespace } from '../../kubernetes/network-objects.ts';
import { clusterOf } from '../clusters.ts';
import type { LabNode, NodeProcess } from '../node.ts';
import { startAnswering } from '../packets/exchange.ts';
import { providerNamespace } from '../packets/provider.ts';
import { bridgeOf, hostInterfaceOf, type LabUplink } from '../packets/tenant.ts';
import { connectedPlace, type ConnectedPlace, connectPods } from '../whole-networks/default-network.ts';
import { namespaceOf, type StartedPod } from '../whole-networks/lab-pod.ts';
import { WholeCluster } from '../whole-networks/whole-cluster.ts';

/** Uplinks and the tenants that use them. All tenants have the same subnets. */
const TENANTS = { shared: ['amber', 'green'], tagged: ['blue'], red: ['red'] } as const;

type UplinkName = keyof typeof TENANTS;

/** The tenant whose uplink is in its VRF. */
export const OWN = 'red';

/** VLANs of uplinks, on the node where they share a bridge. */
const VLANS: Partial<Record<UplinkName, number>> = { shared: 10, tagged: 20 };

const uplinkNames = Object.keys(TENANTS) as readonly UplinkName[];

/** The tenants, those of an uplink side by side. */
export const tenants: readonly string[] = uplinkNames.flatMap((name) => TENANTS[name]);

function uplinkOf(name: UplinkName, place: number): LabUplink {
  const number = 6 + place;
  const vlan = VLANS[name];
  return {
    name,
    macAddress: `02:00:00:00:0${uplinkNames.indexOf(name)}:0${number}`,
    addresses: [`192.0.2.${number}`, `2001:db8:b::${number}`],
    nodeSubnets: [`10.20.${place}.0/24`, place === 0 ? 'fd20::/64' : `fd20:0:0:${place}::/64`],
    ...(place === 1 && vlan !== undefined && { access: { bridge: 'br-wire', vlan, hostInterface: `br-${name}` } }),
  };
}

/** A node with an uplink of each name. */
export interface UplinkPlace extends ConnectedPlace {
  readonly byName: Readonly<Record<UplinkName, LabUplink>>;
}

export const places = ['worker-a', 'worker-b'].map((name, number): UplinkPlace => {
  const byName = Object.fromEntries(uplinkNames.map((each) => [each, uplinkOf(each, number)])) as Record<
    UplinkName,
    LabUplink
  >;
  return { ...connectedPlace(name, number), uplinks: Object.values(byName), byName };
});

const nameFor = (tenant: string) => uplinkNames.find((name) => TENANTS[name].some((each) => each === tenant))!;

/** The uplink of a tenant on a node. */
export const uplinkFor = (tenant: string, { byName }: UplinkPlace) => byName[nameFor(tenant)];

/** The uplinks of a node in the default routing domain, by which no address inside the cluster leaves. */
export const sharedUplinks = ({ byName }: UplinkPlace) => [byName.shared, byName.tagged];

/** The bridges of a node. */
export const bridgesOn = ({ byName }: UplinkPlace) => [...new Set(Object.values(byName).map(bridgeOf))];

const [first] = places as [UplinkPlace];

const { uplinks, clusterUserDefinedNetworks, routeAdvertisements, frrConfigurations } = clusterOf(
  tenants.map((name) => ({
    name,
    device: hostInterfaceOf(uplinkFor(name, first)),
    ...(name === OWN && { targetVRF: 'auto' }),
  })),
  { devices: Object.values(first.byName).map(hostInterfaceOf) },
);

/** The cluster, with a pod of each tenant on each node. */
export class ExposedCluster {
  readonly cluster: WholeCluster;
  readonly nodes: readonly LabNode[];
  readonly pods: StartedPod[] = [];
  /** The programs that answer in the pods of each node. */
  readonly answering: NodeProcess[] = [];

  private constructor(cluster: WholeCluster, nodes: readonly LabNode[]) {
    this.cluster = cluster;
    this.nodes = nodes;
  }

  static async start(): Promise<ExposedCluster> {
    const cluster = await WholeCluster.start({}, '--service-cidr=10.96.0.0/16', '--service-cidr=fd96::/112');
    const nodes = await Promise.all(
      places.map((place, index) => cluster.startNode(place, index === 1 ? { userland: 'debian-13' as const } : {})),
    );
    for (const node of nodes) await connectPods(node, places);
    await cluster.register(...places);
    const { server } = cluster.lab;
    server.apply(...tenants.map((tenant) => namespace(tenant, tenant)));
    await cluster.lab.apply({
      ...emptyCluster,
      uplinks,
      routeAdvertisements,
      frrConfigurations,
      clusterUserDefinedNetworks,
    });
    for (const node of nodes) await cluster.startAgent(node);
    await cluster.untilReady(tenants, nodes);
    for (const tenant of tenants)
      server.kubectl(['wait', '--for=condition=UplinksReady', ...cluster.wordsFor(tenant), '--timeout=90s']);
    const exposed = new ExposedCluster(cluster, nodes);
    await exposed.#startPods();
    return exposed;
  }

  stop(): Promise<void> {
    return this.cluster.stop();
  }

  podsOf(tenant: string): readonly StartedPod[] {
    return this.pods.filter((pod) => pod.namespace === tenant);
  }

  /** The client behind the wire of a tenant's uplink on a node. */
  clientOf(tenant: string, index: number) {
    return { node: this.nodes[index]!, from: providerNamespace(uplinkFor(tenant, places[index]!)) };
  }

  async #startPods(): Promise<void> {
    for (const node of this.nodes) {
      for (const tenant of tenants) this.pods.push(await this.cluster.newPod(node, tenant, `web-on-${node.name}`));
      this.answering.push(await startAnswering(node, this.pods.filter((pod) => pod.node === node).map(namespaceOf)));
    }
  }
}
