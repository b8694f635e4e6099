/**
 * Lints the checkout. A file in which nothing was found is linted again once something has changed that its findings depend on: what rules
 * say of a file depends on the types that it imports. ESLint's own cache knows each file alone, and would miss findings.
 */
import { globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { ESLint } from 'eslint';
import { inputDigests } from './input-digests.ts';

const root = resolve(import.meta.dirname, '../..');

/** The digests of files in which nothing was found, of all checkouts on the machine: a digest tells all that findings depend on. */
const CACHE = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'ovn-uplinks/lint.json');

/** Digests that are kept: some hundred commits. */
const MOST_DIGESTS = 20_000;

/** Names that begin with a dot have to be written so. */
const SOURCES = ['**/*.{ts,mts,cts,js,mjs,cjs}', '**/.*.{ts,mts,cts,js,mjs,cjs}'];

/** Rules, options of the compiler, versions of packages, and how the files are chosen. */
const COMMON = ['eslint.config.js', 'tsconfig.json', 'package.json', 'package-lock.json', 'scripts/lint/lint.ts'];

/** Fewer than there are by far: then the files were not found. */
const LEAST_FILES = 100;

const textOf = (path: string) => readFileSync(join(root, path), 'utf8');

function cleanBefore(): ReadonlySet<string> {
  try {
    return new Set(JSON.parse(readFileSync(CACHE, 'utf8')) as readonly string[]);
  } catch {
    // There is none yet: everything is linted.
    return new Set();
  }
}

const eslint = new ESLint({ cwd: root });
const found = globSync(SOURCES, { cwd: root, exclude: ['**/node_modules/**', '.git/**'] });
const ignored = await Promise.all(found.map((path) => eslint.isPathIgnored(join(root, path))));
const files = found.filter((_, index) => ignored[index] === false);
if (files.length < LEAST_FILES)
  throw new Error(`lint found ${files.length} files in ${root}: expected at least ${LEAST_FILES}`);

const digests = inputDigests(new Map(files.map((path) => [path, textOf(path)])), [
  process.version,
  ...COMMON.map(textOf),
]);
const known = cleanBefore();
const isKnown = (path: string) => known.has(digests.get(path) ?? '');
const stale = files.filter((path) => !isKnown(path));
const results = stale.length === 0 ? [] : await eslint.lintFiles(stale);

const clean = new Set(results.filter(({ messages }) => messages.length === 0).map(({ filePath }) => filePath));
mkdirSync(dirname(CACHE), { recursive: true });
const present = files.filter((path) => isKnown(path) || clean.has(join(root, path))).map((path) => digests.get(path));
const kept = [...new Set([...present, ...known])].slice(0, MOST_DIGESTS);
writeFileSync(`${CACHE}.${process.pid}`, JSON.stringify(kept));
renameSync(`${CACHE}.${process.pid}`, CACHE);

const formatter = await eslint.loadFormatter('stylish');
process.stdout.write(await formatter.format(results));
if (results.some(({ errorCount }) => errorCount > 0)) process.exitCode = 1;
