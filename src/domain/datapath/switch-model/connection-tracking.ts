/**
 * Connection tracking as the kernel does it for Open vSwitch (ovs-actions(7), ct; ovs-fields(7), ct_state): connections by zone, the direction of
 * each packet, errors about connections, and translation of addresses.
 */
import { connectionStates } from '../openflow/bits.ts';
import type { Packet } from './packet.ts';
import { valueOf } from './packet.ts';

/** The fields that identify the packets of one direction of a connection. */
export interface Tuple {
  readonly family: 4 | 6;
  readonly protocol: bigint;
  readonly source: bigint;
  readonly destination: bigint;
  /** For an ICMP echo, its identifier. */
  readonly sourcePort: bigint;
  /** For an ICMP echo, its type. */
  readonly destinationPort: bigint;
}

/** One connection. */
export interface TrackedConnection {
  readonly zone: number;
  /** The tuple of its first packet, before translation. */
  readonly original: Tuple;
  /** The tuple of replies. */
  readonly reply: Tuple;
  readonly mark: bigint;
  /** Whether a reply has been seen. */
  readonly isReplied: boolean;
}

/** The connection of a packet in a zone, and its direction. */
export interface Tracked {
  /** `ct_state`. */
  readonly state: bigint;
  readonly connection?: TrackedConnection;
  readonly isReply: boolean;
}

const ICMP = 1n;
const ICMP6 = 58n;

/** The ICMP type of the reply to each echo message, and the reverse (RFC 792, RFC 4443). */
const echoTypes: ReadonlyMap<bigint, bigint> = new Map([
  [8n, 0n],
  [0n, 8n],
  [128n, 129n],
  [129n, 128n],
]);

/** `ct_state` from the names of its flags. */
export function stateOf(...names: readonly (typeof connectionStates)[number][]): bigint {
  return names.reduce((state, name) => state | (1n << BigInt(connectionStates.indexOf(name))), 0n);
}

const isIcmp = (protocol: bigint) => protocol === ICMP || protocol === ICMP6;

/** The tuple of a packet; undefined for packets without a connection of their own, such as ICMP messages other than echoes. */
function tupleOf(packet: Packet): Tuple | undefined {
  const [family, source, destination] =
    packet.dl_type === 0x0800n
      ? ([4, packet.nw_src, packet.nw_dst] as const)
      : ([6, packet.ipv6_src, packet.ipv6_dst] as const);
  if (family === 6 && packet.dl_type !== 0x86ddn) return undefined;
  const protocol = valueOf(packet, 'nw_proto');
  const type = valueOf(packet, 'icmp_type');
  if (isIcmp(protocol) && !echoTypes.has(type)) return undefined;
  return {
    family,
    protocol,
    source: source ?? 0n,
    destination: destination ?? 0n,
    sourcePort: valueOf(packet, 'tp_src'),
    destinationPort: isIcmp(protocol) ? type : valueOf(packet, 'tp_dst'),
  };
}

/** The tuple of replies. */
export function inverted(tuple: Tuple): Tuple {
  const { source, destination, sourcePort, destinationPort, protocol } = tuple;
  const ports = isIcmp(protocol)
    ? { sourcePort, destinationPort: echoTypes.get(destinationPort) ?? destinationPort }
    : { sourcePort: destinationPort, destinationPort: sourcePort };
  return { ...tuple, source: destination, destination: source, ...ports };
}

function isSame(left: Tuple, right: Tuple): boolean {
  return (
    left.source === right.source &&
    left.destination === right.destination &&
    left.sourcePort === right.sourcePort &&
    left.destinationPort === right.destinationPort &&
    left.protocol === right.protocol &&
    left.family === right.family
  );
}

/** The connection of a zone that has a tuple in one of its directions. */
function find(
  connections: readonly TrackedConnection[],
  zone: number,
  tuple: Tuple,
): Omit<Tracked, 'state'> | undefined {
  for (const connection of connections) {
    if (connection.zone !== zone) continue;
    if (isSame(connection.original, tuple)) return { connection, isReply: false };
    if (isSame(connection.reply, tuple)) return { connection, isReply: true };
  }
  return undefined;
}

/** Looks up the connection of a packet in a zone. */
export function track(connections: readonly TrackedConnection[], zone: number, packet: Packet): Tracked {
  const tuple = tupleOf(packet);
  if (tuple === undefined) {
    // An error contains a packet of its connection, in the opposite direction.
    const quoted = packet.inner && tupleOf(packet.inner);
    const related = quoted && find(connections, zone, inverted(quoted));
    if (related === undefined) return { state: stateOf('inv', 'trk'), isReply: false };
    return { ...related, state: stateOf('rel', 'trk') | (related.isReply ? stateOf('rpl') : 0n) };
  }
  const found = find(connections, zone, tuple);
  if (found?.connection === undefined) return { state: stateOf('new', 'trk'), isReply: false };
  if (found.isReply) return { ...found, state: stateOf('est', 'rpl', 'trk') };
  return { ...found, state: found.connection.isReplied ? stateOf('est', 'trk') : stateOf('new', 'trk') };
}

/** The packet with the addresses and ports of a tuple. */
function withTuple(packet: Packet, tuple: Tuple): Packet {
  const addresses =
    tuple.family === 4
      ? { nw_src: tuple.source, nw_dst: tuple.destination }
      : { ipv6_src: tuple.source, ipv6_dst: tuple.destination };
  const ports = isIcmp(tuple.protocol)
    ? { tp_src: tuple.sourcePort }
    : { tp_src: tuple.sourcePort, tp_dst: tuple.destinationPort };
  return { ...packet, ...addresses, ...ports };
}

/** Translates a packet as its connection requires; an error together with the packet inside. */
export function translate(packet: Packet, { connection, isReply }: Tracked): Packet {
  if (connection === undefined) return packet;
  const { original, reply } = connection;
  const target = inverted(isReply ? original : reply);
  if (packet.inner === undefined || tupleOf(packet) !== undefined) return withTuple(packet, target);
  const inner = withTuple(packet.inner, isReply ? original : reply);
  const field = target.family === 4 ? 'nw' : 'ipv6';
  return isReply
    ? { ...packet, [`${field}_dst`]: target.destination, inner }
    : { ...packet, [`${field}_src`]: target.source, inner };
}

/** The first port that is tried when that of a connection is taken (RFC 6056 allows any choice; the kernel's is random). */
const FIRST_FREE_PORT = 1024n;

/** The tuple after translation, with another port if a connection of the zone already has the same tuple. */
function unique(connections: readonly TrackedConnection[], zone: number, wanted: Tuple): Tuple {
  let translated = wanted;
  let port = FIRST_FREE_PORT;
  while (find(connections, zone, inverted(translated)) !== undefined) {
    translated = { ...wanted, sourcePort: port };
    port++;
  }
  return translated;
}

/** The translation of the source or destination of a new connection. */
export type Translation = { readonly source: bigint } | { readonly destination: bigint };

/**
 * Creates a connection for a packet that has none.
 *
 * @returns undefined if the packet cannot have one.
 */
export function newConnection(
  connections: readonly TrackedConnection[],
  zone: number,
  packet: Packet,
  translation: Translation | undefined,
): TrackedConnection | undefined {
  const original = tupleOf(packet);
  if (original === undefined) return undefined;
  const translated = unique(connections, zone, { ...original, ...translation });
  return { zone, original, reply: inverted(translated), mark: 0n, isReplied: false };
}
