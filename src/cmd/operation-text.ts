/**
 * Operations for people: by network, marked as what they do, and summed up.
 */
import { commandLine } from '../adapters/capture/layout.ts';
import { disruptionText, meaningOf, type PlannedOperation } from '../domain/index.ts';
import { groupBy } from '../domain/grouping.ts';
import { by } from '../domain/ordering.ts';
import { disruptionSummary } from '../domain/status/operation-text.ts';
import type { Palette } from './terminal.ts';
import { printable } from './text-table.ts';

type Mark = '+' | '~' | '-';

/** A mark in its colour. */
export function markText(mark: Mark, palette: Palette): string {
  switch (mark) {
    case '+':
      return palette.good(mark);
    case '~':
      return palette.changed(mark);
    case '-':
      return palette.bad(mark);
  }
}

/** For whom an operation is done. */
function groupOf({ operation: { networks } }: PlannedOperation): string {
  if (networks.length === 0) return 'left over';
  return networks.length === 1 ? (networks[0] ?? '') : `shared by ${networks.join(', ')}`;
}

/** Networks come first, then what they share, then what nobody is known for. */
function rankOf({ operation: { networks } }: PlannedOperation): string {
  if (networks.length === 0) return '3';
  return `${networks.length === 1 ? '1' : '2'} ${networks.join(' ')}`;
}

/** What is told of an operation. */
interface ToldOperation {
  readonly mark: Mark;
  readonly summary: string;
  readonly disturbs?: string | undefined;
}

/** An operation in a line: its mark, what it is about, and what it disturbs. */
export function operationLine({ mark, summary, disturbs }: ToldOperation, palette: Palette): string {
  const told = `${markText(mark, palette)} ${printable(summary)}`;
  return disturbs === undefined ? told : `${told} ${palette.changed(`(${printable(disturbs)})`)}`;
}

function operationLines(
  { operation, command }: PlannedOperation,
  showCommands: boolean,
  palette: Palette,
): readonly string[] {
  const meaning = meaningOf(operation);
  const told = {
    mark: meaning.mark,
    summary: meaning.summary(operation),
    disturbs: disruptionText(operation),
  };
  return [
    `    ${operationLine(told, palette)}`,
    ...(showCommands ? [palette.faint(`        ${printable(commandLine(command))}`)] : []),
  ];
}

/** Operations by network, each network's in the order of execution; nothing where there are none. */
export function operationSection(
  operations: readonly PlannedOperation[],
  showCommands: boolean,
  palette: Palette,
): readonly string[] {
  if (operations.length === 0) return [];
  const groups = groupBy([...operations].sort(by(rankOf)), rankOf);
  return [
    palette.heading('  OPERATIONS'),
    ...[...groups.values()].flatMap((group) => [
      ...group.slice(0, 1).map((first) => `  ${printable(groupOf(first))}`),
      ...group.flatMap((planned) => operationLines(planned, showCommands, palette)),
    ]),
  ];
}

/** What is to be done on a node, in a line; `only` names the networks that were asked for, if not all were. */
export function operationSummary(
  node: string,
  planned: readonly PlannedOperation[],
  only: readonly string[] | undefined,
): string {
  const operations = planned.map(({ operation }) => operation);
  const whose = only === undefined ? '' : ` for ${only.join(', ')}`;
  if (operations.length === 0) return `Nothing to do${whose} on ${node}.`;
  const count = (mark: Mark) => operations.filter((operation) => meaningOf(operation).mark === mark).length;
  const counts = `${count('+')} to add, ${count('~')} to change, ${count('-')} to remove on ${node}`;
  return `${[`Plan${whose}: ${counts}`, ...disruptionSummary(operations)].join('; ')}.`;
}
