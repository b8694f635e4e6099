/** Destinations that pods which leave by their nodes must not reach there, and how they would: a tenant may add any route to its pods. */
import { ip } from '../commands.ts';
import type { LabNode } from '../node.ts';
import { PORT } from '../packets/exchange.ts';
import { prepare } from '../prepare.ts';
import { addressInNodes6, type ConnectedPlace, type Question, startServer } from './default-network.ts';
import { namespaceOf, PRIMARY_INTERFACE, type ScheduledPod, startDefault, type StartedPod } from './lab-pod.ts';
import { wayAddresses, WORLD } from './world.ts';

/** The port of the kubelet, and the node port of a Service of the default network. */
export const [KUBELET, NODE_PORT] = [10250, 30080] as const;

/** The ClusterIPs of that Service, IPv4 before IPv6. */
export const serviceAddresses = ['10.96.0.60', 'fd96::60'] as const;

/** Where clouds tell a node its identity, IPv4 before IPv6, and another such address. */
export const metadataAddresses = ['169.254.169.254', 'fd00:ec2::254'] as const;
const WIRE_SERVER = '168.63.129.16';

/** Addresses that only the node itself has. */
export const ownAddresses = ['198.18.0.1', '2001:db8:5::1'] as const;

/** The network namespace of the node itself, by a name (ip-netns(8), attach). */
const HOST = 'host';

/** A node with what must not be reached. */
export interface DeniedPlaces {
  /** Addresses of a pod of the default network on it, IPv4 before IPv6. */
  readonly defaultPod: readonly string[];
}

/** Adds what must not be reached to a node: a kubelet, a pod of the default network, metadata, addresses of its own. */
export async function addDeniedPlaces(node: LabNode): Promise<DeniedPlaces> {
  await node.does(['/bin/busybox', 'sh', '-c', `/sbin/ip netns attach ${HOST} $$`]);
  await startServer(node, KUBELET, HOST);
  const plain: ScheduledPod = { node, namespace: 'default', name: 'plain', uid: 'plain', network: 'default' };
  const defaultPod = await startDefault(plain);
  await startServer(node, PORT, namespaceOf(plain));
  await prepare(node, [
    ip`link add own type dummy`,
    ip`link set own up`,
    ...ownAddresses.map((address, family) => ip`address add ${`${address}/${[32, 128][family]!}`} dev own nodad`),
    ...[...metadataAddresses, WIRE_SERVER].map((address) => ip`-n ${WORLD} address add ${address} dev lo nodad`),
    ip`route add ${metadataAddresses[0]} via 192.0.2.1`,
  ]);
  return { defaultPod };
}

/** The router of a pod in its primary network. */
function routerOf({ addresses }: StartedPod, family: 4 | 6): string {
  const [ipv4 = '', ipv6 = ''] = addresses;
  return family === 4 ? ipv4.replace(/\d+$/, '1') : ipv6.replace(/[^:]*$/, '1');
}

/** A destination that must not be reached, by a name for people. */
export interface DeniedDestination {
  readonly name: string;
  readonly to: string;
  readonly port: number;
}

/** The destinations that OVN keeps pods from by itself, without the filter of the node: Services of subnets that `--service-cidr` names, and link-local addresses. */
const deniedByOvn = ['a Service of the default network', 'a Service of the default network, IPv6', 'metadata'] as const;

/** Whether OVN keeps pods from a destination by itself. */
export const isDeniedByOvn = ({ name }: DeniedDestination) => deniedByOvn.some((each) => each === name);

/** The destinations that pods of a node must not reach. */
export function deniedFor(
  place: ConnectedPlace,
  number: number,
  other: ConnectedPlace,
  [own, others]: readonly [DeniedPlaces, DeniedPlaces],
): readonly DeniedDestination[] {
  const [way4, way6] = wayAddresses(number);
  const [own6, others6] = [number, 1 - number].map(addressInNodes6) as [string, string];
  return [
    { name: 'its kubelet', to: place.address, port: KUBELET },
    { name: 'its kubelet by the address of the way', to: way4, port: KUBELET },
    { name: 'its kubelet by the address of the way, IPv6', to: way6, port: KUBELET },
    { name: 'its kubelet by its address among nodes, IPv6', to: own6, port: KUBELET },
    { name: 'an address of its own', to: ownAddresses[0], port: KUBELET },
    { name: 'an address of its own, IPv6', to: ownAddresses[1], port: KUBELET },
    { name: 'the kubelet of the other node', to: other.address, port: KUBELET },
    { name: 'the kubelet of the other node, IPv6', to: others6, port: KUBELET },
    { name: 'a pod of the default network', to: own.defaultPod[0]!, port: PORT },
    { name: 'a pod of the default network, IPv6', to: own.defaultPod[1]!, port: PORT },
    { name: 'a pod of the default network on the other node', to: others.defaultPod[0]!, port: PORT },
    { name: 'a pod of the default network on the other node, IPv6', to: others.defaultPod[1]!, port: PORT },
    { name: 'a node port', to: place.address, port: NODE_PORT },
    { name: 'a node port, IPv6', to: own6, port: NODE_PORT },
    { name: 'a node port of the other node', to: other.address, port: NODE_PORT },
    { name: 'a node port of the other node, IPv6', to: others6, port: NODE_PORT },
    { name: deniedByOvn[0], to: serviceAddresses[0], port: PORT },
    { name: deniedByOvn[1], to: serviceAddresses[1], port: PORT },
    { name: deniedByOvn[2], to: metadataAddresses[0], port: PORT },
    { name: 'metadata, IPv6', to: metadataAddresses[1], port: PORT },
    { name: 'metadata by an address that is not link-local', to: WIRE_SERVER, port: PORT },
  ];
}

/** Has a pod send packets for destinations by its primary network, whatever its routes say. */
export async function addRoutesByPrimary(pod: StartedPod, destinations: readonly DeniedDestination[]): Promise<void> {
  const all = [...new Set(destinations.map(({ to }) => to))];
  await pod.node.does(
    ...all.map((to) => {
      const family = to.includes(':') ? 6 : 4;
      return ip`-n ${namespaceOf(pod)} route replace ${to} via ${routerOf(pod, family)} dev ${PRIMARY_INTERFACE}`;
    }),
  );
}

/** The questions of a pod to destinations. */
export function questionsTo(pod: StartedPod, destinations: readonly DeniedDestination[]): readonly Question[] {
  return destinations.map(({ to, port }) => ({
    node: pod.node,
    asked: { from: namespaceOf(pod), protocol: 'tcp', to, port },
  }));
}
