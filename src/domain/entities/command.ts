/** A program and its argument vector, never passed to a shell. */
export interface Command {
  readonly program: string;
  readonly arguments: readonly string[];
  /** What it reads from its standard input; absent where it reads nothing. */
  readonly input?: string;
}

/** A command of ip(8). */
export function ip(...words: readonly (string | readonly string[])[]): Command {
  return { program: 'ip', arguments: words.flat() };
}

/** A word and its value, or nothing without a value. */
export function option(word: string, value: string | number | undefined): readonly string[] {
  return value === undefined ? [] : [word, `${value}`];
}
