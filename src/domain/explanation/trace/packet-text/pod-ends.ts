/** Pods and Services as ends of a packet: `pod/NAME` in the namespace of the network, or `pod/NAMESPACE/NAME`; as destination likewise `service/NAME`, which from the wire is an address outside of its network. */
import type { Network } from '../../../network/network.ts';
import type { Pod } from '../../../api/pod.ts';
import { POD_NETWORKS_ANNOTATION } from '../../../basics/conventions.ts';
import { type AddressFamily, canonicalAddress, familyOf } from '../../../basics/addresses/ip-address.ts';
import { definitionsOf, namespacesFor } from '../../../plan/view/provided-networks.ts';
import { annotatedAddresses } from '../../../pods/pod-annotation.ts';
import { hasEnded } from '../../../selection/active-nodes.ts';
import type { ClusterSnapshot } from '../../../snapshot/cluster-snapshot.ts';
import type { OutsideEnds } from './outside-ends.ts';

/** A packet with the addresses of its pods, or what is wrong. */
export type PodEndsReading = { readonly text: string } | { readonly problem: string };

/** The source port of packets of a pod if none is given: one of those that the kernel chooses (ip-sysctl, ip_local_port_range). */
const SOURCE_PORT = 40_000;

const OBJECT = /^(pod|service)\/(?:([^/:\s]+)\/)?([^/:\s]+)(?::(\d+))?$/;

const isIcmp = (protocol: string) => protocol === 'icmp' || protocol === 'icmp6';

interface PodEnd {
  readonly addresses: readonly string[];
  readonly port?: string;
}

type EndReading = PodEnd | { readonly problem: string };

/** The namespaces that have a network; those that it selects if no NetworkAttachmentDefinition is among the objects. */
function namespacesOf(network: Network, cluster: ClusterSnapshot): readonly string[] {
  const having = definitionsOf(network, cluster).map(({ metadata }) => metadata.namespace ?? 'default');
  return having.length > 0 ? having : namespacesFor(network, cluster).map(({ metadata }) => metadata.name);
}

function addressesOf(pod: Pod, network: Network): EndReading {
  const { namespace = 'default', name, annotations } = pod.metadata;
  // Its annotation stays, but its addresses are given to others.
  if (hasEnded(pod)) return { problem: `pod ${namespace}/${name} has ended: its phase is ${pod.status?.phase}` };
  const text = annotations?.[POD_NETWORKS_ANNOTATION];
  const addresses = annotatedAddresses(text, `${namespace}/${network.metadata.name}`);
  if (addresses !== undefined && addresses.length > 0) return { addresses };
  return {
    problem: `pod ${namespace}/${name} has no address in network ${network.metadata.name}; ovn-uplinks explain pod/${namespace}/${name} says why`,
  };
}

/** The addresses of a Service in the cluster. */
function addressesOfService(namespace: string, name: string, { services }: ClusterSnapshot): EndReading {
  const service = services.find(
    ({ metadata }) => (metadata.namespace ?? 'default') === namespace && metadata.name === name,
  );
  if (service === undefined) return { problem: `the cluster objects have no Service ${namespace}/${name}` };
  const addresses = (service.spec.clusterIPs ?? []).filter((address) => familyOf(address) !== undefined);
  return addresses.length > 0 ? { addresses } : { problem: `Service ${namespace}/${name} has no ClusterIP` };
}

function addressesOfPod(namespace: string, name: string, network: Network, cluster: ClusterSnapshot): EndReading {
  const pod = cluster.pods.find(
    ({ metadata }) => (metadata.namespace ?? 'default') === namespace && metadata.name === name,
  );
  return pod === undefined
    ? { problem: `the cluster objects have no pod ${namespace}/${name}` }
    : addressesOf(pod, network);
}

/** The address of an end that is none of an object. */
const literalOf = (end: string) =>
  /^\[([^\]]*)\]/.exec(end)?.[1] ?? (familyOf(end) === undefined ? end.replace(/:\d+$/, '') : end);

/** A packet from the wire, and where Services are reached by it. */
interface FromWire {
  readonly protocol: string;
  readonly source: string;
  readonly outside: OutsideEnds;
}

/** A packet from the wire; undefined for one that does not come from there. */
function fromWire(protocol: string, source: string, outside: OutsideEnds | undefined): FromWire | undefined {
  if (outside === undefined) return undefined;
  const address = literalOf(source);
  const isAddress = familyOf(address) !== undefined;
  return isAddress && outside.isFromWire(canonicalAddress(address)) ? { protocol, source, outside } : undefined;
}

