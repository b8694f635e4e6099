/**
 * The annotations of a Node about a network's half of OVN on it (docs/design/field-facts.md, "Networks").
 */
import Type from 'typebox';
import { jsonAnnotation } from '../api/json-annotation.ts';
import type { Node } from '../api/node.ts';
import { ENCAPSULATION_IPS_ANNOTATION, NODE_ID_ANNOTATION, NODE_SUBNETS_ANNOTATION } from '../basics/conventions.ts';
import { isCidr } from '../basics/addresses/ip-address.ts';
import { lazyByObject } from '../basics/incremental/by-identity.ts';
import { lazyByText } from '../basics/incremental/lazy.ts';
import { type TunnelAddresses, tunnelAddressesIn } from '../basics/addresses/tunnel-address.ts';

/** An annotation of a node; empty where it has none. */
export function annotationOf({ metadata }: Node, name: string): string {
  return metadata.annotations?.[name] ?? '';
}

/** The node's id; absent while it has none. */
export function nodeIdOf({ metadata }: Node): number | undefined {
  const text = metadata.annotations?.[NODE_ID_ANNOTATION];
  return text !== undefined && /^[1-9][0-9]{0,8}$/.test(text) ? Number(text) : undefined;
}

/** A list of subnets by network name; OVN-Kubernetes once wrote a single text in the place of a list. */
const readSubnets = jsonAnnotation(Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())])));

const subnetsByNetwork = lazyByText((annotation: string): ReadonlyMap<string, readonly string[]> => {
  const said = readSubnets(annotation);
  if (said.kind !== 'read') return new Map();
  return new Map(Object.entries(said.value).map(([network, subnets]) => [network, [subnets].flat().filter(isCidr)]));
});

/** A list of addresses. */
const readAddresses = jsonAnnotation(Type.Array(Type.String()));

/** Where the tunnels of a node end, by its annotation. */
interface PublishedTunnels extends TunnelAddresses {
  /** Why the annotation cannot be read; absent where it can. */
  readonly problem?: string;
}

/** Where the tunnels of a node end, in order; nothing while it has not published any. */
export const publishedTunnelsOf = lazyByObject(({ metadata }: Node): PublishedTunnels => {
  const said = readAddresses(metadata.annotations?.[ENCAPSULATION_IPS_ANNOTATION]);
  if (said.kind === 'read') return tunnelAddressesIn(said.value);
  return { ...tunnelAddressesIn([]), ...(said.kind === 'broken' && { problem: said.problem }) };
});

/** The addresses where the tunnels of a node end, in order; empty while it has not published any. */
export function encapsulationAddressesOf(node: Node): readonly string[] {
  return publishedTunnelsOf(node).addresses;
}

/** Subnets of the pods of a network, CIDR, in the annotation of a node; empty where it has none. */
export function podSubnetsIn(annotation: string, networkName: string): readonly string[] {
  return annotation === '' ? [] : (subnetsByNetwork(annotation).get(networkName) ?? []);
}

/** Subnets of the pods of a network on the node, CIDR; empty where it has none. */
export function podSubnetsOf(node: Node, networkName: string): readonly string[] {
  return podSubnetsIn(annotationOf(node, NODE_SUBNETS_ANNOTATION), networkName);
}
