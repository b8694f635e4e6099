/**
 * Parses a packet as people write it: `tcp 10.20.1.5:40000 > 198.51.100.10:443`, `icmp6 [fd20::5] > 2001:db8::1`.
 */
import { canonicalAddress, familyOf } from '../../../basics/addresses/ip-address.ts';
import { type TracedPacket, type TracedProtocol, tracedProtocols } from '../packet.ts';

/** A packet, or what is wrong with its text. */
export type PacketReading = { readonly packet: TracedPacket } | { readonly problem: string };

interface End {
  readonly address: string;
  readonly family: 4 | 6;
  readonly port?: number;
}

const EXAMPLE = 'such as "tcp 10.20.1.5:40000 > 198.51.100.10:443" or "icmp 10.20.1.5 > 198.51.100.10"';

function isProtocol(word: string): word is TracedProtocol {
  return (tracedProtocols as readonly string[]).includes(word);
}

/** Splits an address, which may be in brackets, from the text of its port. */
function splitPort(text: string): { readonly address: string; readonly port?: string } {
  const [, bracketed, , afterBrackets] = /^\[([^\]]*)\](:(.*))?$/.exec(text) ?? [];
  if (bracketed !== undefined) {
    return { address: bracketed, ...(afterBrackets !== undefined && { port: afterBrackets }) };
  }
  const at = text.indexOf(':');
  if (at === -1 || text.indexOf(':', at + 1) !== -1) return { address: text };
  return { address: text.slice(0, at), port: text.slice(at + 1) };
}

function endOf(text: string, role: 'source' | 'destination', hasPort: boolean): End | { readonly problem: string } {
  const { address, port } = splitPort(text);
  const family = familyOf(address);
  if (family === undefined || address.includes('/')) {
    return { problem: `the ${role} is "${text}": expected an IPv4 or IPv6 address${hasPort ? ' and a port' : ''}` };
  }
  const known = { address: canonicalAddress(address), family };
  if (!hasPort) {
    if (port === undefined) return known;
    return { problem: `the ${role} is "${text}": expected an address without a port, as ICMP has none` };
  }
  if (port === undefined) {
    const written = family === 6 ? `[${address}]:443` : `${address}:443`;
    return { problem: `the ${role} is "${text}": expected an address with a port, such as ${written}` };
  }
  const number = /^\d{1,5}$/.test(port) ? Number(port) : 0;
  if (number < 1 || number > 65_535) {
    return { problem: `the port of the ${role} is "${port}": expected a number from 1 to 65535` };
  }
  return { ...known, port: number };
}

/** The packet from one end to the other. */
function between(protocol: TracedProtocol, source: End, destination: End): PacketReading {
  const { family } = source;
  if (family !== destination.family) {
    return {
      problem: `the source is an IPv${String(family)} address and the destination an IPv${String(destination.family)} one: expected two of one family`,
    };
  }
  const icmp = family === 4 ? 'icmp' : 'icmp6';
  const packet = { family, source: source.address, destination: destination.address };
  if (source.port !== undefined && destination.port !== undefined) {
    return { packet: { protocol, ...packet, ports: { source: source.port, destination: destination.port } } };
  }
  return protocol === icmp
    ? { packet: { protocol, ...packet } }
    : { problem: `the protocol is ${protocol}: expected ${icmp} for IPv${String(family)}` };
}

/** Parses a packet; the problem says what was expected. */
export function parsePacket(text: string): PacketReading {
  const words = text.trim().split(/\s+/);
  const [name = '', from, arrow, to, ...more] = words;
  if (!isProtocol(name)) {
    return { problem: `the protocol is "${name}": expected ${tracedProtocols.join(', ')}, ${EXAMPLE}` };
  }
  if (from === undefined || to === undefined || arrow !== '>' || more.length > 0) {
    return { problem: `expected a protocol, a source, ">" and a destination, ${EXAMPLE}` };
  }
  const isIcmp = name === 'icmp' || name === 'icmp6';
  const source = endOf(from, 'source', !isIcmp);
  if ('problem' in source) return source;
  const destination = endOf(to, 'destination', !isIcmp);
  return 'problem' in destination ? destination : between(name, source, destination);
}
