import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { PacedWriter } from './paced-writer.ts';

/** A message of the agent: the result of a request, its error, or the number of bytes that it has read. */
type Message =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: string }
  | { readonly received: number };

/** The id of the first message, which the agent sends when it is ready. */
const READY = 0;

/** Milliseconds in which the agent begins or ends a node, on a machine that is as busy as can be. It takes less than a second. */
export const NODE_DEADLINE = 180_000;

/** Sends requests to the agent in a machine and receives its replies, as lines of JSON. Requests run concurrently. */
export class Channel {
  readonly #writer: PacedWriter;
  readonly #pending = new Map<number, PromiseWithResolvers<unknown>>();
  /** Resolves when the agent is ready. */
  readonly ready: Promise<unknown>;
  readonly #onSilence: (reason: string) => void;
  #lastId = READY;
  #closed: Error | undefined;

  /** @param onSilence called with the reason when a request has no answer within its deadline */
  constructor(requests: Writable, answers: Readable, onSilence: (reason: string) => void) {
    this.#writer = new PacedWriter(requests);
    this.#onSilence = onSilence;
    this.ready = this.#expect(READY);
    // If the other end closes, close() is called with the reason.
    for (const stream of [requests, answers]) stream.on('error', () => undefined);
    createInterface({ input: answers }).on('line', (line) => {
      // The agent sends nothing else.
      this.#receive(JSON.parse(line) as Message);
    });
  }

  /**
   * Resolves to the result of a request; rejects with the agent's error, or with the reason of `close`.
   *
   * @param deadline milliseconds, if it is known how long the answer takes
   */
  request(request: Readonly<Record<string, unknown>>, deadline?: number): Promise<unknown> {
    if (this.#closed !== undefined) return Promise.reject(this.#closed);
    const id = ++this.#lastId;
    const answer = this.#expect(id);
    this.#writer.write(`${JSON.stringify({ ...request, id })}\n`);
    if (deadline === undefined) return answer;
    const timer = setTimeout(() => {
      this.#onSilence(`the lab machine has not answered within ${deadline / 1000} s: ${JSON.stringify(request)}`);
    }, deadline);
    return answer.finally(() => {
      clearTimeout(timer);
    });
  }

  /** Whether a request has no result yet. */
  get isPending(): boolean {
    return this.#pending.size > 0;
  }

  /** Rejects all pending and later requests. */
  close(reason: Error): void {
    this.#closed ??= reason;
    for (const { reject } of this.#pending.values()) reject(this.#closed);
    this.#pending.clear();
  }

  #expect(id: number): Promise<unknown> {
    const answer = Promise.withResolvers<unknown>();
    this.#pending.set(id, answer);
    return answer.promise;
  }

  #receive(message: Message): void {
    if ('received' in message) {
      this.#writer.received(message.received);
      return;
    }
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if ('error' in message) pending?.reject(new Error(message.error));
    else pending?.resolve(message.value);
  }
}
