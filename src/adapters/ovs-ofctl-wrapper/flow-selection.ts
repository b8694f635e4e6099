/** Which flows of a bridge are read again: `ovs-ofctl dump-flows` selects by table, or by a port that flows match or output to. */
import { flowKey } from '../../domain/datapath/openflow/flow-entry.ts';
import type { BridgeFlow } from '../../domain/snapshot/datapath.ts';
import type { Bridge } from '../../domain/snapshot/node-snapshot.ts';
import { portNumbers } from './port-numbers.ts';

/** Arguments of `ovs-ofctl dump-flows` that select flows (ovs-ofctl(8), Flow Syntax). */
export type Selection = `table=${number}` | `in_port=${string}` | `out_port=${string}`;

/** Maximum number of selections: each takes a program, and one program reads all flows. */
const MOST_SELECTIONS = 2;

const OUTPUT = /(?:^|,)output:([^,]+)/;
const IN_PORT = /\bin_port=([^,]+)/;

/** The narrowest selection that has a flow: what a network is changed by are flows from its port, and to it. */
function selectionOf({ table, match, actions }: BridgeFlow, bridge: Bridge): Selection {
  const { numbersOfWords } = portNumbers(bridge);
  const numberOf = (pattern: RegExp, text: string) => numbersOfWords.get(pattern.exec(text)?.[1] ?? '');
  const [output, input] = [numberOf(OUTPUT, actions), numberOf(IN_PORT, match)];
  if (output !== undefined) return `out_port=${output}`;
  return input === undefined ? `table=${table}` : `in_port=${input}`;
}

/** Flows that have to be read again. */
export class OutdatedFlows {
  readonly #tables = new Set<number>();
  /** By key. */
  readonly #flows = new Map<string, BridgeFlow>();

  addTables(tables: Iterable<number>): void {
    for (const table of tables) this.#tables.add(table);
  }

  addFlows(flows: readonly BridgeFlow[]): void {
    for (const flow of flows) this.#flows.set(flowKey(flow), flow);
  }

  /** Whether a flow that was read before may be another one now. */
  readonly has = (flow: BridgeFlow): boolean => this.#tables.has(flow.table) || this.#flows.has(flowKey(flow));

  /** The selections to read, none if nothing is outdated; undefined if there are so many that everything is read. */
  selections(bridge: Bridge): readonly Selection[] | undefined {
    const tables = [...this.#tables].map((table): Selection => `table=${table}`);
    const others = [...this.#flows.values()].filter(({ table }) => !this.#tables.has(table));
    const narrow = new Set([...tables, ...others.map((flow) => selectionOf(flow, bridge))]);
    if (narrow.size <= MOST_SELECTIONS) return [...narrow];
    const wide = new Set([...tables, ...others.map(({ table }): Selection => `table=${table}`)]);
    return wide.size <= MOST_SELECTIONS ? [...wide] : undefined;
  }
}
