import type { Writable } from 'node:stream';

/** Bytes that may be on their way: half of what the kernel's serial line keeps (N_TTY_BUF_SIZE). */
const WINDOW = 2048;

/**
 * Writes to a serial line of a User Mode Linux, never more than it keeps. Of more it stops reading (it throttles), and what shall make it
 * read again does nothing any more, in Linux 6.1 at least: it would stay deaf.
 */
export class PacedWriter {
  readonly #line: Writable;
  #waiting = Buffer.alloc(0);
  #onTheWay = 0;

  constructor(line: Writable) {
    this.#line = line;
  }

  /** Writes a text as soon as there is room for it. */
  write(text: string): void {
    this.#waiting = Buffer.concat([this.#waiting, Buffer.from(text)]);
    this.#send();
  }

  /** Takes note that the other side has read a number of bytes. */
  received(bytes: number): void {
    this.#onTheWay -= bytes;
    this.#send();
  }

  #send(): void {
    const piece = this.#waiting.subarray(0, WINDOW - this.#onTheWay);
    if (piece.length === 0) return;
    this.#waiting = this.#waiting.subarray(piece.length);
    this.#onTheWay += piece.length;
    this.#line.write(piece);
  }
}
