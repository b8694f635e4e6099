import { stripVTControlCharacters } from 'node:util';

/** The width of a text in columns, without colour codes. */
function width(text: string): number {
  return Array.from(stripVTControlCharacters(text)).length;
}

/** Escapes control characters, which names may contain, to protect the terminal. */
export function printable(text: string): string {
  return text.replace(
    /[\u0000-\u001f\u007f-\u009f]/g,
    (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}

/** Rows of cells as aligned columns, each line indented; the last column is not padded. */
export function textTable(rows: readonly (readonly string[])[], indent = '  '): readonly string[] {
  const widths = rows.reduce<readonly number[]>(
    (widest, row) => row.map((cell, column) => Math.max(widest[column] ?? 0, width(cell))),
    [],
  );
  const pad = (cell: string, column: number, row: readonly string[]) =>
    column === row.length - 1 ? cell : cell + ' '.repeat((widths[column] ?? 0) - width(cell));
  return rows.map((row) => `${indent}${row.map(pad).join('  ')}`.trimEnd());
}
