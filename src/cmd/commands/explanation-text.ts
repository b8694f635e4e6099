/** Text that all explanations have in common on a terminal: facts with their sources, and changes that would lead to another verdict. */
import type { Fact } from '../../domain/explanation/explanation.ts';
import type { Inputs } from '../input/inputs.ts';
import type { Palette } from '../output/terminal.ts';
import { printable, textTable } from '../output/text-table.ts';

/** An object, with its file if there are several; or a file of the capture. */
function sourceText(source: string, { origins }: Inputs): string {
  const file = new Set(origins.values()).size > 1 ? origins.get(source) : undefined;
  return file === undefined ? source : `${source} in ${file}`;
}

/** One line for each fact, indented below what it explains. */
export function factLines(facts: readonly Fact[], inputs: Inputs, palette: Palette): readonly string[] {
  return textTable(
    facts.map(({ depth, text, sources }) => [
      printable('  '.repeat(depth) + text),
      palette.faint(sources.map((source) => sourceText(source, inputs)).join(', ')),
    ]),
    palette.columns,
  );
}

/** Changes, each with the verdict after it; no line if there are none. */
export function changeLines(changes: readonly (readonly [change: string, verdict: string])[]): readonly string[] {
  if (changes.length === 0) return [];
  return [
    'would change with:',
    ...textTable(changes.map(([change, verdict]) => [printable(change), printable(`→ ${verdict}`)])),
  ];
}
