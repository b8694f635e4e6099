/** A listener of a running program. Must not throw. */
export interface ProgramListener {
  /** A line of standard output, without its line break; invalid UTF-8 becomes replacement characters. */
  onOutput(line: string): void;
  /** A line of standard error, likewise. */
  onMessage(line: string): void;
  /** The program has exited or could not be started; the reason completes "the program …". Called once, last. */
  onEnd(reason: string): void;
}

/** A program that runs until it exits or is killed. */
export interface RunningProgram {
  /** Writes to its standard input; does nothing after it has exited. */
  write(text: string): void;
  /** Kills it and its children, if still running. */
  end(): void;
}

/** Programs that are used while they run. */
export interface LongLivedPrograms {
  /**
   * Starts a program by its argument vector, without a shell. Never throws: a program that cannot be started exits at once.
   *
   * @param program name, looked up in PATH, or path
   */
  start(program: string, programArguments: readonly string[], listener: ProgramListener): RunningProgram;
}
