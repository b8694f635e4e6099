import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { type CniAnswer, invalidCallResult, pluginResult } from '../../domain/pods/cni/answer.ts';
import { type CniCall, readCall, type ReadCall } from '../../domain/pods/cni/call.ts';
import { conformanceTo } from '../../domain/api/conformance.ts';
import { parseJson } from '../../domain/api/json-annotation.ts';
import { type CniError, errorCodes } from '../../domain/pods/cni/error.ts';
import {
  cniRequestSchema,
  MAX_MESSAGE_BYTES,
  outcomeSchema,
  type PluginResult,
  type PluginStep,
  type StepOutcome,
} from '../../domain/pods/cni/messages.ts';
import { podText } from '../../domain/pods/pod-key.ts';
import type { CniAgent, CniPlugin, CniServer } from '../../ports/pods/cni-agent.ts';
import type { AnsweredCall } from '../../ports/pods/pod-report.ts';
import { SocketLines } from './json-lines.ts';

/** Limits of the server. */
export interface CniLimits {
  /** Milliseconds for a plugin to send its request. */
  readonly request: number;
  /** Milliseconds for a plugin to take a step, beside those that the step itself has. */
  readonly step: number;
  /** Plugins at a time; further ones are refused, and ask the runtime to try again. */
  readonly connections: number;
  /** Milliseconds for calls to be answered once the server is closed, and for what they had begun to be undone after that. */
  readonly closing: number;
}

/** A plugin sends its request at once. Netlink takes milliseconds, but a starting node may be busy for seconds. */
export const USUAL_CNI_LIMITS: CniLimits = { request: 10_000, step: 20_000, connections: 256, closing: 5000 };

const conformRequest = conformanceTo(cniRequestSchema);

const conformOutcome = conformanceTo(outcomeSchema);

/** The outcome in a line; undefined for something else. */
function outcomeIn(text: string): StepOutcome | undefined {
  const conformance = conformOutcome(parseJson(text)?.value);
  return conformance.conforms ? conformance.value : undefined;
}

/** A call, or why it is invalid. */
type Asked = { readonly call: CniCall } | { readonly invalid: Extract<ReadCall, { readonly valid: false }> };

/** Why a client is not answered. */
interface Unasked {
  readonly problem: string;
}

/** A client: a plugin, or another program. */
class Client implements CniPlugin {
  readonly #socket: Socket;
  readonly #lines: SocketLines;
  readonly #limits: CniLimits;
  readonly #ended = new AbortController();

  constructor(socket: Socket, limits: CniLimits) {
    this.#socket = socket;
    this.#limits = limits;
    this.#lines = new SocketLines(socket, MAX_MESSAGE_BYTES);
    // Its end follows.
    socket.on('error', () => undefined);
    socket.on('close', () => this.#ended.abort());
    socket.on('end', () => this.#ended.abort());
  }

  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /** The call of the plugin, or why it is invalid, or why there is none. */
  async asked(): Promise<Asked | Unasked> {
    const line = await this.#lines.next(this.#limits.request);
    if (line.kind === 'ended') return { problem: 'it ended before it had sent a request' };
    if (line.kind === 'too-late') return { problem: `it sent no request within ${this.#limits.request / 1000} s` };
    const request = line.kind === 'line' ? conformRequest(parseJson(line.text)?.value) : undefined;
    if (request?.conforms !== true) return { problem: 'it sent something other than a request' };
    const read = readCall(request.value);
    return read.valid ? { call: read.call } : { invalid: read };
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

/** The answer to a call whose turn has come; the plugin may have been killed meanwhile, and then no other program would learn what was done. */
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

const unasked = ({ problem }: Unasked): CniError => ({
  code: errorCodes.tryAgainLater,
  message: 'a client was not answered',
  details: problem,
});

/** A report of a call. */
function answered(asked: Asked, begin: number, error: CniError | undefined): AnsweredCall {
  const call = 'call' in asked ? asked.call : undefined;
  const containerId = call && containerOf(call);
  return {
    kind: 'answered',
    command: call?.command ?? 'invalid',
    ...(call !== undefined && 'pod' in call && { pod: podText(call.pod) }),
    ...(call !== undefined && 'network' in call && { network: call.network }),
    ...(containerId !== undefined && { containerId }),
    milliseconds: performance.now() - begin,
    ...(error && { error }),
  };
}

/** Waits until all calls have ended, but not longer than some milliseconds. */
async function ended(calls: Iterable<Promise<void>>, milliseconds: number): Promise<void> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), milliseconds);
  await Promise.race([Promise.all(calls), late.promise]);
  clearTimeout(timer);
}

/** Binds a socket that only root can connect to, from its first moment on. @returns rejects with the system error if it cannot */
async function listen(server: Server, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await rm(path, { force: true });
  const listening = once(server, 'listening');
  const mask = process.umask(0o177);
  // It binds before it returns.
  server.listen(path);
  process.umask(mask);
  await listening;
}

/**
 * Serves plugins on a Unix socket, which only root can connect to.
 *
 * @param path of the socket; one that a former agent has left is replaced, since there is one agent on a node
 * @param report takes a report of each call
 * @returns rejects with the system error if it cannot listen
 */
export async function serveCni(
  path: string,
  agent: CniAgent,
  report: (call: AnsweredCall) => void,
  limits = USUAL_CNI_LIMITS,
): Promise<CniServer> {
  const order = new CallOrder();
  const clients = new Set<Client>();
  const calls = new Set<Promise<void>>();
  const serve = async (client: Client): Promise<void> => {
    const begin = performance.now();
    const asked = await client.asked();
    if ('problem' in asked) {
      client.destroy();
      // The runtime learns only that it was not answered.
      report({ kind: 'answered', command: 'invalid', milliseconds: performance.now() - begin, error: unasked(asked) });
      return;
    }
    if ('invalid' in asked) {
      client.finish(invalidCallResult(asked.invalid));
      report(answered(asked, begin, asked.invalid.error));
      return;
    }
    const { call } = asked;
    const answer = await order.run(containerOf(call), () => answerOf(agent, call, client)).catch(defect);
    client.finish(pluginResult(call, answer));
    report(answered(asked, begin, answer.kind === 'failed' ? answer.error : undefined));
  };
  const server = createServer((socket) => {
    const client = new Client(socket, limits);
    clients.add(client);
    socket.on('close', () => clients.delete(client));
    const call = serve(client).finally(() => calls.delete(call));
    calls.add(call);
  });
  server.maxConnections = limits.connections;
  await listen(server, path);
  return {
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      await ended(calls, limits.closing);
      for (const client of clients) client.destroy();
      await ended(calls, limits.closing);
      await closed;
    },
  };
}
