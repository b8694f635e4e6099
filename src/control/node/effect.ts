import type { Ledger } from '../../domain/snapshot/ledger.ts';
import type { Bridge } from '../../domain/snapshot/node-snapshot.ts';
import type { Operation } from '../../domain/entities/operations/operation.ts';
import type { NodeReport } from '../../ports/node/node-report.ts';
import type { PlannedWrite } from '../../domain/objects/planned-write.ts';
import type { NodePart } from './observation/node-part.ts';

/** Writes to the cluster. */
export interface Publication {
  /** The report of the node and annotations of its Node, which are written first. */
  readonly registration: readonly PlannedWrite[];
  readonly states: readonly PlannedWrite[];
}

/** An effect, run by `NodeLoop`. Its result, if any, comes back as an event. */
export type Effect =
  /** Reads the cluster and parts of the node, the others being as they were read last; results in `observed` with the same number. */
  | { readonly do: 'observe'; readonly observation: number; readonly parts: ReadonlySet<NodePart> }
  /** Writes the ledger, if given, then applies the operation; results in `applied` with the number of its plan. */
  | {
      readonly do: 'apply';
      readonly plan: number;
      readonly operation: Operation;
      readonly ledger?: Ledger;
      /** As last observed, for the numbers of ports. */
      readonly bridges: readonly Bridge[];
    }
  | { readonly do: 'write-ledger'; readonly ledger: Ledger }
  /** Writes states and the registration of the node; results in `published`. */
  | { readonly do: 'publish'; readonly publication: Publication }
  /** Sends `alarm` at a time; replaces the previous alarm. */
  | { readonly do: 'set-alarm'; readonly at: number }
  | { readonly do: 'report'; readonly report: NodeReport }
  /** The last effect. */
  | { readonly do: 'finish'; readonly isDone: boolean };
