/**
 * Which connections have to end with endpoints? Those of UDP and SCTP, whose clients would stay with an endpoint that is gone as long as they send. Connections of TCP end by
 * themselves: an endpoint that is not ready any more still finishes what it has begun (docs/design/services.md, "Connections").
 */
import { byName } from '../basics/names/ordering.ts';
import type { LoadBalancer } from './load-balancers.ts';

/** A place at which something answers: an address and a port. */
interface Place {
  readonly address: string;
  readonly port: number;
}

/** The connections to an endpoint by an address of a Service. */
export interface EndedConnections {
  readonly protocol: 'udp' | 'sctp';
  /** The address and port of the Service. */
  readonly service: Place;
  readonly endpoint: Place;
}

type Balanced = Pick<LoadBalancer, 'protocol' | 'vips'>;

/** The addresses of a load balancer with each of their endpoints, as `SERVICE>ENDPOINT`. */
function pairsOf({ vips }: Balanced): readonly string[] {
  return Object.entries(vips).flatMap(([service, endpoints]) =>
    endpoints.split(',').flatMap((endpoint) => (endpoint === '' ? [] : [`${service}>${endpoint}`])),
  );
}

/**
 * The connections that end with a change of a load balancer, or had to end with one before, as texts, in order.
 *
 * @param desired undefined if it is deleted
 */
export function endedWith(
  found: Balanced & { readonly ended: readonly string[] },
  desired: Balanced | undefined,
): readonly string[] {
  if (found.protocol === 'tcp') return [];
  const kept = new Set(desired === undefined ? [] : pairsOf(desired));
  const ended = new Set([...found.ended, ...pairsOf(found)]);
  return [...ended].filter((pair) => !kept.has(pair)).sort(byName);
}

function placeOf(text: string): Place | undefined {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d+)$/.exec(text) ?? [];
  const address = bracketed ?? plain;
  return address === undefined ? undefined : { address, port: Number(port) };
}

/** The connections of a text; undefined for a text that is none, as one that another program has changed. */
export function endedConnections(protocol: LoadBalancer['protocol'], text: string): EndedConnections | undefined {
  const [service, endpoint] = text.split('>').map(placeOf);
  if (protocol === 'tcp' || service === undefined || endpoint === undefined) return undefined;
  return { protocol, service, endpoint };
}
