/**
 * Messages of OpenFlow 1.0 (openflow-1.0.h), the only version that has the setting no-flood, and Open vSwitch's extensions (nicira-ext.h): those that
 * are needed to set it and to receive changes.
 */

/** The version in the header of every message. */
const VERSION = 1;

const HEADER_LENGTH = 8;

/** Types of messages (openflow-1.0.h, enum ofp_type). */
export const messageTypes = {
  hello: 0,
  error: 1,
  echoRequest: 2,
  echoReply: 3,
  vendor: 4,
  setConfig: 9,
  portStatus: 12,
  portMod: 15,
  statsRequest: 16,
  statsReply: 17,
  barrierRequest: 18,
  barrierReply: 19,
} as const;

/** Types of statistics; descriptions of ports are an extension to OpenFlow 1.0. */
const STATS_PORT_DESCRIPTION = 13;
const STATS_VENDOR = 0xffff;

/** Nicira's vendor number, and its messages. */
const NICIRA = 0x2320;
const SET_ASYNC_CONFIG = 19;
const FLOW_MONITOR = 2;
const [FLOW_MONITOR_PAUSED, FLOW_MONITOR_RESUMED] = [22, 23];

/** The setting of a port that packets are not flooded to it (OFPPC_NO_FLOOD). */
const NO_FLOOD = 1 << 4;

const DESCRIPTION_LENGTH = 48;

/** A message of the switch. */
export interface Message {
  readonly version: number;
  readonly type: number;
  /** In replies: the number of the request. */
  readonly transaction: number;
  readonly body: Buffer;
}

/** A message to the switch. */
export type OpenFlowRequest = Pick<Message, 'type' | 'body'>;

/** The description of a port. */
export interface PortDescription {
  readonly number: number;
  readonly macAddress: Buffer;
  readonly isNoFlood: boolean;
}

/** A change of a flow. */
export interface FlowUpdate {
  readonly table: number;
  readonly priority: number;
  /** As ovs-ofctl(8) prints it: hexadecimal with 0x. */
  readonly cookie: string;
  readonly isDeletion: boolean;
  /** The shorter timeout in seconds; absent for none. */
  readonly lifetime?: number;
}

function numbers16(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  values.forEach((value, index) => bytes.writeUInt16BE(value, 2 * index));
  return bytes;
}

function numbers32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, index) => bytes.writeUInt32BE(value, 4 * index));
  return bytes;
}

/** The version of OpenFlow 1.4, which ovs-ofctl uses here, in the header of a message. */
const VERSION_OF_PROGRAMS = 5;

/** Type of the element of HELLO that lists versions, a bit for each (OpenFlow 1.3.5, 7.5.1). */
const VERSION_BITMAP = 1;

/**
 * Whether a switch accepts OpenFlow 1.0 and 1.4, according to its HELLO: a list, else every version up to that of the message. A refusal has
 * no such list, as the switch then closes the connection at once.
 */
export function acceptsVersions({ version, body }: Message): boolean {
  const isListed = body.length >= 8 && body.readUInt16BE(0) === VERSION_BITMAP;
  const versions = isListed ? body.readUInt32BE(4) : 2 ** (version + 1) - 1;
  return [VERSION, VERSION_OF_PROGRAMS].every((each) => (versions & (1 << each)) !== 0);
}

/** A message as bytes. */
export function encode({ type, transaction, body }: Omit<Message, 'version'>): Buffer {
  const header = Buffer.from([VERSION, type, 0, 0, 0, 0, 0, 0]);
  header.writeUInt16BE(HEADER_LENGTH + body.length, 2);
  header.writeUInt32BE(transaction, 4);
  return Buffer.concat([header, body]);
}

/**
 * Splits received bytes into messages.
 *
 * @returns the messages, and the bytes of an incomplete one; no bytes if this cannot be OpenFlow
 */
export function decode(received: Buffer): { readonly messages: readonly Message[]; readonly rest: Buffer | undefined } {
  const messages: Message[] = [];
  let rest = received;
  while (rest.length >= HEADER_LENGTH) {
    const [version, type, length] = [rest.readUInt8(0), rest.readUInt8(1), rest.readUInt16BE(2)];
    // Only HELLO has the version that the switch prefers.
    const isKnown = version === VERSION || type === messageTypes.hello;
    if (!isKnown || length < HEADER_LENGTH) return { messages, rest: undefined };
    if (rest.length < length) break;
    messages.push({
      version,
      type,
      transaction: rest.readUInt32BE(4),
      body: rest.subarray(HEADER_LENGTH, length),
    });
    rest = rest.subarray(length);
  }
  return { messages, rest };
}

/** Subscribes to changes of ports, but not to packets and removed flows. */
export const asyncConfig: readonly OpenFlowRequest[] = [
  // Without a length for packets, a management connection gets no asynchronous messages (Open vSwitch, ofproto/connmgr.c, ofconn_receives_async_msg).
  { type: messageTypes.setConfig, body: numbers16(0, 1) },
  {
    type: messageTypes.vendor,
    // Masks of reasons: for packets, ports, flows; each for a master and a slave.
    body: numbers32(NICIRA, SET_ASYNC_CONFIG, 0, 0, 0b111, 0b111, 0, 0),
  },
];

