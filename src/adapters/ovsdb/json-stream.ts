/**
 * Splits a stream into JSON texts that follow each other without a delimiter (RFC 7047, section 4). The stream arrives in chunks that may end inside a
 * UTF-8 character or an escape. In UTF-8 no byte of a multibyte character equals a bracket, quote or backslash, so counting those bytes suffices.
 */

/** Complete messages. */
export interface Arrival {
  readonly messages: readonly unknown[];
  /** Why the stream is broken after these messages; completes "the server …". */
  readonly broken?: string;
}

const MEBIBYTE = 1024 * 1024;

/** Maximum bytes of a message: the initial content of a very large database has some 10 MiB. */
const MAX_SIZE = 256 * MEBIBYTE;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

function isOpening(byte: number): boolean {
  return byte === 0x7b || byte === 0x5b;
}

function isClosing(byte: number): boolean {
  return byte === 0x7d || byte === 0x5d;
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}

/** Reads messages, which are objects or lists; anything else breaks the stream, as does a message that is too large. */
export class JsonStream {
  readonly #largest: number;
  /** The chunks of an incomplete message. */
  #pieces: Uint8Array[] = [];
  #size = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #broken: string | undefined;

  constructor(largest = MAX_SIZE) {
    this.#largest = largest;
  }

  /** Reads the next chunk. */
  feed(bytes: Uint8Array): Arrival {
    const messages: unknown[] = [];
    let start = 0;
    for (let at = 0; at < bytes.length && this.#broken === undefined; at += 1) {
      if (this.#depth === 0 && isBlank(bytes[at] ?? 0)) start = at + 1;
      else if (this.#isEnd(bytes[at] ?? 0)) {
        this.#keep(bytes.subarray(start, at + 1));
        this.#take(messages);
        start = at + 1;
      }
    }
    if (start < bytes.length) this.#keep(bytes.subarray(start));
    return this.#broken === undefined ? { messages } : { messages, broken: this.#broken };
  }

  /** Whether a byte is the last one of a message. */
  #isEnd(byte: number): boolean {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (byte === BACKSLASH) this.#escaped = true;
      else if (byte === QUOTE) this.#inString = false;
      return false;
    }
    if (isOpening(byte)) this.#depth += 1;
    else if (this.#depth === 0) this.#broken = 'sent something that is not a JSON-RPC message';
    else if (byte === QUOTE) this.#inString = true;
    else if (isClosing(byte)) this.#depth -= 1;
    return this.#depth === 0 && this.#broken === undefined;
  }

  #keep(piece: Uint8Array): void {
    if (this.#broken !== undefined) return;
    this.#size += piece.length;
    this.#pieces.push(piece);
    if (this.#size > this.#largest) {
      this.#broken = `sent a message of more than ${this.#largest / MEBIBYTE} MiB`;
      this.#pieces = [];
    }
  }

  #take(messages: unknown[]): void {
    if (this.#broken !== undefined) return;
    try {
      // A replacement character would silently change text of another program.
      const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(this.#pieces));
      messages.push(JSON.parse(text));
    } catch {
      this.#broken = 'sent a message that is not JSON in UTF-8';
    }
    this.#pieces = [];
    this.#size = 0;
  }
}
