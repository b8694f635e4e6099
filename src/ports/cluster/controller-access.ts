import type { ApplyResult } from '../apply-result.ts';

/** Whether ovn-controller may connect to the Southbound database. */
export type ControllerAccessState =
  | { readonly kind: 'given' }
  | {
      readonly kind: 'withheld';
      /** Whether nothing was written since the database is new. */
      readonly isNew: boolean;
      /** Ports of this node that the database does not know yet: ovn-controller would remove their flows. */
      readonly missing: readonly string[];
    }
  | { readonly kind: 'unknown'; readonly error: string };

/** The access of ovn-controller to the Southbound database of the node, which a new database withholds. */
export interface ControllerAccess {
  /** Never rejects. */
  state(): Promise<ControllerAccessState>;
  /** Gives it, for as long as this database is there. Never rejects. */
  give(): Promise<ApplyResult>;
}

/** The outcome of a change of the access of ovn-controller. */
export type AdmissionReport =
  | { readonly kind: 'given' }
  | { readonly kind: 'given-incomplete'; readonly missing: readonly string[] }
  | { readonly kind: 'failed'; readonly error: string };
