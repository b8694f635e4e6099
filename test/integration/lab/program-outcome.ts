import type { ProgramFailure, ProgramResult } from '../../../src/ports/node/programs.ts';

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

/** The outcome of a program, as reported by the agent. */
export type ProgramOutcome = Exit | NoExit;

/** Decodes the agent's characters, one for each byte, as UTF-8. */
export function textOf(characters: string): string {
  return Buffer.from(characters, 'latin1').toString();
}

/** The outcome of a program as a result of the port. */
export function programResult(outcome: ProgramOutcome, deadline: number): ProgramResult {
  if ('failure' in outcome) return programFailure(outcome, deadline);
  const stdout = Buffer.from(outcome.stdout, 'latin1');
  if (outcome.exitCode === 0) return { outcome: 'finished', stdout };
  return { outcome: 'failed', exitCode: outcome.exitCode, stdout, stderr: textOf(outcome.stderr) };
}

/** The outcome of a program without an exit status as a failure of the port. */
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
