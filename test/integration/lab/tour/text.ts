/** Whether a person is at a terminal. */
export const isTerminal = process.stdin.isTTY && process.stdout.isTTY;

/** The kernel has taken the terminal by then, which returns to the beginning of a line only with a carriage return. */
export function print(...lines: readonly string[]): void {
  for (const line of lines) process.stdout.write(`${line}${isTerminal ? '\r' : ''}\n`);
}

/** Does something, and prints what, and how long it has taken. */
export async function timed<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  process.stdout.write(`${what} … `);
  const begin = performance.now();
  const result = await work();
  print(`${((performance.now() - begin) / 1000).toFixed(1)} s`);
  return result;
}
