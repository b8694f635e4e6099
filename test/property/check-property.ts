/** Checks laws on generated cases. A counterexample is reduced, and reported as the files of a test folder. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { type Files, type CaseLabels, LawViolation, printedFiles } from '../../src/testing/index.ts';
import { type Parts, reduced } from './reduce.ts';

/** The subjects that a law is checked on: how they are generated, divided into parts, built from parts, and written to files. */
export interface Subjects<Subject> {
  readonly arbitrary: fc.Arbitrary<Subject>;
  readonly partsOf: (subject: Subject) => Parts;
  /** Absent if too much was removed. */
  readonly subjectOf: (parts: Parts) => Subject | undefined;
  readonly filesOf: (subject: Subject, why: string) => Files;
}

/** A law that can be checked on its subjects. */
export interface Property<Subject> {
  readonly name: string;
  readonly promise: string;
  /** @throws LawViolation if the law is violated; the seed is for random choices of the check. */
  readonly check: (subject: Subject, seed: number) => CaseLabels;
  /** The part of a subject that violates the law by itself; absent for the whole subject. */
  readonly narrow?: (subject: Subject, seed: number) => Counterexample | undefined;
}

/** A subject of any type that violates a law. */
export interface Counterexample {
  /** The files of the smallest subject that violates the law in the same way, and the error. */
  readonly reduced: (why: string, milliseconds: number) => { readonly files: Files; readonly error: unknown };
}

/** The number of generated cases, and their seed; random if absent. */
export interface RunOptions {
  readonly numRuns: number;
  readonly seed?: number;
  /** Milliseconds for which a counterexample is reduced; half a minute if absent, so that a person waits for less than a minute. */
  readonly reduceMs?: number;
  /** Whether the labels that were reached are enough: later cases are not checked then. Absent where all are. */
  readonly isEnough?: (labels: ReadonlyMap<string, number>) => boolean;
}

/** The result of a check: the number of subjects with each label. */
export interface Checked {
  readonly numRuns: number;
  readonly labels: ReadonlyMap<string, number>;
}

/** A violated law. The message contains the smallest folder that was found. */
export class BrokenLaw extends Error {
  override readonly name = 'BrokenLaw';
  /** Absent if the check failed otherwise. */
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

/** The first line of an error without words that contain digits, which is the same for violations of one kind. */
function kindOf(error: unknown): string {
  const [line = ''] = String(error).split('\n');
  return line
    .split(/\s+/)
    .filter((word) => !/\d/.test(word))
    .join(' ');
}

/** A counterexample from a subject that violates a law. */
export function counterexampleOf<Subject>(
  subjects: Subjects<Subject>,
  check: (subject: Subject) => unknown,
  subject: Subject,
): Counterexample {
  return {
    reduced: (why, milliseconds) => {
      const smallestSubject = smallest(subjects, check, subject, milliseconds);
      return { files: subjects.filesOf(smallestSubject, why), error: errorOf(() => check(smallestSubject)) };
    },
  };
}

function smallest<Subject>(
  subjects: Subjects<Subject>,
  check: (subject: Subject) => unknown,
  subject: Subject,
  milliseconds: number,
): Subject {
  const kind = kindOf(errorOf(() => check(subject)));
  const isBroken = (parts: Parts) => {
    const candidate = subjects.subjectOf(parts);
    return candidate !== undefined && kindOf(errorOf(() => check(candidate))) === kind;
  };
  return subjects.subjectOf(reduced(subjects.partsOf(subject), isBroken, milliseconds)) ?? subject;
}

/** Reduces a counterexample; if that fails, the error still has the position of the counterexample. */
function withPosition<Result>(position: string, reduce: () => Result): Result {
  try {
    return reduce();
  } catch (error) {
    throw new Error(`${position}\nIt could not be reduced: ${String(error)}`, { cause: error });
  }
}

/** Writes the files to a folder with the name of the law in KEEP, if that is set. */
function writeToKeep(files: Files, law: string): void {
  const root = process.env['KEEP'];
  if (root === undefined) return;
  const folder = join(root, (law.match(/[a-z]+/g) ?? []).join('-'));
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

/**
 * Checks a law on generated subjects.
 *
 * @throws BrokenLaw if it is violated; the folder is also written to KEEP, if that is set
 */
export function checkProperty<Subject>(
  { name, promise, check, narrow }: Property<Subject>,
  subjects: Subjects<Subject>,
  { numRuns: maxRuns, seed: givenSeed, reduceMs = 30_000, isEnough = () => false }: RunOptions,
): Checked {
  const labels = new Map<string, number>();
  const property = fc.property(subjects.arbitrary, fc.nat(), (subject, seed) => {
    if (isEnough(labels)) return;
    for (const label of new Set(check(subject, seed))) labels.set(label, (labels.get(label) ?? 0) + 1);
  });
  // fast-check shrinks without a time limit, and does not know the parts of a case.
  const { failed, counterexample, numRuns, seed, errorInstance } = fc.check(property, {
    numRuns: maxRuns,
    ...(givenSeed !== undefined && { seed: givenSeed }),
    endOnFailure: true,
  });
  if (!failed || counterexample === null) return { numRuns, labels };
  const [first, checkSeed] = counterexample;
  const complete = counterexampleOf(subjects, (subject) => check(subject, checkSeed), first);
  const position = `Broken in case ${numRuns} of SEED=${seed}: ${promise}`;
  const reduce = () => (narrow?.(first, checkSeed) ?? complete).reduced(`${name}: ${promise}.`, reduceMs);
  const { files, error = errorInstance } = withPosition(position, reduce);
  writeToKeep(files, name);
  const message = [
    position,
    String(error),
    'To keep this as a test, put it into a folder of test/scenarios or test/stories; KEEP=FOLDER writes it:',
    printedFiles(files),
  ].join('\n');
  throw new BrokenLaw(message, numRuns, error instanceof LawViolation ? error : undefined);
}
