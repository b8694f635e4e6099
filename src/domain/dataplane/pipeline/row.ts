import type { Action, Match } from '../../datapath/openflow/flow.ts';
import type { BridgeInput, NeighbourInput, NetworkInput, UplinkInput } from './bridge-input.ts';
import type { TableName } from './tables.ts';

/** The subjects that a row has flows for: the bridge, or each uplink, neighbour or network. */
export interface Scopes {
  readonly bridge: { readonly bridge: Omit<BridgeInput, 'uplinks'> };
  /** Without neighbours and networks, which have flows of their own: a change of one changes no flow of another. */
  readonly uplink: Scopes['bridge'] & { readonly uplink: Omit<UplinkInput, 'neighbours' | 'networks'> };
  readonly neighbour: Scopes['uplink'] & { readonly neighbour: NeighbourInput };
  readonly network: Scopes['uplink'] & { readonly network: NetworkInput };
}

/** The match and the actions of a flow of a row. */
export interface MatchAndActions {
  readonly match: Match;
  readonly actions: readonly Action[];
}

export type ScopeName = keyof Scopes;

/** A row of the pipeline: what its flows have in common, and the flows for one bridge, uplink, neighbour or network. */
export interface PipelineRow<Scope extends ScopeName> {
  readonly table: TableName;
  readonly priority: number;
  /** The condition under which it has flows, for people; absent where it always has. */
  readonly when?: string;
  /** Why it is there, for people. */
  readonly why: string;
  flows(this: void, scope: Scopes[Scope]): readonly MatchAndActions[];
}
