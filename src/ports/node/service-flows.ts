import type { EntityOperation } from '../../domain/entities/operations/operation.ts';
import type { BridgeFlow } from '../../domain/snapshot/datapath.ts';
import type { ApplyResult } from '../apply-result.ts';
import type { Reading } from '../input-problem.ts';

/** The flows of uplink bridges by which Services are reached from the wire. They have a cookie of their own. */
export interface ServiceFlows {
  /** Reads those of all bridges: one that did not change is the same object. A bridge without a switch has none. Never rejects. */
  read(): Promise<Reading<readonly BridgeFlow[]>>;
  /**
   * Makes changes: those of a bridge take effect together. Those that the switch refuses, whose port has no number yet, or which would replace a flow of another program, are left out.
   * Never rejects.
   */
  apply(changes: readonly EntityOperation<'flow'>[]): Promise<ApplyResult>;
  /** Calls a listener whenever another program may have changed some, or a switch was restarted, until the function that is returned is called. */
  onChange(listener: () => void): () => void;
}
