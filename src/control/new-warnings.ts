import { describeProblem, type InputProblem } from '../ports/input-problem.ts';

/** Something that objects are read from. */
interface WarningSource {
  readonly warnings: readonly InputProblem[];
}

/** Reports problems of objects, each once as long as it lasts. @returns a function to be called after changes */
export function newWarnings(source: WarningSource, report: (text: string) => void): () => void {
  let reported: ReadonlySet<string> = new Set();
  return () => {
    const present = new Set(source.warnings.map(describeProblem));
    for (const text of present) if (!reported.has(text)) report(text);
    reported = present;
  };
}
