/**
 * At which addresses outside of its network is a Service served? Those that a load balancer of the cluster has given it, and the external ones that its author asks for, as far as an
 * administrator allows these and they have no other owner (docs/design/services.md, "Addresses outside").
 */
import type { Service } from '../api/service.ts';
import {
  type AddressFamily,
  canonicalAddress,
  familyOf,
  isCidr,
  subnetContains,
  unmappedAddress,
  withoutContained,
} from '../basics/addresses/ip-address.ts';
import type { AddressOwner } from '../network/provision/taken-addresses.ts';

/** Who has given a Service an address. */
export type AddressSource = 'load-balancer' | 'external-ips';

/** Why an address outside is not served. */
export type OutsideRefusal =
  | 'no-address'
  /** Its family is not one of the Service. */
  | 'other-family'
  /** Its author may not ask for it. */
  | 'not-allowed'
  /** A text in `loadBalancerSourceRanges` is no subnet: from where it may be reached is not known. */
  | 'ranges-invalid'
  | AddressOwner;

/** An address outside, and why it is not served; without a reason if it is. */
export interface JudgedOutsideAddress {
  readonly address: string;
  readonly family: AddressFamily;
  readonly source: AddressSource;
  readonly refusal?: OutsideRefusal;
}

/** The facts by which addresses are judged. */
export interface OutsideFacts {
  /** Subnets of addresses that authors of Services may ask for, CIDR. */
  readonly externalIps: readonly string[];
  /** Finds the owner of an address; undefined for none. */
  readonly ownerOf: (address: string) => AddressOwner | undefined;
}

const familyNames = { 4: 'IPv4', 6: 'IPv6' } as const;

/** Subnets from which the addresses of load balancers are reached; all addresses where there are none. */
interface SourceRanges {
  /** CIDR, none of which is part of another one. */
  readonly subnets: readonly string[];
  readonly areValid: boolean;
}

/** The ranges of a Service. Spaces around one mean nothing (Kubernetes, `pkg/apis/core/v1/helper`, source ranges). */
export function sourceRangesOf({ spec: { loadBalancerSourceRanges = [] } }: Service): SourceRanges {
  const texts = loadBalancerSourceRanges.map((text) => text.trim()).filter((text) => text !== '');
  return { subnets: withoutContained(texts), areValid: texts.every((text) => isCidr(text)) };
}

function refusalOf(
  text: string,
  source: AddressSource,
  service: Service,
  { externalIps, ownerOf }: OutsideFacts,
): OutsideRefusal | undefined {
  const family = familyOf(text);
  if (family === undefined || unmappedAddress(text) !== text) return 'no-address';
  if (service.spec.ipFamilies?.includes(familyNames[family]) === false) return 'other-family';
  const isAllowed = source !== 'external-ips' || externalIps.some((cidr) => subnetContains(cidr, text));
  if (!isAllowed) return 'not-allowed';
  if (source === 'load-balancer' && !sourceRangesOf(service).areValid) return 'ranges-invalid';
  return ownerOf(text);
}

/** The addresses that load balancers give a Service for its packets: one that ends connections itself has other ways to its endpoints. */
function ingressAddresses({ spec, status }: Service): readonly string[] {
  if (spec.type !== 'LoadBalancer') return [];
  return (status?.loadBalancer?.ingress ?? []).flatMap(({ ip, ipMode = 'VIP' }) =>
    ip === undefined || ip === '' || ipMode !== 'VIP' ? [] : [ip],
  );
}

/** Judges the addresses of a Service outside of its network, each once: an address that a load balancer has given it needs no permission. */
export function judgedOutsideAddresses(service: Service, facts: OutsideFacts): readonly JudgedOutsideAddress[] {
  const all = [
    ...ingressAddresses(service).map((text) => ({ text, source: 'load-balancer' as const })),
    ...(service.spec.externalIPs ?? []).map((text) => ({ text, source: 'external-ips' as const })),
  ];
  const judged = all.map(({ text, source }): JudgedOutsideAddress => {
    const refusal = refusalOf(text, source, service, facts);
    const [address, family] = [canonicalAddress(text), familyOf(text) ?? 4];
    return { address, family, source, ...(refusal !== undefined && { refusal }) };
  });
  return [...new Map(judged.toReversed().map((each) => [each.address, each])).values()].reverse();
}

/** Whether a Service may have addresses outside. */
export function hasOutsideAddresses(service: Service): boolean {
  return ingressAddresses(service).length + (service.spec.externalIPs ?? []).length > 0;
}
