import type { NodeAnnotations, NodeReportObject } from '../domain/plan/registration/node-registration.ts';
import type { ApplyResult } from './apply-result.ts';

/** Writes of an agent about its own node. Nothing rejects. */
export interface RegistrationStore {
  /**
   * Stores the report of the node as a whole. Fails if it was changed at the same time. Readings have it not before all claims of ids that were stored
   * before it: who sees it may use what the claims say.
   */
  storeReport(report: NodeReportObject): Promise<ApplyResult>;
  /** Annotates the Node. Changes nothing and fails if another program has set other values, or if the Node was deleted and created again. */
  annotateNode(annotations: NodeAnnotations): Promise<ApplyResult>;
}
