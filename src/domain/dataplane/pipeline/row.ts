import type { Action, Match } from '../../datapath/openflow/flow.ts';
import type {
  BridgeInput,
  ExposedAddress,
  ExposedPort,
  NeighbourInput,
  NetworkInput,
  UplinkInput,
} from './bridge-input.ts';
import type { TableName } from './tables.ts';

/** The subjects that a row has flows for: the bridge, or each uplink, neighbour or network. */
export interface Scopes {
  readonly bridge: { readonly bridge: Omit<BridgeInput, 'uplinks'> };
  /** Without neighbours and networks, which have flows of their own: a change of one changes no flow of another. */
  readonly uplink: Scopes['bridge'] & { readonly uplink: Omit<UplinkInput, 'neighbours' | 'networks'> };
  readonly neighbour: Scopes['uplink'] & { readonly neighbour: NeighbourInput };
  readonly network: Scopes['uplink'] & { readonly network: NetworkInput };
}

/** The subjects that a row for Services has flows for: a bridge or a network with an exposed port, or each address of such ports, or each port. */
export interface ExposedScopes {
  readonly bridge: Scopes['bridge'];
  readonly network: Scopes['network'];
  readonly address: Scopes['network'] & { readonly address: ExposedAddress };
  readonly port: Scopes['network'] & { readonly port: ExposedPort };
}

/** The match and the actions of a flow of a row. */
export interface MatchAndActions {
  readonly match: Match;
  readonly actions: readonly Action[];
}

export type ScopeName = keyof Scopes;

/** A row of the pipeline: what its flows have in common, and the flows for one subject. */
export interface Row<Scope> {
  readonly table: TableName;
  readonly priority: number;
  /** The condition under which it has flows, for people; absent where it always has. */
  readonly when?: string;
  /** Why it is there, for people. */
  readonly why: string;
  flows(this: void, scope: Scope): readonly MatchAndActions[];
}

/** A row of a bridge that carries networks. */
export type PipelineRow<Scope extends ScopeName> = Row<Scopes[Scope]>;

/** A row of a bridge by which Services are reached. */
export type ExposedRow<Scope extends keyof ExposedScopes> = Row<ExposedScopes[Scope]>;
