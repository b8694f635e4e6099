import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The path of a program in PATH; absent if it is not there. */
function pathOf(program: string): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** Replaces this process by a program, which then gets the signals for it (execve(2)). Returns only if the program is not in PATH: with why. */
export function exec(program: string, programArguments: readonly string[]): string {
  const path = pathOf(program);
  if (path === undefined) return `${program} is not installed, or not in PATH`;
  if (process.execve === undefined) return `${program} cannot be started on this platform`;
  return process.execve(path, [program, ...programArguments], process.env);
}
