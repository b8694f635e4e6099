/**
 * The ports of a Service that are reached from outside of its network: node ports at the address of the uplink, and its own ports at addresses of a load balancer or external ones
 * (docs/design/services.md, "Addresses outside").
 */
import type { Service, ServicePort } from '../api/service.ts';
import { addressFamilies, type AddressFamily, familyOf, prefixLengthOf } from '../basics/addresses/ip-address.ts';
import type { ExposedPort, PerFamily } from '../dataplane/pipeline/bridge-input.ts';
import { MOST_PORT } from './endpoint-choice.ts';
import { type JudgedOutsideAddress, sourceRangesOf } from './exposed-addresses.ts';
import { balancedProtocol } from './protocols.ts';

/** A port that is reached from outside, and the port of the Service that it leads to. */
export interface OutsidePort extends ExposedPort {
  readonly servicePort: ServicePort;
}

/** Whether a number is one of a port: 0 is none. */
export const isPort = (number: number | undefined): number is number =>
  number !== undefined && number > 0 && number <= MOST_PORT;

/** Whether two ports are one place on a link: no two Services have it. */
export const isSamePort = (one: ExposedPort, other: ExposedPort) =>
  one.address === other.address && one.port === other.port && one.protocol === other.protocol;

const familyNames = { IPv4: 4, IPv6: 6 } as const;

/** The families of a Service. */
export function familiesOf({ spec: { ipFamilies, clusterIPs = [] } }: Service): readonly AddressFamily[] {
  const families: ReadonlySet<unknown> = new Set(
    ipFamilies?.map((name) => familyNames[name as keyof typeof familyNames]) ?? clusterIPs.map(familyOf),
  );
  return addressFamilies.filter((family) => families.has(family));
}

/** The subnets that packets of a family may come from; undefined for all: ranges of the other family alone say nothing, as for kube-proxy. */
function sourcesOf(service: Service, family: AddressFamily): readonly string[] | undefined {
  const subnets = sourceRangesOf(service).subnets.filter((subnet) => familyOf(subnet) === family);
  return subnets.length === 0 || subnets.some((subnet) => prefixLengthOf(subnet) === 0) ? undefined : subnets;
}

function nodePorts(service: Service, addresses: PerFamily<string>): readonly OutsidePort[] {
  const { type, ports = [] } = service.spec;
  if (type !== 'NodePort' && type !== 'LoadBalancer') return [];
  return ports.flatMap((servicePort) => {
    const [protocol, port] = [balancedProtocol(servicePort), servicePort.nodePort];
    if (protocol === undefined || !isPort(port)) return [];
    return familiesOf(service).flatMap((family): readonly OutsidePort[] => {
      const address = addresses[family];
      return address === undefined ? [] : [{ family, address, isOfService: false, protocol, port, servicePort }];
    });
  });
}

function portsAt(service: Service, { address, family, source }: JudgedOutsideAddress): readonly OutsidePort[] {
  const sources = source === 'load-balancer' ? sourcesOf(service, family) : undefined;
  return (service.spec.ports ?? []).flatMap((servicePort) => {
    const [protocol, { port }] = [balancedProtocol(servicePort), servicePort];
    if (protocol === undefined || !isPort(port)) return [];
    return [{ family, address, isOfService: true, protocol, port, servicePort, ...(sources && { sources }) }];
  });
}

/**
 * The ports of a Service that are reached from outside.
 *
 * @param judged its addresses outside, of which those that are refused are left out
 * @param addresses those of the uplink of its network on the node; none where it has no uplink there
 */
export function outsidePorts(
  service: Service,
  judged: readonly JudgedOutsideAddress[],
  addresses: PerFamily<string>,
): readonly OutsidePort[] {
  const accepted = judged.filter(({ refusal }) => refusal === undefined);
  return [...nodePorts(service, addresses), ...accepted.flatMap((each) => portsAt(service, each))];
}
