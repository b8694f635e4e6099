import type { ProgramFailure, ProgramResult } from '../../../src/ports/programs.ts';

/** A program that has exited. */
export interface Exit {
  readonly exitCode: number;
  /** A character for each byte. */
  readonly stdout: string;
  /** A character for each byte. */
  readonly stderr: string;
}

/** Why a program has no exit status. */
export type NoExit =
  | { readonly failure: 'not-found' | 'deadline' }
  | { readonly failure: 'signal'; readonly signal: string }
  | { readonly failure: 'not-started'; readonly reason: string };

/** What became of a program, as the agent says it. */
export type ProgramOutcome = Exit | NoExit;

/** The bytes that characters of the agent stand for, as text. */
export function textOf(characters: string): string {
  return Buffer.from(characters, 'latin1').toString();
}

/** What became of a program, in the words of the port. */
export function programResult(outcome: ProgramOutcome, deadline: number): ProgramResult {
  if ('failure' in outcome) return programFailure(outcome, deadline);
  const stdout = Buffer.from(outcome.stdout, 'latin1');
  if (outcome.exitCode === 0) return { outcome: 'finished', stdout };
  return { outcome: 'failed', exitCode: outcome.exitCode, stdout, stderr: textOf(outcome.stderr) };
}

/** As `programResult`, of a program that has no exit status. */
export function programFailure(outcome: NoExit, deadline: number): ProgramFailure {
  switch (outcome.failure) {
    case 'not-found':
      return { outcome: 'not-found' };
    case 'deadline':
      return { outcome: 'deadline-passed', deadline };
    case 'signal':
      return { outcome: 'interrupted', reason: `was killed by ${outcome.signal}` };
    case 'not-started':
      return { outcome: 'interrupted', reason: `could not be started: ${outcome.reason}` };
  }
}
