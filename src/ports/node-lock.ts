/** Whether the lock was acquired. */
export type Locked =
  | { readonly locked: true; /** Releases it, as the end of the process does. */ release(): void }
  | {
      readonly locked: false;
      /** Who holds it, as it completes "… runs on this node already"; or why that is not known. */
      readonly holder: string;
    };

/** Keeps a second agent from running on a node: two would undo each other's work. */
export interface NodeLock {
  /** Never rejects, and does not wait for the holder. */
  acquire(): Promise<Locked>;
}
