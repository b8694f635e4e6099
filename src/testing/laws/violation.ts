/** A law that does not hold for a case. The message says which one, and what was seen. */
export class LawViolation extends Error {
  override readonly name = 'LawViolation';

  constructor(law: string, seen: string) {
    super(`law "${law}" is broken: ${seen}`);
  }
}

/** Demands that two values are the same, byte for byte, as JSON. */
export function demandSame(law: string, what: string, left: unknown, right: unknown): void {
  if (left === right || JSON.stringify(left) === JSON.stringify(right)) return;
  const linesOf = (value: unknown) => JSON.stringify(value, null, 1).split('\n');
  const [leftLines, rightLines] = [linesOf(left), linesOf(right)];
  const at = leftLines.findIndex((line, index) => line !== rightLines[index]);
  const excerpt = (lines: readonly string[]) => lines.slice(Math.max(0, at - 3), at + 3).join('\n');
  throw new LawViolation(
    law,
    `${what} differ from line ${at + 1} on:\n${excerpt(leftLines)}\n--- and ---\n${excerpt(rightLines)}`,
  );
}

/** Demands that something holds. */
export function demand(law: string, holds: boolean, otherwise: () => string): void {
  if (!holds) throw new LawViolation(law, otherwise());
}
