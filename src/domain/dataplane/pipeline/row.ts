import type { BridgeInput, NeighbourInput, NetworkInput, UplinkInput } from './bridge-input.ts';
import type { TableName } from './tables.ts';
import type { MatchAndActions } from './words.ts';

/** What there are flows of a row for, one by one. */
export interface Scopes {
  readonly bridge: { readonly bridge: Omit<BridgeInput, 'uplinks'> };
  /** Not its neighbours and networks, which have flows of their own: those of the others stay as they are when one changes. */
  readonly uplink: Scopes['bridge'] & { readonly uplink: Omit<UplinkInput, 'neighbours' | 'networks'> };
  readonly neighbour: Scopes['uplink'] & { readonly neighbour: NeighbourInput };
  readonly network: Scopes['uplink'] & { readonly network: NetworkInput };
}

export type ScopeName = keyof Scopes;

/** A row of the pipeline: what is true of all its flows, and the flows that it has for one bridge, uplink, neighbour or network. */
export interface Row<Scope extends ScopeName> {
  readonly table: TableName;
  readonly priority: number;
  /** Where there are flows of it, in words; left out, always. */
  readonly when?: string;
  /** Why it is there, for people. */
  readonly why: string;
  flows(this: void, scope: Scopes[Scope]): readonly MatchAndActions[];
}
