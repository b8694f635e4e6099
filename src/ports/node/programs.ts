/** Limits of a program. */
export interface ProgramLimits {
  /** Milliseconds after which the program and its children are killed. */
  readonly deadline: number;
}

/** The output of a program, or why it failed. */
export type ProgramResult =
  | {
      readonly outcome: 'finished';
      /** Standard output as bytes: device names need not be UTF-8. */
      readonly stdout: Uint8Array;
    }
  | { readonly outcome: 'not-found' }
  | {
      readonly outcome: 'failed';
      /** Exit status, not 0. */
      readonly exitCode: number;
      readonly stdout: Uint8Array;
      /** Standard error as text. */
      readonly stderr: string;
    }
  | {
      readonly outcome: 'deadline-passed';
      /** In milliseconds. */
      readonly deadline: number;
    }
  | {
      readonly outcome: 'interrupted';
      /** Such as a signal or too much output; completes "the program …". */
      readonly reason: string;
    };

/** The programs of the machine. */
export interface Programs {
  /**
   * Runs a program by its argument vector, without a shell. Never rejects: failures are results.
   *
   * @param program name, looked up in PATH, or path
   * @param programArguments the arguments after the name, each passed unchanged
   * @param input what it reads on standard input; absent: nothing
   */
  run(
    program: string,
    programArguments: readonly string[],
    limits: ProgramLimits,
    input?: string,
  ): Promise<ProgramResult>;
}

/** A result that is not `finished`. */
export type ProgramFailure = Exclude<ProgramResult, { readonly outcome: 'finished' }>;

/** Why a program did not finish; completes "the program …". */
export function describeFailure(failure: ProgramFailure): string {
  switch (failure.outcome) {
    case 'not-found':
      return 'is not installed, or not in PATH';
    case 'failed':
      return `exited with status ${failure.exitCode}${printed(failure.stderr)}`;
    case 'deadline-passed':
      return `did not finish within ${failure.deadline / 1000} s and was killed`;
    case 'interrupted':
      return failure.reason;
  }
}

function printed(stderr: string): string {
  const text = stderr.trim();
  return text === '' ? ' and printed no reason' : ` and printed: ${text.replaceAll('\n', ' / ')}`;
}
