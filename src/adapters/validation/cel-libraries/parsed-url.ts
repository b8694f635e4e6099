/** URLs as parsed by Go's net/url, which the API server uses (Go, package net/url; RFC 3986). The URL class of Node.js accepts and changes more. */
import { isIPv6 } from 'node:net';
import { escape, isEncoded, unescape } from './percent-encoding.ts';

/** The parts of a URL. Those that are absent are empty. */
export interface ParsedUrl {
  /** In lower case. */
  readonly scheme: string;
  /** With the port; an IPv6 address has brackets. */
  readonly host: string;
  /** Without the port and without brackets. */
  readonly hostname: string;
  readonly port: string;
  /** As it is written, if that is encoded. */
  readonly escapedPath: string;
  /** Still encoded. */
  readonly query: string;
  /** The URL as it is written from its parts: two URLs are equal if these are. */
  readonly text: string;
}

/** The limit of Go. */
const MOST_PARAMETERS = 10_000;

/** The bytes of a text in UTF-8, one character each. */
function bytesOf(text: string): string {
  return Buffer.from(text).toString('latin1');
}

function textOf(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString();
}

/** The parts before and after the first separator; the whole text and an empty one without a separator. */
function cut(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
}

/** Whether a text is an absolute URL or an absolute path, as in a request: a fragment counts as a part of what is before it. */
export function isRequestUri(text: string): boolean {
  return text !== '' && partsOf(bytesOf(text), true) !== undefined;
}

/** Parses a URL; undefined if it is invalid. */
export function parseUrl(text: string): ParsedUrl | undefined {
  const [reference, fragment] = cut(bytesOf(text), '#');
  const parts = partsOf(reference, false);
  const decoded = unescape(fragment, 'fragment');
  if (parts === undefined || decoded === undefined) return undefined;
  const [, ofLiteral, ofName = '', port = ''] = /^(?:\[(.*)\]|(.*?))(?::(\d*))?$/s.exec(parts.host ?? '') ?? [];
  return {
    scheme: parts.scheme,
    host: textOf(parts.host ?? ''),
    hostname: textOf(ofLiteral ?? ofName),
    port,
    escapedPath: textOf(parts.path),
    query: textOf(parts.query ?? ''),
    text: textOf(`${written(parts)}${fragment === '' ? '' : `#${encoded(fragment, decoded, 'fragment')}`}`),
  };
}

/** The parameters of a query, by name. Those that cannot be read are left out. */
export function queryOf(query: string): ReadonlyMap<string, readonly string[]> {
  const parameters = bytesOf(query).split('&');
  if (parameters.length > MOST_PARAMETERS) return new Map();
  const pairs = parameters
    .filter((parameter) => parameter !== '' && !parameter.includes(';'))
    .map((parameter) => cut(parameter, '=').map((each) => unescape(each, 'query')))
    .filter((pair): pair is string[] => pair.every((each) => each !== undefined))
    .map((pair) => pair.map(textOf));
  const grouped = Map.groupBy(pairs, ([name = '']) => name);
  return new Map([...grouped].map(([name, values]) => [name, values.map(([, value = '']) => value)]));
}

/** A URL without its fragment, as bytes. */
interface Parts {
  readonly scheme: string;
  /** The rest of a URL after the scheme, without a slash, such as that of an e-mail address. */
  readonly opaque?: string;
  /** Encoded. */
  readonly userinfo?: string;
  /** Undefined if there is no authority; that may be empty. */
  readonly host?: string;
  /** Encoded. */
  readonly path: string;
  /** Undefined if there is no question mark. */
  readonly query?: string;
}

function partsOf(url: string, isRequest: boolean): Parts | undefined {
  if (/[\x00-\x1f\x7f]/.test(url) || url.startsWith(':')) return undefined;
  if (url === '*') return { scheme: '', path: '*' };
  const [, found] = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(url) ?? [];
  const scheme = found?.toLowerCase() ?? '';
  const afterScheme = found === undefined ? url : url.slice(found.length + 1);
  const [rest, ...queries] = afterScheme.split('?');
  const query = queries.length === 0 ? {} : { query: queries.join('?') };
  const hierarchy = hierarchyOf(rest ?? '', scheme, isRequest);
  return hierarchy && { scheme, ...hierarchy, ...query };
}

function hierarchyOf(rest: string, scheme: string, isRequest: boolean): Omit<Parts, 'scheme' | 'query'> | undefined {
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { opaque: rest, path: '' };
    // A colon in the first segment would make it a scheme.
    if (isRequest || cut(rest, '/')[0].includes(':')) return undefined;
  }
  const hasAuthority = rest.startsWith('//') && (scheme !== '' || (!isRequest && !rest.startsWith('///')));
  const [authority, path] = hasAuthority ? splitAt(rest.slice(2), '/') : [undefined, rest];
  const decoded = unescape(path, 'path');
  const from = authority === undefined ? {} : authorityOf(authority, scheme);
  return decoded === undefined || from === undefined ? undefined : { ...from, path: encoded(path, decoded, 'path') };
}

