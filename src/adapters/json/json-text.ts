import { parse, type ParseError, printParseErrorCode } from 'jsonc-parser';
import { inFile, type Reading } from '../../ports/input-problem.ts';

/** Characters of the text that a problem quotes. */
const QUOTED = 20;

/**
 * Reads JSON text.
 *
 * Accepts unescaped control characters in strings: the kernel allows them in a device's name, and iproute2's JSON writer does not escape them. It
 * escapes tabs and line ends, which stay an error.
 *
 * @param file named in problems
 * @param firstLine number of the text's first line in the file
 * @returns the value, or the place of the first error and what was expected there
 */
export function readJson(text: string, file: string, firstLine = 1): Reading<unknown> {
  const escaped = escapeControlCharacters(text);
  try {
    const value: unknown = JSON.parse(escaped);
    return { read: true, value };
  } catch {
    return { read: false, problems: [{ origin: inFile(file), message: syntaxMessage(escaped, firstLine) }] };
  }
}

function escapeControlCharacters(text: string): string {
  return text.replace(
    /[\u0001-\u0008\u000b\u000c\u000e-\u001f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Expectations, by error of the parser. */
const expectations: Readonly<Record<ReturnType<typeof printParseErrorCode>, string>> = {
  InvalidSymbol: 'a value or a name in quotes',
  InvalidNumberFormat: 'a number',
  PropertyNameExpected: 'a name in quotes',
  ValueExpected: 'a value',
  ColonExpected: '":"',
  CommaExpected: '"," or the end of the list or object',
  CloseBraceExpected: '"," or "}"',
  CloseBracketExpected: '"," or "]"',
  EndOfFileExpected: 'the end of the text',
  InvalidCommentToken: 'no comment',
  UnexpectedEndOfComment: 'no comment',
  UnexpectedEndOfString: 'a string that ends on its line',
  UnexpectedEndOfNumber: 'a number',
  InvalidUnicode: 'a string with valid escapes',
  InvalidEscapeCharacter: 'a string with valid escapes',
  InvalidCharacter: 'a string without control characters',
  '<unknown ParseErrorCode>': 'JSON',
};

/** The error with its place, which JSON.parse reports for some errors only. */
function syntaxMessage(text: string, firstLine: number): string {
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true });
  const [error] = errors;
  if (error === undefined) return 'is not JSON';
  const isIncomplete = isCutOff(text, error);
  const expected = isIncomplete ? 'the rest of a value' : expectations[printParseErrorCode(error.error)];
  if (isIncomplete || error.offset === text.length) {
    return `ends at ${placeOf(text, text.length, firstLine)}, where ${expected} was expected: it is truncated or half-written`;
  }
  const found = JSON.stringify(text.slice(error.offset, error.offset + QUOTED));
  return `is not JSON at ${placeOf(text, error.offset, firstLine)}: expected ${expected}, found ${found}`;
}

/** Whether the text ends in the middle of a string, a number or a word. */
function isCutOff(text: string, { error, offset, length }: ParseError): boolean {
  if (length === 0 || offset + length < text.length) return false;
  const code = printParseErrorCode(error);
  if (code === 'UnexpectedEndOfString' || code === 'UnexpectedEndOfNumber') return true;
  const symbol = text.slice(offset);
  return code === 'InvalidSymbol' && ['true', 'false', 'null', '-'].some((word) => word.startsWith(symbol));
}

function placeOf(text: string, offset: number, firstLine: number): string {
  const before = text.slice(0, offset);
  const line = firstLine + before.split('\n').length - 1;
  return `line ${line}, column ${offset - before.lastIndexOf('\n')}`;
}
