import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** One measured figure, as it is in the document that `npm run bench` prints. */
export interface Figure {
  readonly name: string;
  readonly size: Readonly<Record<string, number>>;
  readonly value: number;
  readonly unit: 'ms of CPU' | 'ms' | 'MiB' | 'KiB' | 'exponent' | 'ratio';
}

/** Prints a figure as soon as it is measured: one line of JSON. */
export function report(figure: Figure): void {
  process.stdout.write(`${JSON.stringify(figure)}\n`);
}

const rounded = (value: number) => Number(value.toPrecision(4));

/** Milliseconds of CPU that a call takes, its garbage collection included. */
export function cpuOf(call: () => unknown): number {
  const before = process.cpuUsage();
  call();
  const { user, system } = process.cpuUsage(before);
  return rounded((user + system) / 1000);
}

/** The median of several measurements. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return rounded(sorted[Math.floor(sorted.length / 2)] ?? Number.NaN);
}

/** Largest resident memory of this process so far, in MiB. */
export function peakMemory(): number {
  return rounded(process.resourceUsage().maxRSS / 1024);
}

setFlagsFromString('--expose-gc');

/** Collects what is not referenced any more. */
export const collectGarbage = runInNewContext('gc') as () => void;

/** Memory of what is still referenced, in KiB. */
export function settledHeap(): number {
  // What weak references kept goes with the second one.
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().heapUsed / 1024;
}

/** By which power of the size the time grows from one measurement to another. */
export function growthExponent(from: readonly [number, number], to: readonly [number, number]): number {
  return rounded(Math.log(to[1] / from[1]) / Math.log(to[0] / from[0]));
}
