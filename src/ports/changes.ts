/** Listeners of changes. */
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

/** A source of changes. It calls a listener after each change, until the returned function is called. */
interface Changing {
  onChange(listener: () => void): () => void;
}

/**
 * Evaluates a condition, and again after each change of a source, until it holds. A change during an evaluation is not missed.
 *
 * @param evaluate returns undefined while the condition does not hold
 * @param milliseconds to wait at most
 * @returns what was evaluated; undefined when the time is over or the signal is aborted. Rejects if an evaluation does.
 */
export async function awaited<Value>(
  sources: readonly Changing[],
  evaluate: () => Promise<Value | undefined>,
  milliseconds: number,
  signal: AbortSignal,
): Promise<Value | undefined> {
  // The timer is not compared with a clock: it may fire up to a millisecond early, and would not fire again.
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
      const value = await evaluate();
      if (value !== undefined || end.aborted) return value;
      await next.promise;
    }
  } finally {
    for (const stop of stops) stop();
    clearTimeout(timer);
  }
}
