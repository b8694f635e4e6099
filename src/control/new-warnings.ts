import { describeProblem, type InputProblem } from '../ports/input-problem.ts';

/** Something that objects are read from. */
interface WarningSource {
  readonly warnings: readonly InputProblem[];
}

/** Reports texts, each once as long as it is among them. @returns a function that takes those that there are */
export function newTexts(report: (text: string) => void): (texts: Iterable<string>) => void {
  let reported: ReadonlySet<string> = new Set();
  return (texts) => {
    const present = new Set(texts);
    for (const text of present) if (!reported.has(text)) report(text);
    reported = present;
  };
}

/** Reports problems of objects, each once as long as it lasts. @returns a function to be called after changes */
export function newWarnings(source: WarningSource, report: (text: string) => void): () => void {
  const take = newTexts(report);
  return () => take(source.warnings.map(describeProblem));
}
