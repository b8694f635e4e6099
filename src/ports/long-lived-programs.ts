/** Who is told what a program says while it runs. None may throw. */
export interface ProgramListener {
  /** A line of standard output, without its end; bytes that are no UTF-8 are replacement characters. */
  onOutput(line: string): void;
  /** A line of standard error, as of standard output. */
  onMessage(line: string): void;
  /** It has ended, or could not be started: why, as it completes "the program …". Nothing comes after it. */
  onEnd(reason: string): void;
}

/** A program that runs until it is ended, or ends. */
export interface RunningProgram {
  /** Writes to its standard input. Once it has ended, this does nothing. */
  write(text: string): void;
  /** Ends it at once, with every child of it, if it still runs. */
  end(): void;
}

/** Programs of the machine that are spoken with while they run. */
export interface LongLivedPrograms {
  /**
   * Starts a program by its argument vector; no shell ever sees it. Never throws: that it cannot be started is told as its end.
   *
   * @param program name, looked up in PATH, or path
   */
  start(program: string, programArguments: readonly string[], listener: ProgramListener): RunningProgram;
}
