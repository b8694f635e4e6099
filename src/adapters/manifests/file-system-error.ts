const meanings: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist: a part of its path is no folder',
  EACCES: 'may not be read: permission denied',
  EPERM: 'may not be read: permission denied',
  ELOOP: 'is a symbolic link that leads back to itself',
  ENAMETOOLONG: 'has a name that is too long for the file system',
};

/** The code of a failed system call, such as `ENOENT`; absent where the error is of another sort. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** What a failed system call says about a file, as it completes "FILE …". */
export function describeFileSystemError(error: unknown): string {
  const code = errorCode(error);
  if (code !== undefined) return meanings[code] ?? `cannot be read: ${code}`;
  return `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
}
