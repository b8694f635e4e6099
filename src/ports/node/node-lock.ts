/** Whether the lock was acquired. */
export type Locked =
  | { readonly locked: true; /** Releases it, as exiting does. */ release(): void }
  | {
      readonly locked: false;
      /** The holder, completing "… runs on this node already"; or why it is unknown. */
      readonly holder: string;
    };

/** Prevents a second agent on a node: two would undo each other's changes. */
export interface NodeLock {
  /** Never rejects, and does not wait for the holder. */
  acquire(): Promise<Locked>;
}
