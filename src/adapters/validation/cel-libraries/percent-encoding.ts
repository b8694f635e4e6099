/**
 * Percent-encoding by part of a URL, as in Go's net/url, which differs from that of browsers (Go, package net/url; RFC 3986, RFC 6874). Texts
 * are bytes of UTF-8 here, one character each: what is decoded need not be UTF-8.
 */

/** A part of a URL with characters of its own. */
export type UrlPart = 'path' | 'host' | 'zone' | 'userinfo' | 'query' | 'fragment';

const unreserved = 'A-Za-z0-9_.~\\-';
const hostCharacters = `${unreserved}!$&'()*+,;=:<>"\\[\\]`;

/** Characters that stay as they are when a part is encoded, as the inside of a character class. */
const plain: Readonly<Record<UrlPart, string>> = {
  path: `${unreserved}$&+,/:;=@`,
  host: hostCharacters,
  zone: hostCharacters,
  userinfo: `${unreserved}$&+,;=`,
  query: unreserved,
  fragment: `${unreserved}$&+,/:;=?@!()*`,
};

const notPlain = Object.fromEntries(
  Object.entries(plain).map(([part, characters]) => [part, new RegExp(`[^${characters}]`, 'g')]),
) as Readonly<Record<UrlPart, RegExp>>;

function isPlain(character: string, part: UrlPart): boolean {
  return character.replaceAll(notPlain[part], '') !== '';
}

const escapes = /%([0-9A-Fa-f]{2})/g;

function byteOf(digits: string): string {
  return String.fromCharCode(Number.parseInt(digits, 16));
}

/** The text with all necessary escapes. */
export function escape(text: string, part: UrlPart): string {
  return text.replaceAll(
    notPlain[part],
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

/** The decoded text; undefined if it has an escape that is malformed or not allowed in this part. */
export function unescape(text: string, part: UrlPart): string | undefined {
  if (/%(?![0-9A-Fa-f]{2})/.test(text)) return undefined;
  if ((part === 'host' || part === 'zone') && !isHost(text, part)) return undefined;
  const withSpaces = part === 'query' ? text.replaceAll('+', ' ') : text;
  return withSpaces.replaceAll(escapes, (_, digits: string) => byteOf(digits));
}

/** A host may escape bytes that are not ASCII, and a zone those that it could have as they are, spaces too. */
function isHost(text: string, part: 'host' | 'zone'): boolean {
  const escaped = [...text.matchAll(escapes)].map(([, digits = '']) => byteOf(digits));
  const isAllowed = (byte: string) =>
    byte === '%' || (part === 'host' ? byte >= '\x80' : byte === ' ' || isPlain(byte, 'host'));
  const others = Array.from(text.replaceAll(escapes, ''));
  return escaped.every(isAllowed) && others.every((byte) => byte >= '\x80' || isPlain(byte, part));
}

/** Whether a path or fragment is encoded already: the characters that RFC 3986 allows, brackets and escapes. */
export function isEncoded(text: string, part: 'path' | 'fragment'): boolean {
  const others = text.replaceAll(/[!$&'()*+,;=:@[\]%]/g, '');
  return escape(others, part) === others;
}
