/**
 * Messages out of a stream of JSON texts that follow each other without a delimiter (RFC 7047, section 4). What makes it hard: the stream
 * comes in pieces that end anywhere, inside a character of UTF-8 or an escape as well, and only the bytes tell where a text ends. In
 * UTF-8 no byte of a longer character looks like a bracket, a quote or a backslash, so counting those is enough.
 */

/** What has come whole. */
export interface Arrival {
  readonly messages: readonly unknown[];
  /** Why nothing can come after these messages, as it completes "the server …"; absent where more can. */
  readonly broken?: string;
}

const MEBIBYTE = 1024 * 1024;

/** Bytes of the largest message that is taken: the first content of a very large database has some 10 MiB. */
const LARGEST = 256 * MEBIBYTE;

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

/** Reads messages, which are objects or lists; anything else ends the stream, as does a message that is too large. */
export class JsonStream {
  readonly #largest: number;
  /** The pieces of the message that is not whole yet. */
  #pieces: Uint8Array[] = [];
  #size = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #broken: string | undefined;

  constructor(largest = LARGEST) {
    this.#largest = largest;
  }

  /** Takes the next piece of the stream. */
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
    else if (this.#depth === 0) this.#broken = 'sent something that is no message of JSON-RPC';
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
      // A replaced character would be a change of somebody's text that nobody asked for: fatal.
      const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(this.#pieces));
      messages.push(JSON.parse(text));
    } catch {
      this.#broken = 'sent a message that is no JSON in UTF-8';
    }
    this.#pieces = [];
    this.#size = 0;
  }
}
