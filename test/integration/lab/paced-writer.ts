import type { Writable } from 'node:stream';

/** Maximum number of unread bytes: half of the buffer of the kernel's serial line (N_TTY_BUF_SIZE). */
const WINDOW = 2048;

/**
 * Writes to a serial line of User Mode Linux without overfilling its buffer. With a full buffer it is throttled, and in Linux 6.1 never
 * reads again.
 */
export class PacedWriter {
  readonly #line: Writable;
  #waiting = Buffer.alloc(0);
  #unread = 0;

  constructor(line: Writable) {
    this.#line = line;
  }

  /** Writes a text as soon as there is space. */
  write(text: string): void {
    this.#waiting = Buffer.concat([this.#waiting, Buffer.from(text)]);
    this.#send();
  }

  /** Called when the other side has read a number of bytes. */
  received(bytes: number): void {
    this.#unread -= bytes;
    this.#send();
  }

  #send(): void {
    const chunk = this.#waiting.subarray(0, WINDOW - this.#unread);
    if (chunk.length === 0) return;
    this.#waiting = this.#waiting.subarray(chunk.length);
    this.#unread += chunk.length;
    this.#line.write(chunk);
  }
}
