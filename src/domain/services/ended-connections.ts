/**
 * Which connections have to end with endpoints? Those of UDP and SCTP, whose clients would stay with an endpoint that is gone as long as they send. Connections of TCP end by
 * themselves: an endpoint that is not ready any more still finishes what it has begun (docs/design/services.md, "Connections").
 */
import { byName } from '../basics/names/ordering.ts';
import type { LoadBalancer } from './load-balancers.ts';

/** A place at which something answers. */
interface Place {
  readonly address: string;
  readonly port: number;
}

/** A place, or all ports of an address. */
interface PlaceOrAll {
  readonly address: string;
  readonly port?: number;
}

/** Connections by an address of a Service, to one of its ports or to all. */
export interface EndedConnections {
  readonly protocol: 'tcp' | 'udp' | 'sctp';
  readonly service: PlaceOrAll;
  /** Where they lead; absent for anywhere. */
  readonly endpoint?: PlaceOrAll;
  /** The conntrack zone that they are in; absent for all. */
  readonly zone?: number;
}

/** An address of a Service with an endpoint. */
interface Pair {
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

/** The pairs of texts, as far as they are some: another program may have changed them. */
function pairsIn(texts: readonly string[]): readonly Pair[] {
  return texts.flatMap((text) => {
    const [service, endpoint] = text.split('>').map(placeOf);
    return service === undefined || endpoint === undefined ? [] : [{ service, endpoint }];
  });
}

const addressesOf = ({ service, endpoint }: Pair) => `${service.address}>${endpoint.address}`;

/**
 * The connections of texts, in their order. Each costs a look at all connections of the node, so those to an endpoint to which the load balancer does not lead by any port are one, however many
 * ports it has: a Service may have hundreds.
 *
 * @param left the load balancer that there is
 */
export function endedConnections(left: Balanced, texts: readonly string[]): readonly EndedConnections[] {
  const { protocol } = left;
  if (protocol === 'tcp') return [];
  const used = new Set(pairsIn(pairsOf(left)).map(addressesOf));
  const ended = pairsIn(texts).map((pair): readonly [string, EndedConnections] => {
    const { service, endpoint } = pair;
    const addresses = addressesOf(pair);
    if (used.has(addresses)) return [JSON.stringify(pair), { protocol, service, endpoint }];
    return [addresses, { protocol, service: { address: service.address }, endpoint: { address: endpoint.address } }];
  });
  return [...new Map(ended).values()];
}

/** Load balancers of a Service that are changed, as they are and as they are to be; those that are deleted lead nowhere. */
export interface ChangedBalancer {
  readonly found: Balanced;
  readonly desired?: Balanced;
}

/**
 * The connections that end as a Service is not reached from the wire any more at some of its ports: those of a Service that is deleted would go on as long as they have packets.
 *
 * @param zone the conntrack zone of the uplink
 */
export function connectionsOfLostPorts({ found, desired }: ChangedBalancer, zone: number): readonly EndedConnections[] {
  const { protocol } = found;
  return Object.keys(found.vips)
    .filter((text) => desired?.vips[text] === undefined)
    .flatMap((text) => {
      const service = placeOf(text);
      return service === undefined ? [] : [{ protocol, service, zone }];
    });
}
