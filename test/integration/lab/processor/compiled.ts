import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, realpathSync, renameSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { execaSync } from 'execa';

/** Nodes of the lab see the packages of the checkout, wherever it is. */
const PACKAGES = realpathSync(resolve(import.meta.dirname, '../../../../node_modules'));

/**
 * Compiles a C file of this folder. Returns the path of the program, or of the library, here and on nodes of the lab.
 *
 * @param options of gcc(1)
 */
export function compiled(source: string, ...options: readonly string[]): string {
  const path = join(import.meta.dirname, source);
  const digest = createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 12);
  const folder = join(PACKAGES, '.cache', 'lab');
  mkdirSync(folder, { recursive: true });
  const output = join(folder, `${source}-${digest}`);
  const unfinished = `${output}.${process.pid}`;
  execaSync('gcc', ['-O1', '-Wall', '-Werror', ...options, '-o', unfinished, path]);
  renameSync(unfinished, output);
  return output;
}
