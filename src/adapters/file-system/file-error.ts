/** What the system said about a file that it did not read or write, such as `ENOSPC: no space left on device`. */
export function fileError(error: unknown): string {
  // What follows the comma is the system call and the path, which is told already, or temporary.
  return error instanceof Error ? (error.message.split(',', 1)[0] ?? error.message) : String(error);
}

/** Whether an error of the system is of a code, such as `ENOENT`. */
export function isFileError(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
