/**
 * Where the server of a database is, in the syntax of the tools of Open vSwitch and OVN (ovsdb(7), "Active Database Connection Methods").
 */

/** An address of a server. */
export type ServerAddress =
  | {
      readonly kind: 'unix';
      readonly path: string;
      /** As it was given; named in problems. */
      readonly text: string;
    }
  | { readonly kind: 'tcp' | 'ssl'; readonly host: string; readonly port: number; readonly text: string };

/** Files in PEM by which servers and clients prove to each other who they are (ovsdb-client(1), "Public Key Infrastructure Options"). */
export interface TlsFiles {
  readonly privateKey: string;
  readonly certificate: string;
  readonly caCertificate: string;
}

/** A server, or the members of a cluster. */
export interface DatabaseServer {
  /** At least one; they are tried in turn. */
  readonly addresses: readonly ServerAddress[];
  /** For addresses of kind `ssl`. */
  readonly tls?: TlsFiles;
  /** The program that a person starts where the server does not run, in messages. */
  readonly service: string;
  /** Whether only the leader of a cluster is used, as by ovn-nbctl(8): others may be behind. */
  readonly isLeaderRequired?: true;
}

/** The default port (RFC 7047, section 8). */
const DEFAULT_PORT = 6640;

/** The address of a Unix socket. */
export function unixAddress(path: string): ServerAddress {
  return { kind: 'unix', path, text: path };
}

/** A server at a Unix socket. */
export function unixServer(path: string, service: string): DatabaseServer {
  return { addresses: [unixAddress(path)], service };
}

/** The addresses of a server in one text. */
export function serverText({ addresses }: DatabaseServer): string {
  return addresses.map(({ text }) => text).join(',');
}

function readAddress(text: string): ServerAddress | undefined {
  const unix = /^unix:(?<path>.+)$/.exec(text)?.groups;
  if (unix?.['path'] !== undefined) return { kind: 'unix', path: unix['path'], text };
  const words = /^(?<kind>tcp|ssl):(?:\[(?<ipv6>[^\]]+)\]|(?<host>[^:[\]]+))(?::(?<port>\d+))?$/.exec(text)?.groups;
  if (words === undefined) return undefined;
  const port = Number(words['port'] ?? DEFAULT_PORT);
  const host = words['ipv6'] ?? words['host'] ?? '';
  return port < 1 || port > 65535 ? undefined : { kind: words['kind'] === 'ssl' ? 'ssl' : 'tcp', host, port, text };
}

/** Reads addresses, separated by commas; absent if one of them is invalid. */
export function readAddresses(text: string): readonly ServerAddress[] | undefined {
  const addresses = text.split(',').map((each) => readAddress(each.trim()));
  const found = addresses.flatMap((address) => address ?? []);
  return found.length === addresses.length ? found : undefined;
}
