/**
 * Lints the checkout. A file in which nothing was found is linted again once something has changed that its findings depend on: what rules
 * say of a file depends on the types that it imports. ESLint's own cache knows each file alone, and would miss findings.
 */
import { globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
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
const COMMON = [
  'eslint.config.js',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
  'scripts/lint/lint.ts',
  'scripts/lint/local-rules.ts',
  'src/domain/entities/entity-kinds.ts',
];

/** Findings that are known, by file and rule: the list only gets shorter (`npm run lint:prune`). */
const SUPPRESSIONS = 'eslint-suppressions.json';

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

/** Findings that are suppressed, by file and rule. */
type Suppressions = Readonly<Record<string, Readonly<Record<string, { readonly count: number }>>>>;

const suppressions = JSON.parse(textOf(SUPPRESSIONS)) as Suppressions;

/** Suppressions of a file for more findings than it has. */
function unusedIn({ filePath, suppressedMessages, messages }: ESLint.LintResult): readonly string[] {
  const path = relative(root, filePath);
  return Object.entries(suppressions[path] ?? {}).flatMap(([rule, { count }]) => {
    const found = [...suppressedMessages, ...messages].filter(({ ruleId }) => ruleId === rule).length;
    return found < count ? [`${path}: ${rule}: ${count} listed, ${found} found`] : [];
  });
}

const eslint = new ESLint({ cwd: root, applySuppressions: true });
const found = globSync(SOURCES, { cwd: root, exclude: ['**/node_modules/**', '.git/**'] });
const ignored = await Promise.all(found.map((path) => eslint.isPathIgnored(join(root, path))));
const files = found.filter((_, index) => ignored[index] === false);
if (files.length < LEAST_FILES)
  throw new Error(`lint found ${files.length} files in ${root}: expected at least ${LEAST_FILES}`);

const linted = (path: string) => `${textOf(path)}\n// ${JSON.stringify(suppressions[path] ?? {})}`;
const digests = inputDigests(new Map(files.map((path) => [path, linted(path)])), [
  process.version,
  ...COMMON.map(textOf),
]);
const known = cleanBefore();
const isKnown = (path: string) => known.has(digests.get(path) ?? '');
const stale = files.filter((path) => !isKnown(path));
const results = stale.length === 0 ? [] : await eslint.lintFiles(stale);

const unused = [
  ...Object.keys(suppressions).flatMap((path) => (files.includes(path) ? [] : [`${path}: no such file`])),
  ...results.flatMap(unusedIn),
];
const isClean = (result: ESLint.LintResult) => result.messages.length === 0 && unusedIn(result).length === 0;
const clean = new Set(results.filter(isClean).map(({ filePath }) => filePath));
mkdirSync(dirname(CACHE), { recursive: true });
const present = files.filter((path) => isKnown(path) || clean.has(join(root, path))).map((path) => digests.get(path));
const kept = [...new Set([...present, ...known])].slice(0, MOST_DIGESTS);
writeFileSync(`${CACHE}.${process.pid}`, JSON.stringify(kept));
renameSync(`${CACHE}.${process.pid}`, CACHE);

for (const line of unused) process.stdout.write(`${SUPPRESSIONS}: ${line}; shorten the list with npm run lint:prune\n`);
const formatter = await eslint.loadFormatter('stylish');
process.stdout.write(await formatter.format(results));
if (unused.length > 0 || results.some(({ errorCount }) => errorCount > 0)) process.exitCode = 1;
