/**
 * Does a node tell load balancers outside, which ask at the `healthCheckNodePort` of a Service, to send connections there? It answers as kube-proxy does for Services of the default
 * network (Kubernetes, `pkg/proxy/healthcheck/service_health.go`), with endpoints of the network (docs/design/services.md, "Health checks").
 */
import type { Service } from '../api/service.ts';
import type { AddressFamily } from '../basics/addresses/ip-address.ts';
import { groupBy } from '../basics/names/grouping.ts';
import { least } from '../basics/names/ordering.ts';
import { type ChoiceInput, endpointJudge, isReady } from './endpoint-choice.ts';
import { ageOf, byAge, type Claim } from './exposed-claims.ts';
import { familiesOf, isPort } from './exposed-ports.ts';
import { balancedProtocol } from './protocols.ts';
import type { WayOfNetwork } from './served-outside.ts';
import { keyOf, namespaceOf } from './services-by-namespace.ts';

/** The answer of a node at the port of the health checks of a Service. */
export interface HealthCheck extends Claim {
  readonly port: number;
  readonly namespace: string;
  readonly name: string;
  /** Number of its endpoints on the node that are ready. */
  readonly localEndpoints: number;
  /** Whether packets from the wire come to its network on the node. Where they do not, no endpoint is reached by it. */
  readonly isReached: boolean;
  /** The VRF of its uplink, if sockets of the host that are bound to no VRF do not answer there: the answer is not sent. */
  readonly unansweredVrf?: string;
}

/** A Service of a network on a node. */
export interface HealthCheckInput extends Omit<ChoiceInput, 'family' | 'policy'> {
  readonly way: WayOfNetwork;
}

/** The port of the health checks of a Service; undefined where it has none, as only those of load balancers with policy Local do (Kubernetes API reference, Service v1). */
export function healthCheckPortOf({ spec }: Service): number | undefined {
  const { type, externalTrafficPolicy, healthCheckNodePort } = spec;
  if (type !== 'LoadBalancer' || externalTrafficPolicy !== 'Local') return undefined;
  return isPort(healthCheckNodePort) ? healthCheckNodePort : undefined;
}

/**
 * Counts the endpoints of a family on the node: by address, whatever ports each has, and those that are ready. One that still serves while it terminates gets connections where no other is
 * there, but none are to be sent for it any more (Kubernetes, `pkg/proxy/endpointschangetracker.go`, getLocalReadyEndpointIPs).
 */
function readyOn(input: HealthCheckInput, family: AddressFamily): number {
  const { service } = input.slices;
  const judge = endpointJudge({ ...input, family, policy: 'Local' });
  const ports = (service.spec.ports ?? []).filter((port) => balancedProtocol(port) !== undefined);
  const ready = ports.flatMap(judge).filter(({ endpoint, use }) => use === 'used' && isReady(endpoint, service));
  return new Set(ready.map(({ address }) => address)).size;
}

/** The health check of a Service on a node; undefined where it has none. Of two families the one with more endpoints counts: a pod has an address of each. */
export function healthCheckOf(input: HealthCheckInput): HealthCheck | undefined {
  const { slices, way } = input;
  const { service } = slices;
  const port = healthCheckPortOf(service);
  if (port === undefined) return undefined;
  const unansweredVrf = typeof way === 'object' ? way.unansweredVrf : undefined;
  return {
    key: keyOf(service),
    age: ageOf(service),
    port,
    namespace: namespaceOf(service),
    name: service.metadata.name,
    localEndpoints: Math.max(0, ...familiesOf(service).map((family) => readyOn(input, family))),
    isReached: way !== 'none',
    ...(unansweredVrf !== undefined && { unansweredVrf }),
  };
}

/** Whether load balancers are told to send connections to a node. */
export function isHealthy({ localEndpoints, isReached }: HealthCheck): boolean {
  return isReached && localEndpoints > 0;
}

/** Health checks whose ports are theirs, and those whose port an older Service has. */
export interface HeldHealthChecks {
  readonly held: readonly HealthCheck[];
  readonly taken: readonly { readonly check: HealthCheck; readonly holder: HealthCheck }[];
}

/** Decides which Service has a port: Kubernetes gives each its own, but two may have the same after a database was restored. The oldest has it, as load balancers ask for it already. */
export function heldHealthChecks(checks: Iterable<HealthCheck>): HeldHealthChecks {
  const byPort = [...groupBy(checks, ({ port }) => String(port)).values()];
  const judged = byPort.flatMap((ofPort) => {
    const holder = least(ofPort, byAge);
    return holder === undefined ? [] : ofPort.map((check) => ({ check, holder }));
  });
  return {
    held: judged.filter(({ check, holder }) => check === holder).map(({ check }) => check),
    taken: judged.filter(({ check, holder }) => check !== holder),
  };
}
