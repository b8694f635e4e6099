import type { AdmissionReport, ControllerAccess } from '../../ports/cluster/controller-access.ts';

/** In milliseconds. */
interface AdmissionTiming {
  /** After which ovn-controller gets access though ports are missing: one that never comes must not keep all others from changes. */
  readonly patience: number;
  /** Between two looks, while ports are missing. */
  readonly interval: number;
  /** After which a failed look or a failed attempt to give access is repeated. */
  readonly retry: number;
}

const USUAL_TIMING: AdmissionTiming = { patience: 60_000, interval: 500, retry: 2000 };

/** Gives ovn-controller access to a new Southbound database once the loop of the node and its pods' ports have written everything there. */
export class ControllerAdmission {
  readonly #access: ControllerAccess;
  readonly #report: (report: AdmissionReport) => void;
  readonly #timing: AdmissionTiming;
  #timer: NodeJS.Timeout | undefined;
  #withheldSince: number | undefined;
  #isLooking = false;
  /** The error that was reported last, since something succeeded. */
  #lastError = '';

  constructor(access: ControllerAccess, report: (report: AdmissionReport) => void, timing = USUAL_TIMING) {
    this.#access = access;
    this.#report = report;
    this.#timing = timing;
  }

  /** Takes a report of the loop: once it has settled, everything of it is written. */
  take({ kind }: { readonly kind: string }): void {
    if (kind === 'settled') void this.#look();
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    clearTimeout(this.#timer);
    try {
      const state = await this.#access.state();
      // The database may be another one afterwards.
      if (state.kind !== 'withheld' || state.isNew) this.#withheldSince = undefined;
      if (state.kind === 'unknown') this.#failed(state.error);
      else if (state.kind === 'given' || state.isNew) this.#lastError = '';
      else await this.#admit(state.missing);
    } catch (error) {
      this.#failed(error instanceof Error ? error.message : String(error));
    } finally {
      this.#isLooking = false;
    }
  }

  async #admit(missing: readonly string[]): Promise<void> {
    const now = performance.now();
    this.#withheldSince ??= now;
    if (missing.length > 0 && now - this.#withheldSince < this.#timing.patience) {
      this.#lookAfter(this.#timing.interval);
      return;
    }
    const result = await this.#access.give();
    if (!result.done) {
      this.#failed(result.error);
      return;
    }
    [this.#withheldSince, this.#lastError] = [undefined, ''];
    this.#report(missing.length > 0 ? { kind: 'given-incomplete', missing } : { kind: 'given' });
  }

  #failed(error: string): void {
    if (error !== this.#lastError) this.#report({ kind: 'failed', error });
    this.#lastError = error;
    // ovn-controller changes nothing until it is given, and the loop may settle again a minute later only.
    this.#lookAfter(this.#timing.retry);
  }

  #lookAfter(milliseconds: number): void {
    this.#timer = setTimeout(() => void this.#look(), milliseconds).unref();
  }
}
