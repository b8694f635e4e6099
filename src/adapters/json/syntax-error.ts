/**
 * Where text stops being JSON (RFC 8259). JSON.parse knows it but tells it only for some errors, and a person with a file of one
 * line of 20,000 characters needs the place. Used after JSON.parse has refused the text; never to read it.
 */

/** A place in a text where something else was expected. */
export interface SyntaxError {
  /** Characters before it; all of them where the text ends too early. */
  readonly offset: number;
  /** What could have stood there, as it completes "expected …". */
  readonly expected: string;
}

type Container = 'object' | 'list';

/** What may come next. */
type State = 'value' | 'first item' | 'first key' | 'key' | 'colon' | 'after value';

const BLANK = /[ \t\r\n]*/y;
const STRING = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y;
const PLAIN = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;

/** The beginning of a string, number or name with nothing after it. */
const UNFINISHED =
  /(?:"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*(?:\\(?:u[0-9a-fA-F]{0,3})?)?|[\w.+-]+)$/y;

function endOf(pattern: RegExp, text: string, offset: number): number | undefined {
  pattern.lastIndex = offset;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function expectation(state: State, inside: Container | undefined): string {
  switch (state) {
    case 'value':
      return 'a value';
    case 'first item':
      return 'a value or "]"';
    case 'first key':
      return 'a name in quotes or "}"';
    case 'key':
      return 'a name in quotes';
    case 'colon':
      return '":"';
    case 'after value':
      return inside === undefined ? 'the end of the text' : `"," or "${inside === 'object' ? '}' : ']'}"`;
  }
}

/** Walks a text from token to token; each step says what may come next, and whether this one may stand here. */
class Walk {
  readonly #text: string;
  readonly #containers: Container[] = [];
  #offset = 0;
  #state: State = 'value';

  constructor(text: string) {
    this.#text = text;
  }

  error(): SyntaxError | undefined {
    for (;;) {
      this.#offset = endOf(BLANK, this.#text, this.#offset) ?? this.#offset;
      const inside = this.#containers.at(-1);
      if (this.#offset === this.#text.length) return this.#atEnd(inside);
      if (!this.#step(inside)) return this.#inMiddle(inside);
    }
  }

  #atEnd(inside: Container | undefined): SyntaxError | undefined {
    if (inside === undefined && this.#state === 'after value') return undefined;
    return { offset: this.#offset, expected: expectation(this.#state, inside) };
  }

  #inMiddle(inside: Container | undefined): SyntaxError {
    const cutOff = this.#state !== 'after value' && endOf(UNFINISHED, this.#text, this.#offset) !== undefined;
    if (cutOff) return { offset: this.#text.length, expected: 'the rest of a value' };
    return { offset: this.#offset, expected: expectation(this.#state, inside) };
  }

  #step(inside: Container | undefined): boolean {
    switch (this.#state) {
      case 'value':
        return this.#value();
      case 'first item':
        return this.#close(']') || this.#value();
      case 'first key':
        return this.#close('}') || this.#token(STRING, 'colon');
      case 'key':
        return this.#token(STRING, 'colon');
      case 'colon':
        return this.#mark(':', 'value');
      case 'after value':
        if (inside === undefined) return false;
        return inside === 'object'
          ? this.#close('}') || this.#mark(',', 'key')
          : this.#close(']') || this.#mark(',', 'value');
    }
  }

  #value(): boolean {
    if (this.#mark('{', 'first key')) return this.#containers.push('object') > 0;
    if (this.#mark('[', 'first item')) return this.#containers.push('list') > 0;
    return this.#token(STRING, 'after value') || this.#token(PLAIN, 'after value');
  }

  #close(mark: '}' | ']'): boolean {
    if (!this.#mark(mark, 'after value')) return false;
    this.#containers.pop();
    return true;
  }

  #mark(mark: string, next: State): boolean {
    if (this.#text[this.#offset] !== mark) return false;
    this.#offset += 1;
    this.#state = next;
    return true;
  }

  #token(pattern: RegExp, next: State): boolean {
    const end = endOf(pattern, this.#text, this.#offset);
    if (end === undefined) return false;
    this.#offset = end;
    this.#state = next;
    return true;
  }
}

/** The first place where the text is not JSON; absent where all of it is. */
export function firstSyntaxError(text: string): SyntaxError | undefined {
  return new Walk(text).error();
}
