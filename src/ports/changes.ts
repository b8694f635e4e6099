/** Tells listeners of changes of something. */
export class Changes {
  readonly #listeners = new Set<() => void>();

  /** Calls a listener after each change, until the function that is returned is called. It must not throw. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves after the next change, and after some milliseconds at most. */
  async next(milliseconds: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const go = (): void => resolve(undefined);
    const stop = this.listen(go);
    const timer = setTimeout(go, milliseconds);
    await promise;
    stop();
    clearTimeout(timer);
  }

  /** Reports a change. */
  notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** Something that tells of its changes, until the function that is returned is called. */
interface Changing {
  onChange(listener: () => void): () => void;
}

/**
 * Looks at changing things until something has come of it. No change is missed, also not one during a look.
 *
 * @param look undefined if it is too early
 * @returns undefined after some milliseconds, and once the signal is aborted. Rejects if a look does.
 */
export async function awaited<Value>(
  sources: readonly Changing[],
  look: () => Promise<Value | undefined>,
  milliseconds: number,
  signal: AbortSignal,
): Promise<Value | undefined> {
  // No clock is asked: a timer may fire up to a millisecond early, and would not fire again.
  const time = new AbortController();
  const timer = setTimeout(() => time.abort(), milliseconds);
  const end = AbortSignal.any([signal, time.signal]);
  let next = Promise.withResolvers<undefined>();
  const go = (): void => next.resolve(undefined);
  const stops = sources.map((source) => source.onChange(go));
  end.addEventListener('abort', go);
  try {
    for (;;) {
      next = Promise.withResolvers();
      const value = await look();
      if (value !== undefined || end.aborted) return value;
      await next.promise;
    }
  } finally {
    for (const stop of stops) stop();
    clearTimeout(timer);
  }
}
