import type { ObjectWarning } from '../domain/api/object-warning.ts';
import type { ObjectWarnings } from '../ports/cluster/object-warnings.ts';

const textOf = ({ kind, namespace, name, uid, reason, message }: ObjectWarning): string =>
  JSON.stringify([kind, namespace, name, uid, reason, message]);

/** Gives each warning once as long as it stands, and again where it comes back. After a restart all that stand are given again. */
export class StandingWarnings {
  readonly #warnings: ObjectWarnings;
  #given: ReadonlySet<string> = new Set();

  constructor(warnings: ObjectWarnings) {
    this.#warnings = warnings;
  }

  /** Takes all warnings that stand now. */
  take(standing: readonly ObjectWarning[]): void {
    const present = new Map(standing.map((warning) => [textOf(warning), warning]));
    for (const [text, warning] of present) if (!this.#given.has(text)) this.#warnings.warn(warning);
    this.#given = new Set(present.keys());
  }
}
