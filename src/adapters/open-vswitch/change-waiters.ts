/** Those who wait for the next change of something. */
export class ChangeWaiters {
  readonly #waiting = new Set<() => void>();

  /** Reports a change: everybody who waits continues. */
  notify(): void {
    for (const go of this.#waiting) go();
  }

  /** Resolves with the next change, after some milliseconds, or once it is aborted. Never rejects. */
  async next(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const go = (): void => resolve(undefined);
    const timer = setTimeout(go, milliseconds);
    this.#waiting.add(go);
    signal.addEventListener('abort', go);
    await promise;
    this.#waiting.delete(go);
    clearTimeout(timer);
    signal.removeEventListener('abort', go);
  }
}
