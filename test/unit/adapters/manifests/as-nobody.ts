/** Runs a function without the rights of root, which permissions do not restrict and which tests may have. */
export async function asNobody<Result>(run: () => Promise<Result>): Promise<Result> {
  if (process.geteuid?.() !== 0) return await run();
  process.seteuid?.(65534);
  try {
    return await run();
  } finally {
    process.seteuid?.(0);
  }
}
