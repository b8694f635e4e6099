import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { PacedWriter } from './paced-writer.ts';

/** What the agent says: the value of a request, why there is none, or how much of the requests it has taken. */
type Message =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: string }
  | { readonly received: number };

/** The id of what the agent says unasked, once it can be asked. */
const READY = 0;

/** Requests to the agent in a machine and its answers, one JSON document a line, several requests at a time. */
export class Channel {
  readonly #writer: PacedWriter;
  readonly #pending = new Map<number, PromiseWithResolvers<unknown>>();
  /** Fulfilled as soon as the agent can be asked. */
  readonly ready: Promise<unknown>;
  #lastId = READY;
  #closed: Error | undefined;

  constructor(requests: Writable, answers: Readable) {
    this.#writer = new PacedWriter(requests);
    this.ready = this.#expect(READY);
    // That the other end is gone is told by close(), with a reason.
    for (const stream of [requests, answers]) stream.on('error', () => undefined);
    createInterface({ input: answers }).on('line', (line) => {
      // The agent is ours, and says nothing else.
      this.#take(JSON.parse(line) as Message);
    });
  }

  /** Gives the agent's value; rejects with its reason, or with that of `close`. */
  request(request: Readonly<Record<string, unknown>>): Promise<unknown> {
    if (this.#closed !== undefined) return Promise.reject(this.#closed);
    const id = ++this.#lastId;
    const answer = this.#expect(id);
    this.#writer.write(`${JSON.stringify({ ...request, id })}\n`);
    return answer;
  }

  /** Rejects every request that is not answered, and every later one. */
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

  #take(message: Message): void {
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
