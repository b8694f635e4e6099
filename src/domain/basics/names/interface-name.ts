import { utf8ToBytes } from '@noble/hashes/utils.js';
import { INTERFACE_NAME_BYTES } from '../conventions.ts';

/** Length in bytes of a text in UTF-8. */
export function utf8Length(text: string): number {
  return utf8ToBytes(text).length;
}

/** Bytes for which the kernel's isspace() is true: ASCII white space, and 0xA0, also inside a character. */
const spaceBytes: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20, 0xa0]);

/** Whether the kernel accepts a name of a network device (Linux, dev_valid_name; docs/design/api-decisions.md, "Bad input"). */
export function isInterfaceName(name: string): boolean {
  if (name === '' || name === '.' || name === '..') return false;
  if (name.includes('/') || name.includes(':') || name.includes('\0')) return false;
  const bytes = utf8ToBytes(name);
  return bytes.length <= INTERFACE_NAME_BYTES && !bytes.some((byte) => spaceBytes.has(byte));
}

/**
 * Whether ip takes a name for an interface index if no device has it. Then `if2`, and any name that begins like that, is device 2, and a command
 * would change another device than intended (iproute2, ll_idx_a2n; tried with 6.1).
 */
export function isTakenForNumber(name: string): boolean {
  return /^if[+-]?[0-9]/.test(name);
}
