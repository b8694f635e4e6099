import { inFile, type InputProblem, type Reading } from '../../ports/input-problem.ts';

/**
 * Reads the lines of a program's output.
 *
 * @param file named in problems
 * @param expected what each line is expected to be, in words
 * @param read the values of a line, none for an empty one or a heading; absent where the line is something else
 */
export function readLines<Value>(
  text: string,
  file: string,
  expected: string,
  read: (line: string) => readonly Value[] | undefined,
): Reading<readonly Value[]> {
  const lines = text.split('\n');
  const values: Value[] = [];
  const problems: InputProblem[] = [];
  const complain = (index: number, message: string) =>
    problems.push({ origin: inFile(file), message: `line ${String(index + 1)}: ${message}` });
  for (const [index, line] of lines.entries()) {
    const found = read(line);
    // A line that is cut off may be readable, and mean something else.
    if (index === lines.length - 1 && line !== '') complain(index, 'is truncated or half-written');
    else if (found === undefined) complain(index, `expected ${expected}, found ${JSON.stringify(line)}`);
    else for (const value of found) values.push(value);
  }
  return problems.length === 0 ? { read: true, value: values } : { read: false, problems };
}
