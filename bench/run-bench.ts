import { resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { execaNode } from 'execa';
import { type Figure, growthExponent } from './figure.ts';
import type { Part } from './parts.ts';

/** A part that could not be measured to its end. */
interface Failure {
  /** Its script and sizes. */
  readonly part: string;
  readonly error: string;
}

/**
 * Measures parts one after the other, each in a process of its own. A part that fails does not stop the others, and what it had measured counts.
 *
 * @param out gets one JSON document, `{ "figures": [ … ] }`, once all parts have ended; where parts failed, also `"failures": [ { part, error } ]`
 * @param err gets a line for each figure and each failure as soon as it is there
 * @returns the exit code: 1 if a part failed
 */
export async function runBench(parts: readonly Part[], out: Writable, err: Writable): Promise<0 | 1> {
  const figures: Figure[] = [];
  const failures: Failure[] = [];
  const add = (figure: Figure) => {
    figures.push(figure);
    err.write(`${lineOf(figure)}\n`);
  };
  for (const each of parts) {
    const error = await measure(each, add);
    if (error === undefined) continue;
    const part = [each.script, ...each.sizes].join(' ');
    failures.push({ part, error });
    err.write(`${part} failed: ${error}\n`);
  }
  for (const figure of growth(figures)) add(figure);
  out.write(`${JSON.stringify({ figures, ...(failures.length > 0 && { failures }) }, null, 2)}\n`);
  return failures.length > 0 ? 1 : 0;
}

/** Runs the script of a part, which prints a figure on each line. @returns what went wrong */
async function measure({ script, sizes }: Part, add: (figure: Figure) => void): Promise<string | undefined> {
  const running = execaNode(resolve(import.meta.dirname, script), sizes.map(String), { reject: false });
  let wrong: string | undefined;
  for await (const line of running) {
    if (wrong !== undefined) continue;
    try {
      add(JSON.parse(line) as Figure);
    } catch (error) {
      wrong = `printed what is no figure: ${String(error)}`;
      running.kill();
    }
  }
  const { failed, stderr, shortMessage } = await running;
  return wrong ?? (failed ? `${shortMessage}\n${stderr}`.trim() : undefined);
}

function lineOf({ name, size, value, unit }: Figure): string {
  const sizes = Object.entries(size).map(([what, count]) => `${what} ${count}`);
  return `${name} (${sizes.join(', ')}): ${value} ${unit}`;
}

/** The figures whose growth is computed, from the second largest size that was measured to the largest. */
const growing = [
  'planCluster, cold',
  'planCluster, warm, median of 5',
  'planCluster, a node relabelled, median of 9',
  'planCluster, a state turns ready or not, median of 9',
];

/** By which power of the number of nodes, and of that of networks, times grow while all else is the same. */
function growth(figures: readonly Figure[]): readonly Figure[] {
  return growing.flatMap((name) =>
    (['nodes', 'networks'] as const).flatMap((dimension) => {
      const countIn = ({ size }: Figure) => size[dimension] ?? 0;
      const othersOf = ({ size: { nodes, networks, uplinks, selectedPercent } }: Figure) =>
        JSON.stringify({ nodes, networks, uplinks, selectedPercent, [dimension]: undefined });
      const measured = figures.filter((figure) => figure.name === name).sort((a, b) => countIn(a) - countIn(b));
      const pairs = measured.flatMap((to) => {
        const from = measured.findLast((each) => countIn(each) < countIn(to) && othersOf(each) === othersOf(to));
        return from === undefined ? [] : [{ from, to }];
      });
      return pairs.slice(-1).map(({ from, to }): Figure => {
        const [first, last] = [countIn(from), countIn(to)];
        return {
          name: `${name}: growth from ${first.toLocaleString('en')} to ${last.toLocaleString('en')} ${dimension}`,
          size: { from: first, to: last },
          value: growthExponent([first, from.value], [last, to.value]),
          unit: 'exponent',
        };
      });
    }),
  );
}
