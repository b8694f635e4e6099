/**
 * Holds a law against generated cases; one that breaks it is made as small as it can be, and told as the files of a folder.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { type Files, printedFiles } from '../../src/testing/index.ts';
import { type Parts, reduced } from './reduce.ts';

/** What a law is about: how it is generated, taken apart and put together again, and written down. */
export interface Subjects<Subject> {
  readonly arbitrary: fc.Arbitrary<Subject>;
  readonly partsOf: (subject: Subject) => Parts;
  /** Nothing where too much is left out. */
  readonly subjectOf: (parts: Parts) => Subject | undefined;
  readonly filesOf: (subject: Subject, why: string) => Files;
}

/** A law. */
export interface Law<Subject> {
  /** With the architecture's number, where it has one. */
  readonly name: string;
  readonly promise: string;
  /** How many cases `scripts/test` tries. */
  readonly runs: number;
  /** @throws where the law is broken; the seed decides what is left to chance in the check. */
  readonly check: (subject: Subject, seed: number) => void;
}

/** How often a law is held against something, and by which numbers it is generated; fresh ones where none are given. */
export interface Extent {
  readonly numRuns: number;
  readonly seed?: number;
}

/** A law that does not hold: the message has the smallest folder that shows it. */
export class BrokenLaw extends Error {
  override readonly name = 'BrokenLaw';
}

function errorOf(check: () => void): unknown {
  try {
    check();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** What an error says first, but for what has a number in it: an error of the same sort is the same violation. */
function sortOf(error: unknown): string {
  const [line = ''] = String(error).split('\n');
  return line
    .split(/\s+/)
    .filter((word) => !/\d/.test(word))
    .join(' ');
}

function smallest<Subject>(about: Subjects<Subject>, check: (subject: Subject) => void, subject: Subject): Subject {
  const sort = sortOf(errorOf(() => check(subject)));
  const isBroken = (parts: Parts) => {
    const candidate = about.subjectOf(parts);
    return candidate !== undefined && sortOf(errorOf(() => check(candidate))) === sort;
  };
  return about.subjectOf(reduced(about.partsOf(subject), isBroken)) ?? subject;
}

/** Writes the files into a folder of the law's name in KEEP, where that is set. */
function keep(files: Files, law: string): void {
  const root = process.env['KEEP'];
  if (root === undefined) return;
  const folder = join(root, (law.match(/[a-z]+/g) ?? []).join('-'));
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

/**
 * Holds a law against generated cases.
 *
 * @returns how many cases it has held for.
 * @throws BrokenLaw where it has not; the folder is also written into KEEP, where that is set.
 */
export function hold<Subject>(
  { name, promise, check }: Law<Subject>,
  about: Subjects<Subject>,
  extent: Extent,
): number {
  const property = fc.property(about.arbitrary, fc.nat(), (subject, seed) => {
    check(subject, seed);
  });
  const { failed, counterexample, numRuns, seed } = fc.check(property, extent);
  if (!failed || counterexample === null) return numRuns;
  const [found, chance] = counterexample;
  const checkOnce = (subject: Subject) => check(subject, chance);
  const subject = smallest(about, checkOnce, found);
  const files = about.filesOf(subject, `${name}: ${promise}.`);
  keep(files, name);
  throw new BrokenLaw(
    [
      `Not so in case ${numRuns} of SEED=${seed}: ${promise}`,
      String(errorOf(() => checkOnce(subject))),
      'To keep this as a test, put it into a folder of test/scenarios or test/stories; KEEP=FOLDER writes it:',
      printedFiles(files),
    ].join('\n'),
  );
}
