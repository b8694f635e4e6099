import { lazyByObject } from '../../domain/basics/incremental/by-identity.ts';
import { flowKey } from '../../domain/datapath/openflow/flow-entry.ts';
import type { EntityOperation } from '../../domain/entities/operations/operation.ts';
import type { BridgeFlow } from '../../domain/snapshot/datapath.ts';
import type { TranslatedSource } from '../vswitchd-control/tracked-connections.ts';

/** Matches actions that commit connections with a source. */
const TRANSLATION = /\bzone=(\d+),nat\(src=([^)]+)\)/g;

const sourcesIn = lazyByObject(({ actions }: BridgeFlow): readonly TranslatedSource[] =>
  [...actions.matchAll(TRANSLATION)].map(([, zone = '', address = '']) => ({ zone, address })),
);

const textOf = ({ zone, address }: TranslatedSource) => `${zone} ${address}`;

/** Whether a flow translates an address to itself, as those of the host's own connections do. */
function isFrom({ match }: BridgeFlow, address: string): boolean {
  return match.split(',').some((word) => word === `nw_src=${address}` || word === `ipv6_src=${address}`);
}

type FlowOperation = EntityOperation<'flow'>;

/** The translated sources of a bridge's connections: a connection keeps the one that it began with, even if flows change. */
export class TranslatedSources {
  #byFlow: ReadonlyMap<string, readonly TranslatedSource[]> = new Map();
  #flows: readonly BridgeFlow[] | undefined;

  /** Sets the flows as they were read. */
  read(flows: readonly BridgeFlow[]): void {
    if (this.#flows === flows) return;
    this.#flows = flows;
    const entries = flows.map((flow) => [flowKey(flow), sourcesIn(flow)] as const);
    this.#byFlow = new Map(entries.filter(([, sources]) => sources.length > 0));
  }

  /**
   * Those of some changes that have to come after the connections with their sources have ended: the removals of flows by which an agent that is started
   * again recognises that these connections may be there. Only the host's own packets match such a flow.
   */
  lastOf(changes: readonly FlowOperation[]): readonly FlowOperation[] {
    const after = sourcesOf(this.#after(changes));
    return changes.filter(
      ({ verb, entity: { flow } }) =>
        verb === 'remove' &&
        sourcesIn(flow).some((source) => !after.has(textOf(source)) && isFrom(flow, source.address)),
    );
  }

  /** The sources that no flow has any more after some changes. */
  endedBy(changes: readonly FlowOperation[]): readonly TranslatedSource[] {
    const after = sourcesOf(this.#after(changes));
    return [...sourcesOf(this.#byFlow)].flatMap(([text, source]) => (after.has(text) ? [] : [source]));
  }

  /** Applies changes. */
  changed(changes: readonly FlowOperation[]): void {
    this.#byFlow = this.#after(changes);
    this.#flows = undefined;
  }

  #after(changes: readonly FlowOperation[]): ReadonlyMap<string, readonly TranslatedSource[]> {
    const byFlow = new Map(this.#byFlow);
    for (const { verb, entity } of changes) {
      byFlow.set(flowKey(entity.flow), verb === 'remove' ? [] : sourcesIn(entity.flow));
    }
    return byFlow;
  }
}

/** All sources, by their texts. */
function sourcesOf(byFlow: ReadonlyMap<string, readonly TranslatedSource[]>): ReadonlyMap<string, TranslatedSource> {
  return new Map([...byFlow.values()].flat().map((source) => [textOf(source), source]));
}
