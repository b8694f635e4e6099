/** The error of a failed read or write, such as `ENOSPC: no space left on device`. */
export function fileError(error: unknown): string {
  // The system call and the path follow the comma.
  return error instanceof Error ? (error.message.split(',', 1)[0] ?? error.message) : String(error);
}

/** Whether a system error has a code, such as `ENOENT`. */
export function isFileError(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