/** The part before a character and the part from it on. */
function splitAt(text: string, character: string): readonly [string, string] {
  const at = text.indexOf(character);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at)];
}

function authorityOf(authority: string, scheme: string): Pick<Parts, 'userinfo' | 'host'> | undefined {
  const at = authority.lastIndexOf('@');
  const host = hostOf(authority.slice(at + 1), scheme);
  if (host === undefined || at === -1) return host === undefined ? undefined : { host };
  const userinfo = authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(userinfo)) return undefined;
  const [user, password] = cut(userinfo, ':').map((each) => unescape(each, 'userinfo'));
  if (user === undefined || password === undefined) return undefined;
  const withPassword = userinfo.includes(':') ? `:${escape(password, 'userinfo')}` : '';
  return { host, userinfo: `${escape(user, 'userinfo')}${withPassword}` };
}

function hostOf(host: string, scheme: string): string | undefined {
  if (host.includes('[')) return literalOf(host);
  const first = host.indexOf(':');
  // Some databases have several hosts with ports, separated by commas. Those of the web have one.
  const colon = scheme === 'http' || scheme === 'https' ? first : host.lastIndexOf(':');
  return first === -1 || isPort(host.slice(colon)) ? unescape(host, 'host') : undefined;
}

function isPort(text: string): boolean {
  return /^(?::\d*)?$/.test(text);
}

/** An IPv6 address in brackets, with a zone that is encoded differently (RFC 6874), and a port. */
function literalOf(host: string): string | undefined {
  const [, inside, port = ''] = /^\[([^[]*)\]([^\]]*)$/.exec(host) ?? [];
  if (inside === undefined || !isPort(port)) return undefined;
  const [address, zone] = splitAt(inside, '%25');
  const decoded = [unescape(address, 'host'), unescape(zone, 'zone')];
  if (decoded.includes(undefined)) return undefined;
  const literal = decoded.join('');
  const isAddress = isIPv6(cut(literal, '%')[0]) && !literal.endsWith('%');
  return isAddress ? `[${literal}]${port}` : undefined;
}

/** A part as it was written if that is encoded, otherwise encoded. */
function encoded(text: string, decoded: string, part: 'path' | 'fragment'): string {
  return isEncoded(text, part) ? text : escape(decoded, part);
}

function written({ scheme, opaque, userinfo, host, path, query }: Parts): string {
  const withScheme = scheme === '' ? '' : `${scheme}:`;
  const withQuery = query === undefined ? '' : `?${query}`;
  const user = userinfo === undefined ? '' : `${userinfo}@`;
  const authority = host === undefined ? '' : `//${user}${escape(host, 'host')}`;
  const hierarchy = authority === '//' && path === '' ? '' : `${authority}${path}`;
  return `${withScheme}${opaque ?? hierarchy}${withQuery}`;
}
