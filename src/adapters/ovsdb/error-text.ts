import { isJsonObject } from '../json/json-object.ts';

/** Characters of what the error is about: the details have the problem, and a whole operation adds nothing. */
const LONGEST_SYNTAX = 80;

/** Frequent causes of an error of a database, by its name (RFC 7047, section 4.1.3). */
const CAUSES: Readonly<Record<string, string>> = { 'I/O error': 'the disk of the database may be full' };

/** An `<error>` of RFC 7047, section 3.1, or whatever a server sends instead, in one line. */
export function errorText(error: unknown): string {
  if (!isJsonObject(error)) return oneLine(typeof error === 'string' ? error : JSON.stringify(error));
  const { error: name, details, syntax } = error;
  const about = typeof syntax === 'string' && syntax.length > LONGEST_SYNTAX ? undefined : syntax;
  const words = [name, details, about].filter((part) => typeof part === 'string' && part !== '');
  const cause = typeof name === 'string' ? CAUSES[name] : undefined;
  const text = words.length === 0 ? JSON.stringify(error) : words.join(': ');
  return oneLine(cause === undefined ? text : `${text}; ${cause}`);
}

/** Whether an error means that the server does not support a method. */
export function isUnknownMethod(error: unknown): boolean {
  return (isJsonObject(error) ? error['error'] : error) === 'unknown method';
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s*\n\s*/g, ' / ');
}
