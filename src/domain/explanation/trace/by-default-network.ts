/** Follows a packet of a pod to DNS, the Kubernetes API, or another Service that is reached by the default network: by its other interface, which is locked. */
import type { Pod } from '../../api/pod.ts';
import { POD_NETWORKS_ANNOTATION } from '../../basics/conventions.ts';
import { canonicalAddress, subnetContains } from '../../basics/addresses/ip-address.ts';
import type { Network } from '../../network/network.ts';
import { viewCluster } from '../../plan/view/cluster-view.ts';
import { defaultServicesIn } from '../../pods/default-services.ts';
import type { ReachableService } from '../../pods/interface-lock.ts';
import { annotatedAddresses, annotatedServices } from '../../pods/pod-annotation.ts';
import { hasEnded } from '../../selection/active-nodes.ts';
import type { ClusterSnapshot } from '../../snapshot/cluster-snapshot.ts';
import type { ClusterSettings, NodeSettings } from '../../snapshot/settings.ts';
import { type Hop, traceFromPod, type TraceVerdict } from './hop.ts';
import { packetText, type TracedPacket } from './packet.ts';
import { providedNetwork } from './trace-pods.ts';
import type { TraceOutcome, TraceQuestion } from './trace.ts';

/** The interface of pods in the default network, as container runtimes usually name it. */
const INTERFACE = 'eth0';

/** A pod of a network, with the name of its NetworkAttachmentDefinition. */
interface FoundPod {
  readonly pod: Pod;
  readonly definition: string;
}

function podWith(address: string, network: Network, { pods }: ClusterSnapshot): FoundPod | undefined {
  return pods
    .filter((pod) => !hasEnded(pod))
    .map((pod) => ({ pod, definition: `${pod.metadata.namespace ?? 'default'}/${network.metadata.name}` }))
    .find(({ pod, definition }) =>
      annotatedAddresses(pod.metadata.annotations?.[POD_NETWORKS_ANNOTATION], definition)?.includes(
        canonicalAddress(address),
      ),
    );
}

/** The route of a pod by which a destination is reached by the default network; undefined where it goes by the network. */
function routeTo(
  destination: string,
  found: FoundPod | undefined,
  addresses: readonly string[],
  { serviceCidrs }: ClusterSettings,
): string | undefined {
  // Of a pod that is not known, those that it would have if it were created now.
  const routed = found
    ? annotatedServices(found.pod.metadata.annotations?.[POD_NETWORKS_ANNOTATION], found.definition)
    : addresses;
  if (routed === undefined) return serviceCidrs.find((cidr) => subnetContains(cidr, destination));
  return routed.includes(destination) ? `${destination}/${destination.includes(':') ? 128 : 32}` : undefined;
}

/** Whether the lock lets a packet through. Answers are not followed. */
function passes(
  { protocol, ports }: TracedPacket,
  destination: string,
  services: readonly ReachableService[],
): boolean {
  return services.some(
    (each) =>
      each.protocol === protocol && canonicalAddress(each.address) === destination && each.port === ports?.destination,
  );
}

/**
 * Follows a packet that a pod of a provided network sends to a Service, if it goes by the default network; undefined if it does not.
 *
 * @param nodeName of the pod
 */
export function traceByDefaultNetwork(
  cluster: ClusterSnapshot,
  nodeName: string,
  settings: NodeSettings,
  { network: name, packet, from = 'pod', isReply = false }: TraceQuestion,
): TraceOutcome | undefined {
  const view = viewCluster(cluster, settings);
  const network = providedNetwork(name, view);
  const isOfNetwork = (address: string) => network?.subnets.some(({ cidr }) => subnetContains(cidr, address)) === true;
  if (network === undefined || from !== 'pod' || isReply || !isOfNetwork(packet.source)) return undefined;
  const { services, addresses } = defaultServicesIn(cluster, settings);
  const destination = canonicalAddress(packet.destination);
  const found = podWith(packet.source, network, cluster);
  const route = routeTo(destination, found, addresses, view.settings);
  const isElsewhere = found !== undefined && found.pod.spec.nodeName !== nodeName;
  if (route === undefined || isElsewhere) return undefined;
  const hop: Hop = {
    where: 'the pod',
    change: `leaves by ${INTERFACE}, with its address in the default network`,
    why: 'this destination is reached by the default network, not by the network of the pod',
    decidedBy: `route to ${route}`,
  };
  const verdict: TraceVerdict = passes(packet, destination, services)
    ? { kind: 'leaves', by: `${INTERFACE} to the default network` }
    : {
        kind: 'dropped',
        where: `the lock of ${INTERFACE}`,
        why: 'only DNS, the Kubernetes API and Services of --default-services pass it, by the ports that are allowed',
      };
  return traceFromPod({
    network: name,
    node: nodeName,
    packet: packetText(packet),
    hops: [hop],
    verdict,
    assumptions: found ? [] : ['the pod was created with the Services as they are'],
  });
}
