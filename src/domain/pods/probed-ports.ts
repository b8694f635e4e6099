/**
 * At which ports does the kubelet connect to a pod?
 */
import type { Container, Pod, PortReference } from '../api/pod.ts';

/** The number of a port that a container names, or has by its number; none for a name that it does not have. */
function portNumbers({ ports = [] }: Container, reference: PortReference): readonly number[] {
  if (typeof reference === 'number') return [reference];
  return ports.filter(({ name }) => name === reference).map(({ containerPort }) => containerPort);
}

/** Requests of the kubelet to a container: by probes, and by hooks of its lifecycle (Kubernetes API reference, Container). */
function requestsOf({ livenessProbe, readinessProbe, startupProbe, lifecycle }: Container) {
  const probes = [livenessProbe, readinessProbe, startupProbe, lifecycle?.postStart, lifecycle?.preStop];
  return probes.flatMap((probe) =>
    [probe?.httpGet, probe?.tcpSocket, probe?.grpc].filter((each) => each !== undefined),
  );
}

/** The TCP ports of a pod that its kubelet asks, without those of other hosts that a probe names. */
export function probedPorts({ spec: { containers = [], initContainers = [] } }: Pod): readonly number[] {
  const ports = [...containers, ...initContainers].flatMap((container) =>
    requestsOf(container)
      .filter(({ host = '' }) => host === '')
      .flatMap(({ port }) => portNumbers(container, port)),
  );
  return [...new Set(ports)].sort((a, b) => a - b);
}
