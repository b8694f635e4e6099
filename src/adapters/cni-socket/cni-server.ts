import { once } from 'node:events';
import { chmod, mkdir, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { type CniAnswer, invalidCallResult, pluginResult } from '../../domain/cni/answer.ts';
import { type CniCall, readCall } from '../../domain/cni/call.ts';
import { conformanceTo } from '../../domain/api/conformance.ts';
import { parseJson } from '../../domain/api/json-annotation.ts';
import { errorCodes } from '../../domain/cni/error.ts';
import {
  cniRequestSchema,
  MAX_MESSAGE_BYTES,
  outcomeSchema,
  type PluginResult,
  type PluginStep,
  type StepOutcome,
} from '../../domain/cni/messages.ts';
import type { CniAgent, CniPlugin } from '../../ports/cni-agent.ts';
import { Lines } from './json-lines.ts';

/** Limits of the server. */
export interface CniLimits {
  /** Milliseconds for a plugin to send its request. */
  readonly request: number;
  /** Milliseconds for a plugin to take a step, beside those that the step itself has. */
  readonly step: number;
  /** Plugins at a time; further ones are refused, and ask the runtime to try again. */
  readonly connections: number;
}

/** A plugin sends its request at once. Netlink takes milliseconds, but a starting node may be busy for seconds. */
export const USUAL_CNI_LIMITS: CniLimits = { request: 10_000, step: 20_000, connections: 256 };

/** A server that listens. */
export interface CniServer {
  /** Stops it, and ends all connections: their plugins ask the runtime to try again. */
  close(): Promise<void>;
}

const conformRequest = conformanceTo(cniRequestSchema);

const conformOutcome = conformanceTo(outcomeSchema);

/** The outcome in a line; undefined for something else. */
function outcomeIn(text: string): StepOutcome | undefined {
  const conformance = conformOutcome(parseJson(text)?.value);
  return conformance.conforms ? conformance.value : undefined;
}

/** A client: a plugin, or another program. */
class Client implements CniPlugin {
  readonly #socket: Socket;
  readonly #lines: Lines;
  readonly #limits: CniLimits;
  readonly #ended = new AbortController();

  constructor(socket: Socket, limits: CniLimits) {
    this.#socket = socket;
    this.#limits = limits;
    this.#lines = new Lines(socket, MAX_MESSAGE_BYTES);
    // Its end follows.
    socket.on('error', () => undefined);
    socket.on('close', () => this.#ended.abort());
    socket.on('end', () => this.#ended.abort());
  }

  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /** The call of the plugin, or what it prints as the call is invalid; undefined if it sends none. */
  async call(): Promise<{ readonly call: CniCall } | { readonly result: PluginResult } | undefined> {
    const line = await this.#lines.next(this.#limits.request);
    if (line.kind !== 'line') return undefined;
    const request = conformRequest(parseJson(line.text)?.value);
    if (!request.conforms) return undefined;
    const read = readCall(request.value);
    return read.valid ? { call: read.call } : { result: invalidCallResult(read) };
  }

  async take(step: PluginStep): Promise<StepOutcome> {
    if (this.#ended.signal.aborted) return { done: false, error: 'the plugin has ended' };
    this.#send(step);
    const limit = this.#limits.step + (step.step === 'probe' ? step.probe.timeout : 0);
    const line = await this.#lines.next(limit);
    const outcome = line.kind === 'line' ? outcomeIn(line.text) : undefined;
    if (outcome !== undefined) return outcome;
    // What it sends later would be taken for the outcome of another step.
    this.#socket.destroy();
    switch (line.kind) {
      case 'ended':
        return { done: false, error: 'the plugin ended in the middle of a step' };
      case 'too-late':
        return { done: false, error: `the plugin did not reply within ${limit / 1000} s` };
      case 'line':
      case 'too-long':
        return { done: false, error: 'the plugin sent something other than an outcome' };
    }
  }

  finish(result: PluginResult): void {
    this.#send({ step: 'finish', finish: result });
    this.#socket.end();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #send(message: object): void {
    this.#socket.write(`${JSON.stringify(message)}\n`);
  }
}

function containerOf(call: CniCall): string | undefined {
  return 'attachment' in call ? call.attachment.containerId : undefined;
}

function tryAgain(message: string, details: string): CniAnswer {
  return { kind: 'failed', error: { code: errorCodes.tryAgainLater, message, details } };
}

/** A rejection is a defect of the agent. */
function defect(error: unknown): CniAnswer {
  return tryAgain('the agent failed', error instanceof Error ? error.message : String(error));
}

/** The answer to a call whose turn has come; without the plugin, which may have been killed meanwhile, nobody would learn what was done. */
async function answerOf(agent: CniAgent, call: CniCall, client: Client): Promise<CniAnswer> {
  if (client.ended.aborted) return tryAgain('the plugin has ended', 'nothing was done');
  return await agent.answer(call, client);
}

/** Runs calls of one container one after the other: the runtime may kill the plugin of an ADD that takes long, and start one for DEL. */
class CallOrder {
  readonly #last = new Map<string, Promise<unknown>>();

  async run<Result>(container: string | undefined, work: () => Promise<Result>): Promise<Result> {
    if (container === undefined) return await work();
    const previous = this.#last.get(container) ?? Promise.resolve();
    const current = previous.then(work);
    const settled = current.catch(() => undefined);
    this.#last.set(container, settled);
    try {
      return await current;
    } finally {
      if (this.#last.get(container) === settled) this.#last.delete(container);
    }
  }
}

/**
 * Serves plugins on a Unix socket, which only root can connect to.
 *
 * @param path of the socket; one that a former agent has left is replaced, since there is one agent on a node
 * @returns rejects with the system error if it cannot listen
 */
export async function serveCni(path: string, agent: CniAgent, limits = USUAL_CNI_LIMITS): Promise<CniServer> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await rm(path, { force: true });
  const order = new CallOrder();
  const clients = new Set<Client>();
  const serve = async (client: Client): Promise<void> => {
    const asked = await client.call();
    if (asked === undefined) client.destroy();
    else if ('result' in asked) client.finish(asked.result);
    else {
      const { call } = asked;
      const answer = await order.run(containerOf(call), () => answerOf(agent, call, client)).catch(defect);
      client.finish(pluginResult(call, answer));
    }
  };
  const server = createServer((socket) => {
    const client = new Client(socket, limits);
    clients.add(client);
    socket.on('close', () => clients.delete(client));
    void serve(client);
  });
  server.maxConnections = limits.connections;
  server.listen(path);
  await once(server, 'listening');
  await chmod(path, 0o600);
  return {
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const client of clients) client.destroy();
      await closed;
    },
  };
}
