/**
 * Checks a law on generated cases. A counterexample is reduced, and reported as the files of a test folder.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { type Files, type CaseLabels, LawViolation, printedFiles } from '../../src/testing/index.ts';
import { type Parts, reduced } from './reduce.ts';

/** What a law is about: how it is generated, taken apart, put together again, and written to files. */
export interface Subjects<Subject> {
  readonly arbitrary: fc.Arbitrary<Subject>;
  readonly partsOf: (subject: Subject) => Parts;
  /** Absent where too much was left out. */
  readonly subjectOf: (parts: Parts) => Subject | undefined;
  readonly filesOf: (subject: Subject, why: string) => Files;
}

/** A law as it is checked on its subjects. */
export interface Property<Subject> {
  readonly name: string;
  readonly promise: string;
  /** @throws LawViolation where the law is broken; the seed decides what is left to chance in the check. */
  readonly check: (subject: Subject, seed: number) => CaseLabels;
  /** What of a subject that breaks the law breaks it by itself; left out, or absent, the whole subject. */
  readonly narrow?: (subject: Subject, seed: number) => Counterexample | undefined;
}

/** A subject that breaks a law, of whatever type. */
export interface Counterexample {
  /** Writes the smallest subject to files that breaks the law in the same way, and says how. */
  readonly reduced: (why: string, milliseconds: number) => { readonly files: Files; readonly error: unknown };
}

/** How many cases are generated, and from which seed; a fresh one where none is given. */
export interface RunOptions {
  readonly numRuns: number;
  readonly seed?: number;
  /** How long a counterexample is reduced, in milliseconds. Left out, for half a minute, so that a person waits for less than one. */
  readonly reduceMs?: number;
}

/** What a check came across: how many subjects have each label. */
export interface Checked {
  readonly numRuns: number;
  readonly labels: ReadonlyMap<string, number>;
}

/** A law that does not hold: the message has the smallest folder that was found to show it. */
export class BrokenLaw extends Error {
  override readonly name = 'BrokenLaw';
  /** Absent where the check failed in another way than by a violation. */
  readonly violation: LawViolation | undefined;
  readonly numRuns: number;

  constructor(message: string, numRuns: number, violation: LawViolation | undefined) {
    super(message);
    this.numRuns = numRuns;
    this.violation = violation;
  }
}

function errorOf(check: () => unknown): unknown {
  try {
    check();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** The first line of an error without words that have a digit in them: violations of one kind have the same. */
function kindOf(error: unknown): string {
  const [line = ''] = String(error).split('\n');
  return line
    .split(/\s+/)
    .filter((word) => !/\d/.test(word))
    .join(' ');
}

/** A subject that breaks a law. */
export function counterexampleOf<Subject>(
  about: Subjects<Subject>,
  check: (subject: Subject) => unknown,
  subject: Subject,
): Counterexample {
  return {
    reduced: (why, milliseconds) => {
      const least = smallest(about, check, subject, milliseconds);
      return { files: about.filesOf(least, why), error: errorOf(() => check(least)) };
    },
  };
}

function smallest<Subject>(
  about: Subjects<Subject>,
  check: (subject: Subject) => unknown,
  subject: Subject,
  milliseconds: number,
): Subject {
  const kind = kindOf(errorOf(() => check(subject)));
  const isBroken = (parts: Parts) => {
    const candidate = about.subjectOf(parts);
    return candidate !== undefined && kindOf(errorOf(() => check(candidate))) === kind;
  };
  return about.subjectOf(reduced(about.partsOf(subject), isBroken, milliseconds)) ?? subject;
}

/** What is made of a counterexample; if that fails, the error still says where the counterexample is. */
function naming<Made>(place: string, make: () => Made): Made {
  try {
    return make();
  } catch (error) {
    throw new Error(`${place}\nIt could not be reduced: ${String(error)}`, { cause: error });
  }
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
 * Checks a law on generated subjects.
 *
 * @throws BrokenLaw where it is broken; the folder is also written into KEEP, where that is set.
 */
export function hold<Subject>(
  { name, promise, check, narrow }: Property<Subject>,
  about: Subjects<Subject>,
  { numRuns: most, seed: given, reduceMs = 30_000 }: RunOptions,
): Checked {
  const labels = new Map<string, number>();
  const property = fc.property(about.arbitrary, fc.nat(), (subject, seed) => {
    for (const label of new Set(check(subject, seed))) labels.set(label, (labels.get(label) ?? 0) + 1);
  });
  // fast-check shrinks without a time limit, and does not know what a case is made of.
  const { failed, counterexample, numRuns, seed, errorInstance } = fc.check(property, {
    numRuns: most,
    ...(given !== undefined && { seed: given }),
    endOnFailure: true,
  });
  if (!failed || counterexample === null) return { numRuns, labels };
  const [found, chance] = counterexample;
  const whole = counterexampleOf(about, (subject) => check(subject, chance), found);
  const place = `Broken in case ${numRuns} of SEED=${seed}: ${promise}`;
  const reduce = () => (narrow?.(found, chance) ?? whole).reduced(`${name}: ${promise}.`, reduceMs);
  const { files, error = errorInstance } = naming(place, reduce);
  keep(files, name);
  const message = [
    place,
    String(error),
    'To keep this as a test, put it into a folder of test/scenarios or test/stories; KEEP=FOLDER writes it:',
    printedFiles(files),
  ].join('\n');
  throw new BrokenLaw(message, numRuns, error instanceof LawViolation ? error : undefined);
}
