/** A program and its argument vector, never passed to a shell. */
export interface Command {
  readonly program: string;
  readonly arguments: readonly string[];
  /** The arguments with which the program is run first, where one run cannot do it: if that fails, there is no second one. Absent for one run. */
  readonly first?: readonly string[];
  /** Its standard input; absent for none. */
  readonly input?: string;
}

/** A command of ip(8). */
export function ip(...words: readonly (string | readonly string[])[]): Command {
  return { program: 'ip', arguments: words.flat() };
}

/** A keyword and its value; nothing without a value. */
export function option(word: string, value: string | number | undefined): readonly string[] {
  return value === undefined ? [] : [word, `${value}`];
}
