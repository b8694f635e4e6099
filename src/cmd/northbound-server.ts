import { type Command, InvalidArgumentError, Option } from 'commander';
import { readAddresses, type Server } from '../adapters/ovsdb/server.ts';

/** The options that say where OVN's Northbound database is, as parsed by commander. */
export interface NorthboundOptions {
  /** Addresses separated by commas, or `none`. */
  readonly ovnNorthbound: string;
  readonly privateKey?: string;
  readonly certificate?: string;
  readonly caCert?: string;
}

/** The address of the Northbound database of a node's own OVN (ovn-nbctl(8), --db). */
const DEFAULT_NORTHBOUND = 'unix:/var/run/ovn/ovnnb_db.sock';

/** The value for no database: flows and gateway routers are not programmed. */
const NONE = 'none';

/** The expected form of addresses, for people. */
const EXPECTED = 'unix:PATH, tcp:HOST:PORT or ssl:HOST:PORT, several separated by commas, or none';

/** Why a text is neither addresses nor `none`; undefined if it is. */
export function northboundProblem(text: string): string | undefined {
  return text === NONE || readAddresses(text) !== undefined
    ? undefined
    : `expected ${EXPECTED}, found ${JSON.stringify(text)}`;
}

/** Parses the option. */
function northboundText(text: string): string {
  if (northboundProblem(text) !== undefined) throw new InvalidArgumentError(`Expected ${EXPECTED}.`);
  return text;
}

/**
 * Adds the options.
 *
 * @param withoutOne what happens with `none`, for people
 */
export function withNorthboundOptions(command: Command, withoutOne: string): Command {
  return command
    .optionsGroup('OVN of the node:')
    .addOption(
      new Option(
        '--ovn-northbound <address>',
        `Northbound database: unix:PATH, tcp:HOST:PORT or ssl:HOST:PORT, those of a cluster separated by commas; with none, ${withoutOne}`,
      )
        .argParser(northboundText)
        .default(DEFAULT_NORTHBOUND),
    )
    .option('--private-key <file>', 'for addresses of ssl: the private key of this client, in PEM')
    .option('--certificate <file>', 'for addresses of ssl: the certificate of this client')
    .option('--ca-cert <file>', 'for addresses of ssl: the certificate of the CA that has signed that of the server');
}

/** The server that the options select, absent for none; or what is wrong with them. */
export function northboundServer({
  ovnNorthbound,
  privateKey,
  certificate,
  caCert,
}: NorthboundOptions): { readonly server?: Server } | { readonly problem: string } {
  const addresses = ovnNorthbound === NONE ? undefined : readAddresses(ovnNorthbound);
  if (addresses === undefined) return {};
  const server: Server = { addresses, service: 'OVN', isLeaderRequired: true };
  if (addresses.every(({ kind }) => kind !== 'ssl')) return { server };
  if (privateKey === undefined || certificate === undefined || caCert === undefined) {
    return { problem: 'ovn-northbound: an address of ssl requires --private-key, --certificate and --ca-cert' };
  }
  return { server: { ...server, tls: { privateKey, certificate, caCertificate: caCert } } };
}
