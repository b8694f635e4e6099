/** A source that reports when it may have changed. `Change`: the arguments of a notification, if any. */
export interface Observed<Value, Change extends readonly unknown[] = []> {
  /** Reads the current value, or returns every problem. Never rejects. */
  read(): Promise<Value>;
  /**
   * Calls a listener whenever the value may have changed since the last read, or may be readable again; may call it too often. One listener; it must
   * not throw.
   */
  onChange(listener: (...change: Change) => void): void;
  /** Releases all resources; pending reads fail. Never rejects. */
  close(): Promise<void>;
}
