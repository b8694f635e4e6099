/**
 * Ports at which a pod with a primary network may be reached by the cluster's default network, as its author says in an annotation: by ingress controllers,
 * monitoring and webhooks (OVN-Kubernetes documentation, "User Defined Networks", `k8s.ovn.org/open-default-ports`).
 *
 * What goes out from such a port is only told from what the pod sends of itself where a protocol says who opens a connection: TCP and SCTP do. A port of UDP,
 * or echo of ICMP, would let the pod send anywhere, so neither is opened.
 */
import { load } from 'js-yaml';
import { describeValue } from '../api/conformance.ts';
import type { Pod } from '../api/pod.ts';
import { OPEN_PORTS_ANNOTATION } from '../basics/conventions.ts';
import { lazyByObject } from '../basics/incremental/by-identity.ts';

/** Ports that are open, in ascending order. */
export interface OpenPorts {
  readonly tcp: readonly number[];
  readonly sctp: readonly number[];
}

/** An annotation as it was read: a wrong item of it closes no other. */
export interface OpenPortsReading {
  readonly ports: OpenPorts;
  /** Each completes "annotation k8s.ovn.org/open-default-ports: …". */
  readonly problems: readonly string[];
}

export const noOpenPorts: OpenPorts = { tcp: [], sctp: [] };

/** Number of ports that a pod may open: each is compared with every packet to the pod. */
const MOST_PORTS = 100;

/** Characters of an annotation: those of so many ports, several times. Tenants may change it as often as they like, and each time it is parsed. */
const LONGEST_TEXT = 16_384;

/** Characters of what the library says of text that is no YAML. */
const LONGEST_REASON = 100;

/** Parses YAML, of which JSON is a part; says what is wrong with other text. */
function parsed(text: string): { readonly value: unknown } | { readonly problem: string } {
  // eslint-disable-next-line no-restricted-syntax -- The library throws on text that is no YAML; it goes no further than this.
  try {
    return { value: load(text) };
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    // It may repeat any part of the text.
    return { problem: `expected YAML, found ${describeValue(text)}: ${reason.slice(0, LONGEST_REASON)}` };
  }
}

function isOpened(protocol: string): protocol is keyof OpenPorts {
  return protocol === 'tcp' || protocol === 'sctp';
}

/** A port that an item opens; or what is wrong with it, beginning with where. */
function portOf(item: unknown): readonly [keyof OpenPorts, number] | string {
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    return `: expected an object with protocol and port, found ${describeValue(item)}`;
  const { protocol, port } = item as { readonly protocol?: unknown; readonly port?: unknown };
  if (typeof protocol !== 'string') return `.protocol: expected tcp or sctp, found ${describeValue(protocol)}`;
  const name = protocol.toLowerCase();
  if (name === 'udp' || name === 'icmp')
    return `.protocol: expected tcp or sctp, found ${name}, which would let the pod send anywhere`;
  if (!isOpened(name)) return `.protocol: expected tcp or sctp, found ${describeValue(protocol)}`;
  if (typeof port !== 'number' || !Number.isInteger(port) || port < 1 || port > 65_535)
    return `.port: expected a number from 1 to 65535, found ${describeValue(port)}`;
  return [name, port];
}

const ascending = (ports: readonly number[]) => [...new Set(ports)].sort((left, right) => left - right);

const nothingBut = (problem: string): OpenPortsReading => ({ ports: noOpenPorts, problems: [problem] });

/** The ports that the text of an annotation opens: each item for itself, so that a wrong one closes no other. */
function openPortsIn(text: string): OpenPortsReading {
  if (text.length > LONGEST_TEXT)
    return nothingBut(`expected at most ${String(LONGEST_TEXT)} characters, found ${String(text.length)}`);
  const document = parsed(text);
  if ('problem' in document) return nothingBut(document.problem);
  const { value } = document;
  if (!Array.isArray(value))
    return nothingBut(`expected a list of objects with protocol and port, found ${describeValue(value)}`);
  if (value.length > MOST_PORTS)
    return nothingBut(`expected at most ${String(MOST_PORTS)} items, found ${String(value.length)}`);
  const read = value.map((item: unknown, index) => ({ index, port: portOf(item) }));
  const opened = read.flatMap(({ port }) => (typeof port === 'string' ? [] : [port]));
  const ofProtocol = (protocol: keyof OpenPorts) =>
    ascending(opened.flatMap(([name, port]) => (name === protocol ? [port] : [])));
  return {
    ports: { tcp: ofProtocol('tcp'), sctp: ofProtocol('sctp') },
    problems: read.flatMap(({ index, port }) => (typeof port === 'string' ? [`[${String(index)}]${port}`] : [])),
  };
}

/** The ports that a pod opens. */
export const openPortsOf = lazyByObject(({ metadata: { annotations } }: Pod): OpenPortsReading => {
  const text = annotations?.[OPEN_PORTS_ANNOTATION];
  return text === undefined ? { ports: noOpenPorts, problems: [] } : openPortsIn(text);
});
