/** The laws, by the numbers of docs/laws.md where they have one. */
export type LawName =
  | '1 pure'
  | '2 converges'
  | '3 owns only its own'
  | '4 isolated'
  | '5 symmetric'
  | '6 reversible'
  | '7 crash-safe'
  | '8 no bounce'
  | '9 history-free'
  | 'inverse'
  | 'recovers'
  | 'reachable'
  | 'filtered'
  | 'translated'
  | 'one way out'
  | 'one mirror'
  | 'source kept'
  | 'confined'
  | 'chosen'
  | 'local cost'
  | 'fails static'
  | 'separate';

/** An engine broke a law. The message says which law, and what was found. */
export class LawViolation extends Error {
  override readonly name = 'LawViolation';
  readonly law: LawName;

  constructor(law: LawName, found: string) {
    super(`law "${law}" is broken: ${found}`);
    this.law = law;
  }
}

/** Whether two values are the same as JSON, byte for byte. */
export function isSame(left: unknown, right: unknown): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right);
}

/** Throws unless two values are the same as JSON, byte for byte. */
export function assertSame(law: LawName, what: string, left: unknown, right: unknown): void {
  if (isSame(left, right)) return;
  const linesOf = (value: unknown) => (JSON.stringify(value, null, 1) as string | undefined)?.split('\n') ?? [];
  const [leftLines, rightLines] = [linesOf(left), linesOf(right)];
  const differs = (index: number) => leftLines[index] !== rightLines[index];
  const at = [...leftLines, ...rightLines].findIndex((_line, index) => differs(index));
  const excerpt = (lines: readonly string[]) => lines.slice(Math.max(0, at - 3), at + 3).join('\n');
  throw new LawViolation(
    law,
    `${what} differ from line ${at + 1} on:\n${excerpt(leftLines)}\n--- and ---\n${excerpt(rightLines)}`,
  );
}

/** Throws unless a condition holds. */
export function assertLaw(law: LawName, holds: boolean, otherwise: () => string): void {
  if (!holds) throw new LawViolation(law, otherwise());
}
