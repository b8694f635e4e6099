/** The right to act, which one of several candidates has at a time. */
export interface Leadership {
  /** Whether this candidate is the leader: to be checked before each write, as the process may have been stopped for a while. */
  readonly isLeader: boolean;
  /** Waits until this candidate has it; resolves to false where it was released meanwhile. May be called again after a loss. Never rejects. */
  acquire(): Promise<boolean>;
  /** Calls a listener with the reason when it is lost, before another candidate can have it. One listener; it must not throw. */
  onLost(listener: (reason: string) => void): void;
  /** Gives it up, so that another candidate has it at once, or stops waiting for it. To be called after the last write. Never rejects. */
  release(): Promise<void>;
}
