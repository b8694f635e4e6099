import { createHash } from 'node:crypto';
import { dirname, posix } from 'node:path';
import ts from 'typescript';

const digestOf = (...texts: readonly string[]) => createHash('sha256').update(JSON.stringify(texts)).digest('hex');

/** Paths of the files that a file imports by relative names, types included. */
function importsOf(path: string, text: string): readonly string[] {
  return ts
    .preProcessFile(text, true, true)
    .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => posix.join(dirname(path), fileName));
}

/** A file that declares something for files that do not import it. */
const isAmbient = (path: string, text: string) => path.endsWith('.d.ts') || /^\s*declare (global|module)\b/m.test(text);

/**
 * Digests of all that the findings of type-aware lint rules in a file depend on: the file, each file that it imports, itself or by way of
 * others, and what all files depend on.
 *
 * @param files text of each file of the checkout, by its path
 * @param common what all files depend on: rules, options of the compiler, versions of packages
 */
export function inputDigests(
  files: ReadonlyMap<string, string>,
  common: readonly string[],
): ReadonlyMap<string, string> {
  const imports = new Map([...files].map(([path, text]) => [path, importsOf(path, text)]));
  const ownDigests = new Map([...files].map(([path, text]) => [path, digestOf(path, text)]));
  const ambient = [...files].filter(([path, text]) => isAmbient(path, text)).map(([path]) => path);

  const digest = (path: string) => {
    // A set gives back what is added to it while it is read.
    const reached = new Set([path, ...ambient]);
    for (const each of reached) for (const imported of imports.get(each) ?? []) reached.add(imported);
    return digestOf(...common, path, ...[...reached].sort().map((each) => ownDigests.get(each) ?? each));
  };
  return new Map([...files.keys()].map((path) => [path, digest(path)]));
}
