/** Some items of a list, as a YAML sequence. */
export interface ListPiece {
  readonly text: string;
  /** Line of the whole text on which it begins, from 1. */
  readonly firstLine: number;
}

/** A list in pieces. */
export interface DividedList {
  /** The text without `items` and what stands below it. */
  readonly head: string;
  /** The items, in order. */
  readonly pieces: readonly ListPiece[];
}

/**
 * Divides a text with a block sequence `items` at its left edge, as `kubectl get -o yaml` prints lists. It goes by indentation alone:
 * where an alias leads from one item to another, or a text in quotes has a line that looks like an item, a piece is no YAML.
 *
 * @param pieceLength length, in UTF-16 code units, from which on a piece ends with the item that it is in.
 * @returns undefined where the text has another form.
 */
export function divideList(text: string, pieceLength: number): DividedList | undefined {
  const field = /^items:[ \t]*\r?\n(?=( *)-[ \t\r\n])/m.exec(text);
  if (field === null) return undefined;
  const indentation = (field[1] ?? '').length;
  const start = field.index + field[0].length;
  const end = endOfItems(text, start, indentation);
  return {
    head: text.slice(0, field.index) + text.slice(end),
    pieces: piecesBetween(text, start, end, cutsAt(indentation), pieceLength),
  };
}

/** The first line that is neither an item nor below one nor without content. */
function endOfItems(text: string, start: number, indentation: number): number {
  const outside = new RegExp(`^(?! {${indentation}}(?: |-(?:[ \\t\\r\\n]|$))| *(?:#|\\r?$))`, 'gm');
  outside.lastIndex = start;
  return outside.exec(text)?.index ?? text.length;
}

function cutsAt(indentation: number): RegExp {
  return new RegExp(`^ {${indentation}}-(?=[ \\t\\r\\n]|$)`, 'gm');
}

function piecesBetween(
  text: string,
  start: number,
  end: number,
  cut: RegExp,
  pieceLength: number,
): readonly ListPiece[] {
  const pieces: ListPiece[] = [];
  let firstLine = lineBreaks(text.slice(0, start)) + 1;
  for (let from = start; from < end;) {
    cut.lastIndex = from + pieceLength;
    const to = Math.min(cut.exec(text)?.index ?? end, end);
    const piece = text.slice(from, to);
    pieces.push({ text: piece, firstLine });
    firstLine += lineBreaks(piece);
    from = to;
  }
  return pieces;
}

function lineBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
