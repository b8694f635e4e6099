import { type Command, InvalidArgumentError, Option } from 'commander';
import { type DatabaseServer, readAddresses, type TlsFiles } from '../../adapters/ovsdb/server.ts';

/** The options that say where the databases of OVN are, as parsed by commander. */
export interface OvnOptions {
  /** Addresses separated by commas, or `none`. */
  readonly ovnNorthbound: string;
  /** Addresses separated by commas, or `none`. */
  readonly ovnSouthbound: string;
  readonly privateKey?: string;
  readonly certificate?: string;
  readonly caCert?: string;
}

/** The databases of OVN that a node is programmed by. */
export interface OvnServers {
  readonly northbound: DatabaseServer;
  /** Absent where no networks are provided: other nodes are the business of who provides them. */
  readonly southbound?: DatabaseServer;
}

/** The options with addresses, and the addresses of the databases of a node's own OVN (ovn-nbctl(8) and ovn-sbctl(8), --db). */
const ADDRESSES = {
  'ovn-northbound': 'unix:/var/run/ovn/ovnnb_db.sock',
  'ovn-southbound': 'unix:/var/run/ovn/ovnsb_db.sock',
} as const;

/** The value for no database. */
const NONE = 'none';

/** The expected form of addresses, for people. */
const EXPECTED = 'unix:PATH, tcp:HOST:PORT or ssl:HOST:PORT, several separated by commas, or none';

/** Why a text is neither addresses nor `none`; undefined if it is. */
export function addressProblem(text: string): string | undefined {
  return text === NONE || readAddresses(text) !== undefined
    ? undefined
    : `expected ${EXPECTED}, found ${JSON.stringify(text)}`;
}

/** Parses such an option. */
function addressText(text: string): string {
  if (addressProblem(text) !== undefined) throw new InvalidArgumentError(`Expected ${EXPECTED}.`);
  return text;
}

function addressOption(name: keyof typeof ADDRESSES, description: string): Option {
  return new Option(`--${name} <address>`, description).argParser(addressText).default(ADDRESSES[name]);
}

/**
 * Adds the options.
 *
 * @param without what happens with `none` for each database, for people
 */
export function withOvnOptions(
  command: Command,
  without: { readonly northbound: string; readonly southbound: string },
): Command {
  return command
    .optionsGroup('OVN of the node:')
    .addOption(
      addressOption(
        'ovn-northbound',
        `Northbound database: unix:PATH, tcp:HOST:PORT or ssl:HOST:PORT, those of a cluster separated by commas; with none, ${without.northbound}`,
      ),
    )
    .addOption(addressOption('ovn-southbound', `Southbound database, likewise; with none, ${without.southbound}`))
    .option('--private-key <file>', 'for addresses of ssl: the private key of this client, in PEM')
    .option('--certificate <file>', 'for addresses of ssl: the certificate of this client')
    .option('--ca-cert <file>', 'for addresses of ssl: the certificate of the CA that has signed that of the server');
}

/** Problems of the options. */
interface Problem {
  readonly problem: string;
}

/** The server that an option selects, absent for none; or what is wrong with it. */
function serverOf(
  name: keyof typeof ADDRESSES,
  text: string,
  tls: TlsFiles | undefined,
): { readonly server?: DatabaseServer } | Problem {
  const addresses = text === NONE ? undefined : readAddresses(text);
  if (addresses === undefined) return {};
  const server: DatabaseServer = { addresses, service: 'OVN', isLeaderRequired: true };
  if (addresses.every(({ kind }) => kind !== 'ssl')) return { server };
  if (tls !== undefined) return { server: { ...server, tls } };
  return { problem: `${name}: an address of ssl requires --private-key, --certificate and --ca-cert` };
}

/** The servers that the options select, without those that are none; or what is wrong with the options. */
export function ovnServers({
  ovnNorthbound,
  ovnSouthbound,
  privateKey,
  certificate,
  caCert,
}: OvnOptions): Partial<OvnServers> | Problem {
  const tls =
    privateKey === undefined || certificate === undefined || caCert === undefined
      ? undefined
      : { privateKey, certificate, caCertificate: caCert };
  const northbound = serverOf('ovn-northbound', ovnNorthbound, tls);
  if ('problem' in northbound) return northbound;
  const southbound = serverOf('ovn-southbound', ovnSouthbound, tls);
  if ('problem' in southbound) return southbound;
  return {
    ...(northbound.server && { northbound: northbound.server }),
    ...(southbound.server && { southbound: southbound.server }),
  };
}
