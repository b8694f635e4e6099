import type { NodePlan } from '../../domain/index.ts';
import { type PlannedFlow, plannedFlows } from '../../domain/explanation/preview/planned-datapath.ts';
import { flowKey } from '../../domain/datapath/openflow/flow-entry.ts';
import type { Palette } from './terminal.ts';
import { cutRows, printable, textTable } from './text-table.ts';

/** Which flows are shown. */
export interface FlowSelection {
  /** Names of bridges; all if absent. */
  readonly bridges?: readonly string[] | undefined;
  readonly isWanted: (network: string) => boolean;
}

/** The number of packets that flows have matched, by bridge, then by table, priority and match as in `flowKey`. */
export type PacketCounts = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** The number of packets that a flow has matched; empty if packets were not counted. */
function packetCell({ flow }: PlannedFlow, packets: PacketCounts | undefined): readonly string[] {
  if (packets === undefined) return [];
  return [String(packets.get(flow.bridge)?.get(flowKey(flow)) ?? '–')];
}

function cells(planned: PlannedFlow, packets: PacketCounts | undefined): readonly string[] {
  const {
    flow: { table, priority, match, actions },
    why,
  } = planned;
  return [
    ...packetCell(planned, packets),
    String(table),
    String(priority),
    printable(match === '' ? 'any' : match),
    printable(why),
    printable(actions),
  ];
}

/**
 * The flows of a node's bridges, a table for each bridge, as wide as the terminal: what is too long is cut.
 *
 * @param packets that each flow has matched; absent to leave out the column
 */
export function flowSections(
  plan: NodePlan,
  { bridges, isWanted }: FlowSelection,
  palette: Palette,
  packets?: PacketCounts,
): readonly (readonly string[])[] {
  return [...plannedFlows(plan)]
    .filter(([bridge]) => bridges === undefined || bridges.includes(bridge))
    .flatMap(([bridge, flows]) => {
      const shown = flows.filter(({ networks }) => networks.length === 0 || networks.some(isWanted));
      if (shown.length === 0) return [];
      const rows = [
        [...(packets === undefined ? [] : ['PACKETS']), 'TABLE', 'PRIORITY', 'MATCH', 'WHY', 'ACTIONS'],
        ...shown.map((flow) => cells(flow, packets)),
      ];
      return [
        [
          palette.heading(`Flows of bridge ${bridge} on ${plan.nodeName}`),
          ...textTable(palette.columns === undefined ? rows : cutRows(rows, palette.columns)),
        ],
      ];
    });
}
