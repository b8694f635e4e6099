/**
 * Operations as text, by network.
 */
import { nameOfNetwork } from '../../domain/network/key.ts';
import type { Command } from '../../domain/entities/command.ts';
import { commandLine } from '../../adapters/capture/layout.ts';
import { counted } from '../../domain/basics/names/counted.ts';
import { disruptionText, semanticsOf, type PlannedOperation } from '../../domain/index.ts';
import { groupBy } from '../../domain/basics/names/grouping.ts';
import { by } from '../../domain/basics/names/ordering.ts';
import type { Mark } from '../../domain/entities/entity-kind.ts';
import { disruptionSummary } from '../../domain/status/operation-text.ts';
import type { Palette } from './terminal.ts';
import { printable } from './text-table.ts';

/** A coloured mark. */
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

/** The heading of an operation's group. */
function groupOf({ operation: { networks } }: PlannedOperation): string {
  if (networks.length === 0) return 'left over';
  const names = networks.map(nameOfNetwork);
  return names.length === 1 ? names.join('') : `shared by ${names.join(', ')}`;
}

/** Networks first, then shared operations, then those without a network. */
function rankOf({ operation: { networks } }: PlannedOperation): string {
  if (networks.length === 0) return '3';
  return `${networks.length === 1 ? '1' : '2'} ${networks.join(' ')}`;
}

/** The printed part of an operation. */
interface PrintedOperation {
  readonly mark: Mark;
  readonly summary: string;
  readonly disturbs?: string | undefined;
}

/** An operation in a line: mark, summary and disruption. */
export function operationLine({ mark, summary, disturbs }: PrintedOperation, palette: Palette): string {
  const shown = `${markText(mark, palette)} ${printable(summary)}`;
  return disturbs === undefined ? shown : `${shown} ${palette.changed(`(${disturbs})`)}`;
}

/** The lines to type for a command. ovsdb-client exits with status 0 if a transaction fails, and only prints the error (ovsdb-client(1)). */
function commandLines({ program, first, arguments: words }: Command): readonly string[] {
  const line = commandLine({ program, arguments: words });
  if (program === 'ovsdb-client') return [`${line} | grep -v '"error"'`];
  return first === undefined ? [line] : [commandLine({ program, arguments: first }), line];
}

function operationLines(
  { operation, command }: PlannedOperation,
  showCommands: boolean,
  palette: Palette,
): readonly string[] {
  const semantics = semanticsOf(operation);
  const shown = {
    mark: semantics.mark,
    summary: semantics.summary(operation),
    disturbs: disruptionText(operation),
  };
  return [
    `    ${operationLine(shown, palette)}`,
    ...(showCommands && command !== undefined
      ? commandLines(command).map((line) => palette.faint(`        ${line}`))
      : []),
  ];
}

/** Consecutive operations for the same networks. */
function runs(operations: readonly PlannedOperation[]): readonly (readonly PlannedOperation[])[] {
  const all: PlannedOperation[][] = [];
  for (const planned of operations) {
    const last = all.at(-1);
    if (last?.[0] !== undefined && rankOf(last[0]) === rankOf(planned)) last.push(planned);
    else all.push([planned]);
  }
  return all;
}

/**
 * Operations by network, each in the order of execution. With commands all are in the order of execution: some depend on operations for other networks.
 */
export function operationSection(
  operations: readonly PlannedOperation[],
  showCommands: boolean,
  palette: Palette,
): readonly string[] {
  if (operations.length === 0) return [];
  const groups = showCommands ? runs(operations) : [...groupBy([...operations].sort(by(rankOf)), rankOf).values()];
  return [
    palette.heading('  OPERATIONS'),
    ...groups.flatMap((group) => [
      ...group.slice(0, 1).map((first) => `  ${printable(groupOf(first))}`),
      ...group.flatMap((planned) => operationLines(planned, showCommands, palette)),
    ]),
  ];
}

/** The planned operations of a node, in a line; `only` lists the selected networks, if not all. */
export function operationSummary(
  node: string,
  planned: readonly PlannedOperation[],
  only: readonly string[] | undefined,
): string {
  const operations = planned.map(({ operation }) => operation);
  const whose = only === undefined ? '' : ` for ${only.join(', ')}`;
  if (operations.length === 0) return `Nothing to do${whose} on ${node}.`;
  const count = (mark: Mark) => operations.filter((operation) => semanticsOf(operation).mark === mark).length;
  const counts = `${count('+')} to add, ${count('~')} to change, ${count('-')} to remove on ${node}`;
  return `${[`Plan${whose}: ${counts}`, ...disruptionSummary(operations)].join('; ')}.`;
}

/** The planned writes to cluster objects, in a line. */
export function objectSummary(count: number): string {
  if (count === 0) return 'No object to write.';
  return `${counted(count, 'object')} to write.`;
}