/** Subscribes to changes of flows in all tables (nicira-ext.h, NXST_FLOW_MONITOR): additions, deletions, modifications. */
export const flowMonitor: OpenFlowRequest = {
  type: messageTypes.statsRequest,
  body: Buffer.concat([
    numbers16(STATS_VENDOR, 0),
    // The last is the number of this monitor.
    numbers32(NICIRA, FLOW_MONITOR, 0, 0),
    // Which changes, of flows with which output port, matching what, in which table: any.
    numbers16(0b1110, 0xffff, 0, 0xff00),
    numbers32(0),
  ]),
};

/** Requests the ports. */
export const portDescriptions: OpenFlowRequest = {
  type: messageTypes.statsRequest,
  body: numbers16(STATS_PORT_DESCRIPTION, 0),
};

/** Sets or clears no-flood of a port. */
export function portMod({ number, macAddress }: PortDescription, isNoFlood: boolean): OpenFlowRequest {
  const settings = numbers32(isNoFlood ? NO_FLOOD : 0, NO_FLOOD, 0, 0);
  return { type: messageTypes.portMod, body: Buffer.concat([numbers16(number), macAddress, settings]) };
}

/** A part of a reply with statistics. */
export function statsPart(body: Buffer): { readonly hasMore: boolean; readonly content: Buffer } {
  return { hasMore: (body.readUInt16BE(2) & 1) === 1, content: body.subarray(4) };
}

/** Reads descriptions of ports. */
export function portsOf(content: Buffer): readonly PortDescription[] {
  const count = Math.floor(content.length / DESCRIPTION_LENGTH);
  return Array.from({ length: count }, (_, index) => portAt(content, index * DESCRIPTION_LENGTH));
}

function portAt(bytes: Buffer, offset: number): PortDescription {
  return {
    number: bytes.readUInt16BE(offset),
    // Copied, since a view would keep the whole buffer.
    macAddress: Buffer.from(bytes.subarray(offset + 2, offset + 8)),
    isNoFlood: (bytes.readUInt32BE(offset + 24) & NO_FLOOD) !== 0,
  };
}

/** Reads a change of a port: it was added or modified, or else deleted. */
export function portStatusOf(body: Buffer): { readonly isDeleted: boolean; readonly port: PortDescription } {
  return { isDeleted: body.readUInt8(0) === 1, port: portAt(body, 8) };
}

/** Reads what a vendor's message says about the flow monitor; other messages may mean anything. */
export function monitorStateOf(body: Buffer): 'paused' | 'resumed' | 'unknown' {
  if (body.length < 8 || body.readUInt32BE(0) !== NICIRA) return 'unknown';
  const subtype = body.readUInt32BE(4);
  if (subtype === FLOW_MONITOR_PAUSED) return 'paused';
  return subtype === FLOW_MONITOR_RESUMED ? 'resumed' : 'unknown';
}

/** Bytes before the changes: vendor and subtype. */
const VENDOR_STATS_LENGTH = 12;

/** Event of a change made by this connection, without its content (nicira-ext.h, NXFME_ABBREV). */
const ABBREVIATED = 3;

const DELETED = 1;

/** Reads changes of flows from a message of `flowMonitor`; undefined for other messages. */
export function flowChangesOf(content: Buffer): readonly FlowUpdate[] {
  const changes: FlowUpdate[] = [];
  for (let at = VENDOR_STATS_LENGTH; at + 4 <= content.length; at += content.readUInt16BE(at)) {
    const [length, event] = [content.readUInt16BE(at), content.readUInt16BE(at + 2)];
    if (length < 8) break;
    if (event !== ABBREVIATED) changes.push(flowChangeAt(content, at, event));
  }
  return changes;
}

function flowChangeAt(bytes: Buffer, at: number, event: number): FlowUpdate {
  // 0 for none.
  const timeouts = [bytes.readUInt16BE(at + 8), bytes.readUInt16BE(at + 10)].filter((seconds) => seconds > 0);
  return {
    table: bytes.readUInt8(at + 14),
    priority: bytes.readUInt16BE(at + 6),
    cookie: `0x${bytes.readBigUInt64BE(at + 16).toString(16)}`,
    isDeletion: event === DELETED,
    ...(timeouts.length > 0 && { lifetime: Math.min(...timeouts) }),
  };
}

/** Errors of OpenFlow 1.0 (openflow-1.0.h, enum ofp_error_type), by type and code, as ovs-ofctl(8) names them. */
const errorNames: ReadonlyMap<string, string> = new Map([
  ['1 3', 'OFPBRC_BAD_VENDOR'],
  ['1 4', 'OFPBRC_BAD_SUBTYPE'],
  ['1 5', 'OFPBRC_EPERM'],
  ['4 0', 'OFPPMFC_BAD_PORT'],
  ['4 1', 'OFPPMFC_BAD_HW_ADDR'],
]);

/** The error of a refused request. */
export function errorName(body: Buffer): string {
  const [type, code] = [body.readUInt16BE(0), body.readUInt16BE(2)];
  return (
    errorNames.get(`${String(type)} ${String(code)}`) ??
    `OpenFlow 1.0 error of type ${String(type)}, code ${String(code)}`
  );
}
