import { lazyByObject } from '../../domain/lazy.ts';
import { flowKey } from '../../domain/openflow/flow-entry.ts';
import type { EntityOperation } from '../../domain/operations/operation.ts';
import type { BridgeFlow } from '../../domain/snapshot/datapath.ts';

/** An address that connections get as their source (ovs-actions(7), ct, nat). */
export interface TranslatedSource {
  /** Of conntrack, that the connections are in. */
  readonly zone: string;
  readonly address: string;
}

/** Connections that are committed with a source, in actions as flows are read. */
const TRANSLATION = /\bzone=(\d+),nat\(src=([^)]+)\)/g;

const sourcesIn = lazyByObject(({ actions }: BridgeFlow): readonly TranslatedSource[] =>
  [...actions.matchAll(TRANSLATION)].map(([, zone = '', address = '']) => ({ zone, address })),
);

const textOf = ({ zone, address }: TranslatedSource) => `${zone} ${address}`;

/** The sources of connections of a bridge: a connection keeps the one that it began with, whatever flows say later. */
export class TranslatedSources {
  readonly #byFlow = new Map<string, readonly TranslatedSource[]>();
  #flows: readonly BridgeFlow[] | undefined;

  /** Takes flows as they were read. */
  read(flows: readonly BridgeFlow[]): void {
    if (this.#flows === flows) return;
    this.#flows = flows;
    this.#byFlow.clear();
    for (const flow of flows) this.#set(flow);
  }

  /** Takes changes that were made, and returns the sources that no flow has any more. */
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
