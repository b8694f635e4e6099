/**
 * Which files does a list of PATHs name? (cli.md, PATH)
 *
 * What makes it hard is links: a ConfigMap's volume holds each file by three ways, and a link to a folder above never ends.
 */
import type { BigIntStats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { by } from '../../domain/ordering.ts';
import { inFile, type InputProblem } from '../../ports/input-problem.ts';
import { describeFileSystemError, errorCode } from './file-system-error.ts';
import { describeSpecialFile } from './file-type.ts';

/** The PATH that means standard input. */
export const STANDARD_INPUT = '-';

/** The files to read, in order, and what was wrong with the PATHs. */
export interface FoundFiles {
  /** Each file once, `-` for standard input: by the order of the PATHs, within a folder by name. */
  readonly files: readonly string[];
  readonly problems: readonly InputProblem[];
}

/** Finds the files that PATHs name. Nothing is opened but folders; never throws. */
export async function findFiles(paths: readonly string[]): Promise<FoundFiles> {
  const files = new Map<string, string>();
  const problems: InputProblem[] = [];
  for (const path of paths) {
    const search = await searchFrom(path);
    for (const problem of search.problems) problems.push(problem);
    for (const { identity, path: file } of search.files) {
      if (!files.has(identity)) files.set(identity, file);
    }
  }
  return { files: [...files.values()], problems };
}

/** A file as a search came upon it. */
export interface FoundFile {
  readonly path: string;
  /** The same for all names of one file. */
  readonly identity: string;
  readonly stats: BigIntStats;
}

/** What a search of a folder found. */
export interface FolderSearch {
  /** Each file once, by name. */
  readonly files: readonly FoundFile[];
  readonly problems: readonly InputProblem[];
  /** Paths that were there and led to nothing that could be read; what lay below them before may be there still. */
  readonly unreachable: readonly string[];
}

/** What a search of a folder calls. */
export interface SearchHooks {
  /** Called with each folder before it is listed. */
  readonly onFolder: (path: string) => void;
  /** Called with each symbolic link before it is followed. */
  readonly onLink: (path: string) => Promise<void>;
  /** Whether a path is skipped. */
  readonly isLeftOut: (path: string) => boolean;
}

const noHooks: SearchHooks = {
  onFolder: () => undefined,
  onLink: () => Promise.resolve(),
  isLeftOut: () => false,
};

/** Finds the manifests of a folder and of every folder below it. Nothing is opened but folders; never throws. */
export async function searchFolder(path: string, hooks: SearchHooks): Promise<FolderSearch> {
  const search = new Search(hooks);
  await visit(search, { path, isLink: false, mustBeManifest: false }, new Set());
  return { files: eachOnce(search.files), problems: search.problems, unreachable: search.unreachable };
}

/** What one PATH leads to, filled while its folders are read. */
class Search {
  readonly files: FoundFile[] = [];
  readonly problems: InputProblem[] = [];
  readonly unreachable: string[] = [];
  readonly visitedFolders = new Set<string>();
  readonly hooks: SearchHooks;

  constructor(hooks: SearchHooks) {
    this.hooks = hooks;
  }

  refuse(file: string, message: string): void {
    this.problems.push({ origin: inFile(file), message });
    this.unreachable.push(file);
  }
}

async function searchFrom(path: string): Promise<{
  readonly files: readonly Pick<FoundFile, 'path' | 'identity'>[];
  readonly problems: readonly InputProblem[];
}> {
  if (path === STANDARD_INPUT) return { files: [{ path, identity: STANDARD_INPUT }], problems: [] };
  const search = new Search(noHooks);
  const misunderstood = describeMisunderstoodPath(path);
  if (misunderstood !== undefined) search.refuse(path, misunderstood);
  else await visit(search, { path, isLink: false, mustBeManifest: false }, new Set());
  return { files: eachOnce(search.files), problems: search.problems };
}

function describeMisunderstoodPath(path: string): string | undefined {
  if (path === '') return 'an empty PATH names no file';
  if (/^https?:\/\//i.test(path))
    return 'is an address, not a path: nothing is fetched; save the objects to a file first';
  return undefined;
}

interface Entry {
  readonly path: string;
  readonly isLink: boolean;
  /** Whether the name has to be a manifest's: so in folders, but a file that a person names is read whatever it is called. */
  readonly mustBeManifest: boolean;
}

async function visit(search: Search, entry: Entry, ancestors: ReadonlySet<string>): Promise<void> {
  const { path } = entry;
  if (entry.isLink) await search.hooks.onLink(path);
  const [status] = await Promise.allSettled([stat(path, { bigint: true })]);
  if (status.status === 'rejected') {
    refuseUnreachable(search, entry, status.reason);
    return;
  }
  const identity = `${status.value.dev}:${status.value.ino}`;
  if (status.value.isDirectory()) {
    await visitFolder(search, path, identity, ancestors);
    if (ancestors.size === 0) refuseWithoutManifest(search, path);
    return;
  }
  if (entry.mustBeManifest && !hasManifestName(path)) return;
  const special = describeSpecialFile(status.value);
  if (special === undefined) search.files.push({ path, identity, stats: status.value });
  else search.refuse(path, special);
}

function refuseUnreachable(search: Search, { path, isLink, mustBeManifest }: Entry, error: unknown): void {
  const isMissing = errorCode(error) === 'ENOENT';
  const isDangling = isLink && isMissing;
  if (isMissing && !isLink && mustBeManifest) refuseUndecodable(search, path);
  else if (!isDangling) search.refuse(path, describeFileSystemError(error));
  else if (!mustBeManifest || hasManifestName(path)) search.refuse(path, 'is a symbolic link to nothing');
  else search.unreachable.push(path);
}

/** What a folder lists and is not there was removed meanwhile, unless its name only looks as if it were the one that was listed. */
function refuseUndecodable(search: Search, path: string): void {
  if (path.includes('\ufffd') && hasManifestName(path)) search.refuse(path, 'has a name that is no UTF-8; rename it');
}

function refuseWithoutManifest(search: Search, path: string): void {
  if (search.files.length > 0 || search.problems.length > 0) return;
  search.refuse(path, 'holds no file whose name ends in .yaml, .yml or .json, nor does any folder in it');
}

async function visitFolder(
  search: Search,
  path: string,
  identity: string,
  ancestors: ReadonlySet<string>,
): Promise<void> {
  if (ancestors.has(identity)) {
    search.refuse(path, 'is a symbolic link to a folder that it lies in, a loop');
    return;
  }
  if (search.visitedFolders.has(identity)) return;
  search.visitedFolders.add(identity);
  search.hooks.onFolder(path);
  const [listing] = await Promise.allSettled([readdir(path, { withFileTypes: true })]);
  if (listing.status === 'rejected') {
    search.refuse(path, describeFileSystemError(listing.reason));
    return;
  }
  const withThis = new Set(ancestors).add(identity);
  for (const entry of listing.value.sort(by(({ name }) => name))) {
    // Most entries of a large folder need no system call of their own.
    if (entry.isFile() && !hasManifestName(entry.name)) continue;
    const entryPath = join(path, entry.name);
    if (search.hooks.isLeftOut(entryPath)) continue;
    await visit(search, { path: entryPath, isLink: entry.isSymbolicLink(), mustBeManifest: true }, withThis);
  }
}

function hasManifestName(path: string): boolean {
  return /\.(?:yaml|yml|json)$/.test(path);
}

/** One real file by several ways is meant once, by the way with the fewest folders: a ConfigMap's files by their plain names. */
function eachOnce(files: readonly FoundFile[]): readonly FoundFile[] {
  const plainest = new Map<string, FoundFile>();
  for (const file of files) {
    const known = plainest.get(file.identity);
    if (known === undefined || depthOf(file) < depthOf(known)) plainest.set(file.identity, file);
  }
  // A file's place was that of its first way, which may not be the one that it is now called by.
  return [...plainest.values()].sort(by(({ path }) => path));
}

function depthOf({ path }: FoundFile): number {
  return path.split('/').length;
}
