const descriptions: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist: a part of its path is not a folder',
  EACCES: 'cannot be read: permission denied',
  EPERM: 'cannot be read: permission denied',
  ELOOP: 'is in a loop of symbolic links',
  ENAMETOOLONG: 'has a name that is too long for the file system',
};

/** The code of a failed system call, such as `ENOENT`; absent for any other error. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Describes a failed system call on a file; completes "FILE …". */
export function describeFileSystemError(error: unknown): string {
  const code = errorCode(error);
  if (code !== undefined) return descriptions[code] ?? `cannot be read: ${code}`;
  return `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
}
