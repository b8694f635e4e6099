/**
 * Traffic that passes the interface of a pod in the cluster’s default network, where the pod has a primary network (docs/design/networks.md, "Pods"): otherwise the
 * default network would connect the tenants. Everything that no rule names is dropped.
 */
import { type AddressFamily, addressFamilies, familyOf } from '../basics/addresses/ip-address.ts';
import { distinct } from '../basics/names/ordering.ts';
import { noOpenPorts, type OpenPorts } from './open-ports.ts';

/** An address at which a pod is served in its default network. */
export interface ReachableService {
  readonly protocol: 'tcp' | 'udp';
  readonly address: string;
  readonly port: number;
}

/** Destinations that a pod may reach by its default network. */
export interface LockSurroundings {
  /** All addresses of its own node, on whatever interface: probes come from one of them. */
  readonly nodeAddresses: readonly string[];
  /** DNS, the Kubernetes API, and Services that the administrator allows. */
  readonly services: readonly ReachableService[];
}

/** Which way a packet goes, as the pod sees it. */
export type LockDirection = 'from-pod' | 'to-pod';

/** Packets that pass. */
export type LockRule =
  /** By which neighbours find each other (RFC 826; RFC 4861, with hop limit 255, which no router forwards). */
  | { readonly kind: 'address-resolution' }
  /** All that the addresses send to the pod. */
  | { readonly kind: 'any'; readonly family: AddressFamily; readonly addresses: readonly string[] }
  | {
      readonly kind: 'service';
      readonly family: AddressFamily;
      readonly protocol: 'tcp' | 'udp';
      readonly addresses: readonly string[];
      readonly port: number;
      /** Whether a segment that opens a connection does not pass. */
      readonly isAnswer: boolean;
    }
  /** Segments of TCP from ports of the pod, but none that opens a connection. */
  | {
      readonly kind: 'probe-answer';
      readonly family: AddressFamily;
      readonly addresses: readonly string[];
      readonly ports: readonly number[];
    }
  /** All to ports that the pod opens; from them, all that opens no connection. */
  | { readonly kind: 'open-ports'; readonly protocol: keyof OpenPorts; readonly ports: readonly number[] };

/** The rules of a pod. */
export type InterfaceLock = Readonly<Record<LockDirection, readonly LockRule[]>>;

function distinctPorts(ports: readonly number[]): readonly number[] {
  return [...new Set(ports)].sort((a, b) => a - b);
}

/** The addresses of each family; none of a family that has none. */
function byFamily(addresses: readonly string[]) {
  return addressFamilies
    .map((family) => ({
      family,
      addresses: distinct(addresses.filter((address) => familyOf(address) === family)),
    }))
    .filter((each) => each.addresses.length > 0);
}

function serviceRules({ services }: LockSurroundings, isAnswer: boolean): readonly LockRule[] {
  return (['tcp', 'udp'] as const).flatMap((protocol) => {
    const ofProtocol = services.filter((each) => each.protocol === protocol);
    return distinctPorts(ofProtocol.map(({ port }) => port)).flatMap((port) =>
      byFamily(ofProtocol.filter((each) => each.port === port).map(({ address }) => address)).map((each) => ({
        ...each,
        kind: 'service' as const,
        protocol,
        port,
        isAnswer,
      })),
    );
  });
}

function openRules(open: OpenPorts): readonly LockRule[] {
  return (['tcp', 'sctp'] as const)
    .filter((protocol) => open[protocol].length > 0)
    .map((protocol) => ({ kind: 'open-ports', protocol, ports: open[protocol] }));
}

/**
 * The rules of a pod: it reaches DNS, the Kubernetes API, allowed Services and, with answers only, its own node; only that node, and answers of the others, reach it. Everybody reaches
 * the ports that it opens.
 *
 * @param probedPorts TCP ports that the kubelet probes
 */
export function interfaceLock(
  probedPorts: readonly number[],
  surroundings: LockSurroundings,
  open: OpenPorts = noOpenPorts,
): InterfaceLock {
  const resolution = { kind: 'address-resolution' } as const;
  const node = byFamily(surroundings.nodeAddresses);
  const ports = distinctPorts(probedPorts);
  const opened = openRules(open);
  return {
    'from-pod': [
      resolution,
      ...serviceRules(surroundings, false),
      ...(ports.length === 0 ? [] : node.map((each) => ({ ...each, kind: 'probe-answer' as const, ports }))),
      ...opened,
    ],
    'to-pod': [
      resolution,
      ...node.map((each) => ({ ...each, kind: 'any' as const })),
      ...serviceRules(surroundings, true),
      ...opened,
    ],
  };
}
