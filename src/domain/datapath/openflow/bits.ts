/**
 * Values of fields as bits, which is how they are matched.
 */
import { bytesOf, fromBytes } from '../../basics/addresses/ip-address.ts';
import { type FieldName, fieldOf } from './fields.ts';

/** The bits of a field that a match requires. */
export interface Bits {
  readonly value: bigint;
  /** The mask: bits that count. */
  readonly mask: bigint;
}

/** Flags of a packet's connection (ovs-fields(7), ct_state), by their bits, lowest first. */
export const connectionStates = ['new', 'est', 'rel', 'rpl', 'inv', 'trk', 'snat', 'dnat'] as const;

/** Bits of nw_frag (ovs-fields(7)): 1, a fragment; 2, not the first one. */
const fragmentBits: Readonly<Record<string, Bits>> = {
  yes: { value: 1n, mask: 1n },
  no: { value: 0n, mask: 3n },
  first: { value: 1n, mask: 3n },
  later: { value: 3n, mask: 3n },
  not_later: { value: 0n, mask: 2n },
};

/** Number of the port LOCAL in OpenFlow 1.4 (OFPP_LOCAL). */
const LOCAL_PORT = 0xffff_fffen;

/** All bits of a width. */
export function ones(bits: number): bigint {
  return (1n << BigInt(bits)) - 1n;
}

function bytesToBits(bytes: Iterable<number>): bigint {
  let bits = 0n;
  for (const byte of bytes) bits = (bits << 8n) | BigInt(byte);
  return bits;
}

function addressBits(text: string): bigint | undefined {
  const bytes = bytesOf(text);
  return bytes === undefined ? undefined : bytesToBits(bytes);
}

function macBits(text: string): bigint | undefined {
  return /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/i.test(text) ? BigInt(`0x${text.replaceAll(':', '')}`) : undefined;
}

function numberBits(text: string): bigint | undefined {
  return /^(0x[0-9a-f]+|\d+)$/i.test(text) ? BigInt(text) : undefined;
}

/** A port as a number. A port that has no number yet gets one from its name, above all OpenFlow numbers. */
function portBits(text: string): bigint {
  if (text === 'LOCAL') return LOCAL_PORT;
  return numberBits(text) ?? (bytesToBits(new TextEncoder().encode(text)) << 32n) | ones(32);
}

function stateBits(text: string): Bits | undefined {
  let [value, mask] = [0n, 0n];
  for (const [, sign, name] of text.matchAll(/([+-])([a-z]+)/g)) {
    const at = connectionStates.findIndex((state) => state === name);
    if (at === -1) return undefined;
    const bit = 1n << BigInt(at);
    mask |= bit;
    if (sign === '+') value |= bit;
  }
  return { value, mask };
}

function maskBits(field: FieldName, text: string): bigint | undefined {
  const { bits, format } = fieldOf(field);
  const isLength = (format === 'ipv4' || format === 'ipv6') && /^\d+$/.test(text);
  if (!isLength) return plainBits(field, text);
  const length = Number(text);
  return length > bits ? undefined : ones(bits) ^ ones(bits - length);
}

function plainBits(field: FieldName, text: string): bigint | undefined {
  switch (fieldOf(field).format) {
    case 'mac':
      return macBits(text);
    case 'ipv4':
    case 'ipv6':
      return addressBits(text);
    case 'port':
      return portBits(text);
    case 'decimal':
    case 'hexadecimal':
      return numberBits(text);
    case 'ct-state':
    case 'fragment':
      return undefined;
  }
}

/**
 * The bits that a text requires of a field.
 *
 * @returns undefined if the text is not a value of the field.
 */
export function bitsOf(field: FieldName, text: string): Bits | undefined {
  const { bits, format } = fieldOf(field);
  if (format === 'ct-state') return stateBits(text);
  if (format === 'fragment') return fragmentBits[text];
  const [plain = '', maskText] = text.split('/');
  const value = plainBits(field, plain);
  if (format === 'port') return value === undefined ? undefined : { value, mask: -1n };
  const mask = maskText === undefined ? ones(bits) : maskBits(field, maskText);
  if (value === undefined || mask === undefined || value > ones(bits)) return undefined;
  return { value: value & mask, mask };
}

function hex(value: bigint): string {
  return value === 0n ? '0' : `0x${value.toString(16)}`;
}

function bytes(value: bigint, count: number): readonly number[] {
  return Array.from({ length: count }, (_, at) => Number((value >> BigInt(8 * (count - 1 - at))) & 0xffn));
}

function plainText(field: FieldName, value: bigint): string {
  const { bits, format } = fieldOf(field);
  switch (format) {
    case 'mac':
      return bytes(value, 6)
        .map((byte) => byte.toString(16).padStart(2, '0'))
        .join(':');
    case 'ipv4':
    case 'ipv6':
      return fromBytes(bytes(value, bits / 8));
    case 'port':
      return portText(value);
    case 'ct-state':
      return connectionStates.filter((_, at) => ((value >> BigInt(at)) & 1n) === 1n).join('|');
    case 'decimal':
    case 'fragment':
      return String(value);
    case 'hexadecimal':
      return hex(value);
  }
}

/** A port by its number, `LOCAL`, or the name of one that has no number. */
export function portText(value: bigint): string {
  if (value === LOCAL_PORT) return 'LOCAL';
  if (value < LOCAL_PORT) return String(value);
  const name = value >> 32n;
  return new TextDecoder().decode(new Uint8Array(bytes(name, Math.ceil(name.toString(16).length / 2))));
}

/** The value of a field as ovs-ofctl(8) prints it, with the mask behind a slash. */
export function valueText(field: FieldName, value: bigint, mask?: bigint): string {
  const all = ones(fieldOf(field).bits);
  const text = plainText(field, value);
  return mask === undefined || mask === all || mask === -1n ? text : `${text}/${plainText(field, mask)}`;
}
