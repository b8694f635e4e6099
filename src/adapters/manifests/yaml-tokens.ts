import { type CST, Lexer, Parser } from 'yaml';

/**
 * Most tokens of one document. The library keeps all of a document's tokens, at some 200 bytes each and 1,000 at worst: what is
 * beyond this would end the process for want of memory.
 */
export const MAX_TOKENS = 3_000_000;

/** The syntax of a YAML stream, document by document, up to a document of too many tokens. */
export class YamlTokens implements Iterable<CST.Token> {
  /** Whether the stream ended early, at a document of too many tokens. */
  exhausted = false;
  /** Where the last document began that was looked at: its offset in the text, in UTF-16 code units. */
  documentOffset = 0;
  private readonly text: string;
  private readonly maxTokens: number;
  private readonly onNewLine: (offset: number) => void;

  /**
   * @param maxTokens most tokens of one document.
   * @param onNewLine told of the offset of each line, in ascending order.
   */
  constructor(text: string, maxTokens: number, onNewLine: (offset: number) => void) {
    this.text = text;
    this.maxTokens = maxTokens;
    this.onNewLine = onNewLine;
  }

  /** Parses the text once, as far as it is consumed. */
  *[Symbol.iterator](): Generator<CST.Token> {
    this.onNewLine(0);
    const parser = new Parser(this.onNewLine);
    let count = 0;
    for (const lexeme of new Lexer().lex(this.text)) {
      count += 1;
      if (count > this.maxTokens) {
        this.exhausted = true;
        return;
      }
      for (const token of parser.next(lexeme)) {
        count = 0;
        this.documentOffset = parser.offset;
        yield token;
      }
    }
    yield* parser.end();
  }
}
