import { inFile, type Reading } from '../../ports/input-problem.ts';
import { firstSyntaxError } from './syntax-error.ts';

/** Characters of the text that a problem quotes. */
const QUOTED = 20;

/**
 * Reads JSON text.
 *
 * Control characters that stand unescaped in a string are read as they are: iproute2's JSON writer passes them on, and the kernel
 * allows them in a device's name. Tabs and line ends are escaped by it and stay an error.
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

function syntaxMessage(text: string, firstLine: number): string {
  const error = firstSyntaxError(text);
  if (error === undefined) return 'is not JSON';
  const { offset, expected } = error;
  const place = placeOf(text, offset, firstLine);
  if (offset === text.length) {
    return `ends at ${place}, where ${expected} was expected: it is truncated or half-written`;
  }
  return `is not JSON at ${place}: expected ${expected}, found ${JSON.stringify(text.slice(offset, offset + QUOTED))}`;
}

function placeOf(text: string, offset: number, firstLine: number): string {
  const before = text.slice(0, offset);
  const line = firstLine + before.split('\n').length - 1;
  return `line ${line}, column ${offset - before.lastIndexOf('\n')}`;
}
