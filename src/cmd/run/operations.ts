/**
 * Runs agents with a log, probes and metrics.
 */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Logger } from 'pino';
import {
  type ListenAddress,
  type Operations,
  type Served,
  serveOperations,
} from '../../adapters/http/operations-server.ts';
import type { Loop } from '../../control/cluster/leading.ts';
import { LOG_LEVELS, logger, type LogLevel } from '../../adapters/pino/logger.ts';
import { Health } from './health.ts';
import type { Terminal } from '../output/terminal.ts';
import { printable } from '../output/text-table.ts';

/** Options of agents. */
export interface OperationsOptions {
  /** Absent if not given. */
  readonly listen?: ListenAddress | 'none';
  readonly logLevel: LogLevel;
  readonly once?: true;
}

function listenAddress(text: string): ListenAddress | 'none' {
  if (text === 'none') return text;
  const [, bracketed, plain, port] = /^(?:\[([0-9a-fA-F:]+)\]|([^:[\]]+))?:(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (port === undefined || Number(port) > 65_535) {
    throw new InvalidArgumentError(
      'Expected an address and a port, as 127.0.0.1:9477, [::1]:9477 or, for all addresses, :9477; or none.',
    );
  }
  return { ...(host !== undefined && { host }), port: Number(port) };
}

/**
 * Adds those options.
 *
 * @param port default port of probes and metrics
 * @param brief options with which the agent does not keep running
 */
export function withOperationsOptions(command: Command, port: number, brief: string): Command {
  return command
    .optionsGroup('Operations:')
    .addOption(
      new Option(
        '--listen <address>',
        `where /healthz, /readyz and /metrics are served, :PORT for all addresses, or none (default: 127.0.0.1:${port}; none with ${brief})`,
      ).argParser(listenAddress),
    )
    .addOption(
      new Option('--log-level <level>', 'lowest level of what is logged to standard error')
        .choices(LOG_LEVELS)
        .default('info'),
    );
}

/** The metrics of a loop. */
export interface Metrics {
  text(): ReturnType<Served['metrics']>;
}

/** The observability of an agent. */
interface Monitoring {
  readonly metrics: Metrics;
  /** Default port on loopback; absent for a single pass. */
  readonly port?: number | undefined;
}

/** How to fix a listen error, by its code. */
const REMEDIES: Readonly<Record<string, string>> = {
  EADDRINUSE:
    'the port is in use: stop the program that uses it (ss -ltnp shows it), choose another port with --listen, or --listen none',
  EADDRNOTAVAIL: 'the node has no such address: choose one of its own with --listen',
  EACCES:
    'a port below 1024 requires CAP_NET_BIND_SERVICE, which the service does not have: choose another port with --listen',
};

/** Serves at an address, or returns why that failed. */
async function listenAt(address: ListenAddress, served: Served): Promise<Operations | string> {
  try {
    return await serveOperations(address, served);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    const { host = '', port } = address;
    const place = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
    return `/healthz, /readyz and /metrics cannot be served at ${place}: ${REMEDIES[code] ?? message}`;
  }
}

/**
 * Runs a loop until it finishes or a signal stops it, and serves its probes and metrics. Without these the loop is not started.
 *
 * @param begin creates the loop, which reports to the log and the health
 * @returns the exit status
 */
export async function runMonitored(
  { listen, logLevel }: OperationsOptions,
  { metrics, port }: Monitoring,
  terminal: Terminal,
  begin: (log: Logger, health: Health) => Loop,
): Promise<number> {
  const log = logger(logLevel);
  const health = new Health(() => performance.now());
  const served: Served = {
    healthz: () => health.healthz(),
    readyz: () => health.readyz(),
    metrics: () => metrics.text(),
  };
  const place = listen ?? (port === undefined ? 'none' : { host: '127.0.0.1', port });
  const operations = place === 'none' ? undefined : await listenAt(place, served);
  if (typeof operations === 'string') {
    terminal.err(`error: ${printable(operations)}`);
    return 1;
  }
  if (operations !== undefined) {
    const { address, port: found } = operations.address;
    log.info({ address, port: found }, 'serving /healthz, /readyz and /metrics');
  }
  const loop = begin(log, health);
  const stop = (signal: string) => {
    log.info({ signal }, 'shutting down; the configuration of the node stays');
    loop.stop();
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  try {
    return (await loop.run()) ? 0 : 1;
  } finally {
    process.off('SIGTERM', stop);
    process.off('SIGINT', stop);
    operations?.close();
  }
}
