import type { Socket } from 'node:net';

/** A line, or why there is none. */
export type Line =
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'ended' }
  | { readonly kind: 'too-long' }
  | { readonly kind: 'too-late' };

const LINE_END = 0x0a;

/** Lines of a socket. */
export class SocketLines {
  readonly #socket: Socket;
  readonly #longest: number;
  #chunks: Buffer[] = [];
  #length = 0;
  #hasEnded = false;
  #wake = (): void => undefined;

  /** @param longest in bytes */
  constructor(socket: Socket, longest: number) {
    this.#socket = socket;
    this.#longest = longest;
    socket.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk);
      this.#length += chunk.length;
      // The rest of a line that is too long is not kept.
      if (this.#length > longest) socket.pause();
      this.#wake();
    });
    // An error is followed by this.
    socket.on('close', () => {
      this.#hasEnded = true;
      this.#wake();
    });
    socket.on('end', () => {
      this.#hasEnded = true;
      this.#wake();
    });
  }

  /** The next line. @param deadline in milliseconds from now. What has arrived by then counts, also if this process had no time to read it before */
  async next(deadline: number): Promise<Line> {
    const late = AbortSignal.timeout(deadline);
    const ended = new AbortController();
    late.addEventListener('abort', () => {
      // Timers come before what has arrived meanwhile (Node.js, "The event loop").
      setImmediate(() => {
        ended.abort();
        this.#wake();
      });
    });
    for (;;) {
      const text = this.#takeLine();
      if (text !== undefined || this.#hasEnded || this.#length > this.#longest || ended.signal.aborted) {
        if (text !== undefined) return { kind: 'line', text };
        if (this.#length > this.#longest) return { kind: 'too-long' };
        return { kind: this.#hasEnded ? 'ended' : 'too-late' };
      }
      const more = Promise.withResolvers<undefined>();
      this.#wake = () => more.resolve(undefined);
      await more.promise;
    }
  }

  #takeLine(): string | undefined {
    if (!this.#chunks.some((chunk) => chunk.includes(LINE_END))) return undefined;
    const all = Buffer.concat(this.#chunks);
    const end = all.indexOf(LINE_END);
    const rest = all.subarray(end + 1);
    this.#chunks = rest.length === 0 ? [] : [rest];
    this.#length = rest.length;
    if (this.#length <= this.#longest) this.#socket.resume();
    return all.toString('utf8', 0, end);
  }
}
