import { stripVTControlCharacters } from 'node:util';
import wrapAnsi from 'wrap-ansi';

/** Fewest columns to which text is wrapped or cut. */
const NARROWEST = 20;

/** Fewest columns to which a cell is cut. */
const FEWEST_LETTERS = 8;

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

/** Text that begins at a column of a terminal; further lines begin there too. */
function wrapped(text: string, start: number, columns: number): string {
  return wrapAnsi(text, Math.max(columns - start, NARROWEST), { hard: true }).replaceAll(
    '\n',
    `\n${' '.repeat(start)}`,
  );
}

/**
 * Text in lines that are not longer than a terminal is wide. What does not fit is indented by two columns more than its line.
 *
 * @param columns of the terminal; absent where lines may be of any length
 */
export function fitted(text: string, columns: number | undefined): string {
  if (columns === undefined) return text;
  const lines = text.split('\n').map((line) => {
    if (width(line) <= columns) return line;
    const indent = /^ */.exec(line)?.[0] ?? '';
    return `${indent}${wrapped(line.slice(indent.length), indent.length + 2, columns)}`;
  });
  return lines.join('\n');
}

const INDENT = '  ';
const GAP = '  ';

function widthsOf(rows: readonly (readonly string[])[]): readonly number[] {
  return rows.reduce<readonly number[]>(
    (widest, row) => row.map((cell, column) => Math.max(widest[column] ?? 0, width(cell))),
    [],
  );
}

/**
 * Rows of cells as aligned columns, each line indented; the last column is not padded.
 *
 * @param columns of the terminal, where the last column is wrapped if there is room; absent where lines may be of any length
 * @returns a text for each row, which has several lines if it is wrapped
 */
export function textTable(rows: readonly (readonly string[])[], columns?: number): readonly string[] {
  const widths = widthsOf(rows);
  const start = INDENT.length + widths.slice(0, -1).reduce((sum, each) => sum + each + GAP.length, 0);
  const last = (cell: string): string => {
    if (columns === undefined || columns - start < NARROWEST) return cell;
    return wrapped(cell, start, columns);
  };
  const placed = (cell: string, column: number, row: readonly string[]) =>
    column === row.length - 1 ? last(cell) : cell + ' '.repeat((widths[column] ?? 0) - width(cell));
  return rows.map((row) => `${INDENT}${row.map(placed).join(GAP)}`.replaceAll(/ +$/gm, ''));
}

/**
 * Rows for a table that is not wider than a terminal: the widest columns are cut, with “…” where something is missing.
 *
 * @param rows of text without colours
 * @param columns of the terminal
 */
export function cutRows(rows: readonly (readonly string[])[], columns: number): readonly (readonly string[])[] {
  const widths = widthsOf(rows);
  const available = columns - INDENT.length - GAP.length * (widths.length - 1);
  const total = (limit: number) => widths.reduce((sum, each) => sum + Math.min(each, limit), 0);
  let limit = Math.max(...widths);
  while (limit > FEWEST_LETTERS && total(limit) > available) limit -= 1;
  return rows.map((row) =>
    row.map((cell) =>
      width(cell) > limit
        ? `${Array.from(cell)
            .slice(0, limit - 1)
            .join('')}…`
        : cell,
    ),
  );
}
