/**
 * The pending writes to cluster objects, as text.
 */
import type { ClusterSnapshot, Preview } from '../../domain/index.ts';
import { objectChanges, writtenConditions } from './object-changes.ts';
import { markText } from './operation-text.ts';
import type { Palette } from './terminal.ts';
import { printable, textTable } from './text-table.ts';

const networkPrefix = 'ClusterUserDefinedNetwork/';

/** Conditions, finalizers and states that would be written: `+` new, `~` changed, `-` deleted. */
export function clusterSection(
  preview: Preview,
  before: ClusterSnapshot,
  isWanted: (network: string) => boolean,
  palette: Palette,
): readonly string[] {
  const rows = writtenConditions(preview, before).filter(
    ({ object }) => !object.startsWith(networkPrefix) || isWanted(object.slice(networkPrefix.length)),
  );
  const good = (type: string, status: string) => (type === 'Degraded') === (status === 'False');
  const table = textTable(
    [
      ['', 'OBJECT', 'TYPE', 'STATUS', 'REASON', 'MESSAGE'],
      ...rows.map(({ object, condition: { type, status, reason, message }, mark }) => {
        return [
          mark === '' ? '' : markText(mark, palette),
          printable(object),
          type,
          good(type, status) ? palette.good(status) : palette.bad(status),
          printable(reason),
          printable(message),
        ];
      }),
    ],
    palette.columns,
  );
  const changes = objectChanges(preview, before).map(({ mark, object, what }) => [
    markText(mark, palette),
    printable(object),
    printable(what),
  ]);
  const isPending = [...preview.operations.values()].some((operations) => operations.length > 0);
  const when = isPending ? 'once that is done; ' : '';
  return [
    `${palette.heading('Conditions')} ${palette.faint(`(${when}+ new, ~ changed)`)}`,
    ...table.map((line, index) => (index === 0 ? palette.heading(line) : line)),
    ...(changes.length === 0
      ? []
      : [
          '',
          `${palette.heading('Objects')} ${palette.faint('(+ new, ~ changed, - gone)')}`,
          ...textTable(changes, palette.columns),
        ]),
  ];
}
