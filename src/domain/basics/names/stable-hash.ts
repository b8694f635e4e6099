import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** Hexadecimal digits of a hash in a name: 64 bits. */
export const HASH_DIGITS = 16;

/** A hash of a text, for names that would be too long. */
export function stableHash(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text))).slice(0, HASH_DIGITS);
}
