/**
 * A pause of a flow monitor: after many changes at once the switch reports the rest only once those before have been received, and says then that it has
 * reported everything (nicira-ext.h, "Buffering").
 */
export class MonitorPause {
  readonly #deadline: number;
  readonly #onDeadline: () => void;
  #current: (PromiseWithResolvers<unknown> & { readonly timer: NodeJS.Timeout }) | undefined;

  /**
   * @param deadline milliseconds of a pause
   * @param onDeadline called when it has taken longer: then changes are unknown
   */
  constructor(deadline: number, onDeadline: () => void) {
    this.#deadline = deadline;
    this.#onDeadline = onDeadline;
  }

  begin(): void {
    this.end();
    const timer = setTimeout(() => {
      this.end();
      this.#onDeadline();
    }, this.#deadline);
    this.#current = { ...Promise.withResolvers<unknown>(), timer };
  }

  end(): void {
    clearTimeout(this.#current?.timer);
    this.#current?.resolve(undefined);
    this.#current = undefined;
  }

  /** Resolves at the end of the pause, or at once where there is none. Never rejects. */
  async over(): Promise<void> {
    await this.#current?.promise;
  }
}
