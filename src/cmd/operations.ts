/**
 * What an agent that runs is watched by: its log, and what is served to probes and to whoever counts.
 */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Logger } from 'pino';
import { type ListenAddress, type Served, serveOperations } from '../adapters/http/operations-server.ts';
import { LOG_LEVELS, logger, type LogLevel } from '../adapters/pino/logger.ts';
import { Health } from './health.ts';

/** Options of everything that runs until it is ended. */
export interface OperationsOptions {
  readonly listen: ListenAddress | 'none';
  readonly logLevel: LogLevel;
  readonly once?: true;
}

function listenAddress(text: string): ListenAddress | 'none' {
  if (text === 'none') return text;
  const [, bracketed, plain, port] = /^(?:\[([0-9a-fA-F:]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || Number(port) > 65_535) {
    throw new InvalidArgumentError('Expected an address and a port, as 127.0.0.1:9477 or [::1]:9477, or none.');
  }
  return { host, port: Number(port) };
}

/** Adds those options. */
export function withOperationsOptions(command: Command, port: number): Command {
  return command
    .optionsGroup('Operations:')
    .addOption(
      new Option('--listen <address>', 'where /healthz, /readyz and /metrics are served, or none')
        .argParser(listenAddress)
        .default({ host: '127.0.0.1', port }, `127.0.0.1:${port}`),
    )
    .addOption(
      new Option('--log-level <level>', 'what is logged on standard error').choices(LOG_LEVELS).default('info'),
    );
}

/** Something that runs until it is told to stop; gives whether all of it was done. */
export interface Loop {
  run(): Promise<boolean>;
  stop(): void;
}

/** What a loop's reports are counted in. */
export interface Metrics {
  text(): ReturnType<Served['metrics']>;
}

/**
 * Runs a loop until it ends by itself or by a signal, and has it watched meanwhile.
 *
 * @param begin makes the loop, which has the log and the health told of what it has to say
 * @returns the exit status
 */
export async function runWatched(
  { listen, logLevel }: OperationsOptions,
  begin: (log: Logger, health: Health) => { readonly loop: Loop; readonly metrics: Metrics },
): Promise<number> {
  const log = logger(logLevel);
  const health = new Health(() => performance.now());
  const { loop, metrics } = begin(log, health);
  const served: Served = {
    healthz: () => health.healthz(),
    readyz: () => health.readyz(),
    metrics: () => metrics.text(),
  };
  const operations = listen === 'none' ? undefined : await serveOperations(listen, served);
  if (operations !== undefined) {
    const { address, port } = operations.address;
    log.info({ address, port }, 'serving /healthz, /readyz and /metrics');
  }
  const stop = (signal: string) => {
    log.info({ signal }, 'ending; what was made stays');
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
