/** What came of asking for the lock. */
export type Locked =
  | { readonly locked: true; /** Gives it back; the end of the process does so as well. */ release(): void }
  | {
      readonly locked: false;
      /** Who has it, as it completes "… runs on this node already"; or why that is not known. */
      readonly holder: string;
    };

/** That there is one agent a node: two would undo each other's work. */
export interface NodeLock {
  /** Never rejects, and waits for nobody. */
  acquire(): Promise<Locked>;
}
