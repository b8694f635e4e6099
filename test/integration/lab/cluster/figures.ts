/** Figures of campaigns, in milliseconds. */

/** The median of some figures, and what 99 of a hundred are within, to a millisecond. */
export function percentiles(times: readonly number[]): { readonly p50: number; readonly p99: number } {
  const sorted = times.toSorted((left, right) => left - right);
  const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);
  return { p50: at(0.5), p99: at(0.99) };
}

/** Says on standard error what is measured, and what was found. */
export function reportFigure(what: string, value: unknown): void {
  process.stderr.write(`${what}: ${JSON.stringify(value)}\n`);
}

/** Milliseconds that something takes. */
export async function timed(what: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await what();
  return Math.round(performance.now() - begin);
}

/** Names with a number each, from 0 on. */
export const numbered = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index}`);

/** Does something with each item, some of them at the same time. */
export async function inGroups<Item>(
  items: readonly Item[],
  size: number,
  each: (item: Item) => Promise<unknown>,
): Promise<void> {
  for (let first = 0; first < items.length; first += size)
    await Promise.all(items.slice(first, first + size).map(each));
}

/**
 * Makes the measurements that the command line names, all of them by default, and prints their figures as one JSON document.
 *
 * @param script of package.json that runs them
 */
export async function runMeasurements(
  script: string,
  measurements: Readonly<Record<string, () => Promise<unknown>>>,
): Promise<void> {
  const selected = process.argv.slice(2);
  if (selected.some((name) => !(name in measurements))) {
    process.stderr.write(`usage: npm run ${script} -- [${Object.keys(measurements).join('|')}]...\n`);
    process.exitCode = 1;
    return;
  }
  const figures: Record<string, unknown> = {};
  for (const [name, measure] of Object.entries(measurements)) {
    if (selected.length > 0 && !selected.includes(name)) continue;
    figures[name] = await measure();
    reportFigure(name, figures[name]);
  }
  process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
}
