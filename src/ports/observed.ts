/** Something of the outside that is read again and again, and tells when that may be worth it. */
export interface Observed<Value> {
  /** What it is like now; either all of it is usable or every problem comes back. Never rejects. */
  read(): Promise<Value>;
  /**
   * Has a listener called whenever something of it may have changed since it was read last, or may be readable again after it was not: too
   * often rather than too seldom. One listener; it must not throw.
   */
  onChange(listener: () => void): void;
  /** Ends everything that was started for it. What is under way ends with a problem. Never rejects. */
  close(): Promise<void>;
}
