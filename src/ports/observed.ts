/** A source that is read again and again, and reports when it may have changed. */
export interface Observed<Value> {
  /** Reads its present value: either all of it is usable, or every problem is returned. Never rejects. */
  read(): Promise<Value>;
  /**
   * Calls a listener whenever it may have changed since it was read last, or may be readable again: too often rather than too seldom. One
   * listener; it must not throw.
   */
  onChange(listener: () => void): void;
  /** Ends everything that was started for it; pending reads fail. Never rejects. */
  close(): Promise<void>;
}
