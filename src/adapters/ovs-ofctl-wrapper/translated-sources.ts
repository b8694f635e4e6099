import { lazyByObject } from '../../domain/lazy.ts';
import { flowKey } from '../../domain/openflow/flow-entry.ts';
import type { EntityOperation } from '../../domain/operations/operation.ts';
import type { BridgeFlow } from '../../domain/snapshot/datapath.ts';

/** An address to which the sources of connections are translated (ovs-actions(7), ct, nat). */
export interface TranslatedSource {
  /** The conntrack zone of the connections. */
  readonly zone: string;
  readonly address: string;
}

/** Matches actions that commit connections with a source. */
const TRANSLATION = /\bzone=(\d+),nat\(src=([^)]+)\)/g;

const sourcesIn = lazyByObject(({ actions }: BridgeFlow): readonly TranslatedSource[] =>
  [...actions.matchAll(TRANSLATION)].map(([, zone = '', address = '']) => ({ zone, address })),
);

const textOf = ({ zone, address }: TranslatedSource) => `${zone} ${address}`;

/** The translated sources of a bridge's connections: a connection keeps the one that it began with, even if flows change. */
export class TranslatedSources {
  readonly #byFlow = new Map<string, readonly TranslatedSource[]>();
  #flows: readonly BridgeFlow[] | undefined;

  /** Sets the flows as they were read. */
  read(flows: readonly BridgeFlow[]): void {
    if (this.#flows === flows) return;
    this.#flows = flows;
    this.#byFlow.clear();
    for (const flow of flows) this.#set(flow);
  }

  /** Applies changes, and returns the sources that no flow has any more. */
  changed(changes: readonly EntityOperation<'flow'>[]): readonly TranslatedSource[] {
    const before = this.#all();
    this.#flows = undefined;
    for (const { verb, entity } of changes)
      this.#set(verb === 'remove' ? { ...entity.flow, actions: '' } : entity.flow);
    const after = this.#all();
    return [...before].flatMap(([text, source]) => (after.has(text) ? [] : [source]));
  }

  #set(flow: BridgeFlow): void {
    const sources = sourcesIn(flow);
    if (sources.length === 0) this.#byFlow.delete(flowKey(flow));
    else this.#byFlow.set(flowKey(flow), sources);
  }

  #all(): ReadonlyMap<string, TranslatedSource> {
    return new Map([...this.#byFlow.values()].flat().map((source) => [textOf(source), source]));
  }
}
