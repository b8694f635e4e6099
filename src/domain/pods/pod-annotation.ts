/**
 * The annotation of a pod with its addresses, JSON by NetworkAttachmentDefinition (OKEP-5193, example of `k8s.ovn.org/pod-networks`).
 *
 * Several programs write it: entries of others are kept as they are.
 */
import Type from 'typebox';
import { conformanceTo } from '../api/conformance.ts';
import { jsonAnnotation } from '../api/json-annotation.ts';
import { partOf } from '../api/schema.ts';
import { canonicalAddress, familyOf, withoutLength } from '../basics/addresses/ip-address.ts';

const readEntries = jsonAnnotation(Type.Record(Type.String(), Type.Unknown()));

const conformEntry = conformanceTo(partOf({ ip_addresses: Type.Array(Type.String()) }));

const conformServices = conformanceTo(partOf({ default_services: Type.Array(Type.String()) }));

/** The addresses of a pod in a network, without prefix length; undefined where the annotation has none, or none that is an address. */
export function annotatedAddresses(text: string | undefined, definition: string): readonly string[] | undefined {
  const entries = readEntries(text);
  if (entries.kind !== 'read' || !Object.hasOwn(entries.value, definition)) return undefined;
  const entry = conformEntry(entries.value[definition]);
  const texts = entry.conforms ? entry.value.ip_addresses.filter((text) => familyOf(text) !== undefined) : [];
  return texts.length === 0 ? undefined : texts.map((text) => canonicalAddress(withoutLength(text)));
}

/** The NetworkAttachmentDefinitions that the annotation of a pod has addresses for, by namespace and name. */
export function annotatedDefinitions(text: string | undefined): readonly string[] {
  const entries = readEntries(text);
  if (entries.kind !== 'read') return [];
  return Object.keys(entries.value).filter((definition) => conformEntry(entries.value[definition]).conforms);
}

/** The Services that a pod in a network reaches by the default network, by their addresses; undefined where an older agent has attached it. */
export function annotatedServices(text: string | undefined, definition: string): readonly string[] | undefined {
  const entries = readEntries(text);
  if (entries.kind !== 'read' || !Object.hasOwn(entries.value, definition)) return undefined;
  const entry = conformServices(entries.value[definition]);
  return entry.conforms ? entry.value.default_services : undefined;
}

/** A network in the annotation of a pod. */
export interface AnnotatedNetwork {
  /** Namespace and name of the NetworkAttachmentDefinition. */
  readonly definition: string;
  /** CIDR, IPv4 before IPv6. */
  readonly addresses: readonly string[];
  readonly mac: string;
  /** Addresses of the network's router. */
  readonly gateways: readonly string[];
  /** Subnets that are reached by the router beside everything else, CIDR: those of the network, and those between its routers. */
  readonly subnets: readonly string[];
  /** Addresses of Services that are reached by the default network; absent for pods of older agents, which have the subnets of all Services there. */
  readonly defaultServices?: readonly string[];
}

function entryOf({ addresses, mac, gateways, subnets, defaultServices }: AnnotatedNetwork): object {
  const [address, secondAddress] = addresses;
  const [gateway] = gateways;
  return {
    ip_addresses: addresses,
    mac_address: mac,
    gateway_ips: gateways,
    routes: subnets.flatMap((dest) => {
      const nextHop = gateways.find((each) => familyOf(each) === familyOf(dest));
      return nextHop === undefined ? [] : [{ dest, nextHop }];
    }),
    // For older readers, which know one address only.
    ...(secondAddress === undefined && { ip_address: address, gateway_ip: gateway }),
    role: 'primary',
    // Of ovn-uplinks alone.
    ...(defaultServices && { default_services: defaultServices }),
  };
}

/** The text of the annotation with the entry of a network; a text that cannot be read is replaced. */
export function withAnnotatedNetwork(text: string | undefined, network: AnnotatedNetwork): string {
  const entries = readEntries(text);
  const others = entries.kind === 'read' ? entries.value : {};
  return JSON.stringify({ ...others, [network.definition]: entryOf(network) });
}