/** The end of a Service outside of its network. @param key `namespace/name`; @param port that it is asked for by */
function outsideEnd(key: string, port: string, { protocol, source, outside }: FromWire): EndReading {
  const family = literalFamily(source) ?? 4;
  const found = outside.endOf(key, { family, protocol, port: Number(port) });
  if (found !== undefined) return { addresses: [found.address], port: String(found.port) };
  return {
    problem: `Service ${key} is not reached from the wire on ${outside.nodeName} by port ${port}/${protocol.toUpperCase()} in IPv${String(family)}; ovn-uplinks explain service/${key} says at which addresses it is`,
  };
}

function objectEnd(end: string, network: Network, cluster: ClusterSnapshot, wire?: FromWire): EndReading | undefined {
  const [prefix] = /^(?:pod|service)\//.exec(end) ?? [];
  if (prefix === undefined) return undefined;
  const [, kind, given, name, port] = OBJECT.exec(end) ?? [];
  if (name === undefined)
    return { problem: `"${end}": expected ${prefix}NAME or ${prefix}NAMESPACE/NAME, with :PORT unless it is ICMP` };
  const known = namespacesOf(network, cluster);
  const [only, ...others] = known;
  if (given === undefined && (only === undefined || others.length > 0)) {
    const have = only === undefined ? 'no namespace has' : `namespaces ${known.join(', ')} have`;
    return { problem: `${end}: expected ${prefix}NAMESPACE/NAME, as ${have} network ${network.metadata.name}` };
  }
  const namespace = given ?? only ?? '';
  if (kind !== 'service') return withPort(addressesOfPod(namespace, name, network, cluster), port);
  const found = addressesOfService(namespace, name, cluster);
  return wire === undefined || port === undefined || 'problem' in found
    ? withPort(found, port)
    : outsideEnd(`${namespace}/${name}`, port, wire);
}

function withPort(found: EndReading, port: string | undefined): EndReading {
  return 'problem' in found ? found : { ...found, ...(port !== undefined && { port }) };
}

/** An address literal of an end, without brackets and port. */
function literalFamily(end: string): AddressFamily | undefined {
  return familyOf(literalOf(end));
}

/** The family of the packet: that of the protocol or of the other end, otherwise the first that both have. */
function familyFor(protocol: string, ends: readonly (PodEnd | string)[]): AddressFamily | undefined {
  if (protocol === 'icmp6') return 6;
  if (protocol === 'icmp') return 4;
  const families = ends.map((end) =>
    typeof end === 'string' ? [literalFamily(end)] : end.addresses.map((address) => familyOf(address)),
  );
  return ([4, 6] as const).find((family) => families.every((known) => known.includes(family)));
}

function endText(end: PodEnd | string, family: AddressFamily, defaultPort: string): string {
  if (typeof end === 'string') return end;
  const address = end.addresses.find((each) => familyOf(each) === family) ?? end.addresses[0] ?? '';
  const port = end.port === undefined ? defaultPort : `:${end.port}`;
  return family === 6 ? `[${address}]${port}` : `${address}${port}`;
}

/** The fault of an object as an end, or of its port. The source has one of those that the kernel chooses if none is given. */
function endProblem(protocol: string, end: string, isDestination: boolean): string | undefined {
  if (!isDestination && end.startsWith('service/'))
    return `${end}: expected a pod or an address, as no Service sends packets`;
  const [, , , , port] = OBJECT.exec(end) ?? [];
  if (isIcmp(protocol))
    return port === undefined ? undefined : `${end}: expected ${end.replace(/:\d+$/, '')}, as ICMP has no ports`;
  return isDestination && port === undefined ? `${end}: expected a port, such as ${end}:8080` : undefined;
}

/**
 * Replaces the pods and Services in the text of a packet by their addresses. A text without them is returned as it is.
 *
 * @param outside where Services are reached from the wire, for a packet that comes from there; absent where that is not known
 */
export function withObjectAddresses(
  packet: string,
  network: Network,
  cluster: ClusterSnapshot,
  outside?: OutsideEnds,
): PodEndsReading {
  const [protocol = '', source, arrow, destination, ...more] = packet.trim().split(/\s+/);
  if (source === undefined || destination === undefined) return { text: packet };
  const wire = fromWire(protocol, source, outside);
  const ends: (PodEnd | string)[] = [];
  for (const end of [source, destination]) {
    const object = objectEnd(end, network, cluster, wire);
    if (object !== undefined && 'problem' in object) return object;
    const problem = object && endProblem(protocol, end, end === destination);
    if (problem !== undefined) return { problem };
    ends.push(object ?? end);
  }
  const [from = source, to = destination] = ends;
  if (typeof from === 'string' && typeof to === 'string') return { text: packet };
  const family = familyFor(protocol, ends);
  if (family === undefined) return { problem: `${source} and ${destination} have no address family in common` };
  const texts = [
    endText(from, family, isIcmp(protocol) ? '' : `:${String(SOURCE_PORT)}`),
    arrow,
    endText(to, family, ''),
  ];
  return { text: [protocol, ...texts, ...more].join(' ') };
}
