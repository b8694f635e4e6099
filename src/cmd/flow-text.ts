import type { NodePlan } from '../domain/index.ts';
import { type PlannedFlow, plannedFlows } from '../domain/preview/planned-datapath.ts';
import type { Palette } from './terminal.ts';
import { printable, textTable } from './text-table.ts';

/** Which flows are shown. */
export interface FlowSelection {
  /** Names of bridges; all if absent. */
  readonly bridges?: readonly string[] | undefined;
  readonly isWanted: (network: string) => boolean;
}

function cells({ flow: { table, priority, match, actions }, why }: PlannedFlow, palette: Palette): readonly string[] {
  return [
    String(table),
    String(priority),
    printable(match === '' ? 'any' : match),
    printable(actions),
    palette.faint(why),
  ];
}

/** The flows of a node's bridges, a table for each bridge. */
export function flowSections(
  plan: NodePlan,
  { bridges, isWanted }: FlowSelection,
  palette: Palette,
): readonly (readonly string[])[] {
  return [...plannedFlows(plan)]
    .filter(([bridge]) => bridges === undefined || bridges.includes(bridge))
    .flatMap(([bridge, flows]) => {
      const shown = flows.filter(({ networks }) => networks.length === 0 || networks.some(isWanted));
      if (shown.length === 0) return [];
      return [
        [
          palette.heading(printable(`Flows of bridge ${bridge} on ${plan.nodeName}`)),
          ...textTable([
            ['TABLE', 'PRIORITY', 'MATCH', 'ACTIONS', 'WHY'],
            ...shown.map((flow) => cells(flow, palette)),
          ]),
        ],
      ];
    });
}
