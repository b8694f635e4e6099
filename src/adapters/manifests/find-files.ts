/**
 * Finds the files of a list of PATHs.
 *
 * The difficulty is symbolic links: the volume of a ConfigMap contains each file under three paths, and a link to a parent folder is a
 * loop.
 */
import type { BigIntStats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { by } from '../../domain/basics/names/ordering.ts';
import { inFile, type InputProblem } from '../../ports/input-problem.ts';
import { describeFileSystemError, errorCode } from './file-system-error.ts';
import { describeSpecialFile } from './file-type.ts';

/** The PATH for standard input. */
export const STANDARD_INPUT = '-';

/** The files to read, in order, and the problems of the PATHs. */
export interface FoundFiles {
  /** Without duplicates, `-` for standard input: in the order of the PATHs, and within a folder in name order. */
  readonly files: readonly string[];
  readonly problems: readonly InputProblem[];
}

/** Finds the files of PATHs. Opens only folders; never throws. */
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

/** A file that a search found. */
export interface FoundFile {
  readonly path: string;
  /** The identity of a file, for all paths of it. */
  readonly identity: string;
  readonly stats: BigIntStats;
}

/** The result of searching a folder. */
export interface FolderSearch {
  /** Without duplicates, in name order. */
  readonly files: readonly FoundFile[];
  readonly problems: readonly InputProblem[];
  /** Paths that exist and cannot be read: files that were below them may still exist. */
  readonly unreachable: readonly string[];
}

/** Callbacks of a search. */
export interface SearchHooks {
  /** Called with each folder before it is listed. */
  readonly onFolder: (path: string) => void;
  /** Called with each symbolic link before it is followed. */
  readonly onLink: (path: string) => Promise<void>;
  /** Whether a path is skipped. */
  readonly isSkipped: (path: string) => boolean;
}

const noHooks: SearchHooks = {
  onFolder: () => undefined,
  onLink: () => Promise.resolve(),
  isSkipped: () => false,
};

/** Finds the manifests in a folder and its subfolders. Opens only folders; never throws. */
export async function searchFolder(path: string, hooks: SearchHooks): Promise<FolderSearch> {
  const search = new Search(hooks);
  await visit(search, { path, isLink: false, mustBeManifest: false }, new Set());
  return { files: withoutDuplicates(search.files), problems: search.problems, unreachable: search.unreachable };
}

/** The results of a search so far. */
class Search {
  readonly files: FoundFile[] = [];
  readonly problems: InputProblem[] = [];
  readonly unreachable: string[] = [];
  readonly visitedFolders = new Set<string>();
  readonly hooks: SearchHooks;

  constructor(hooks: SearchHooks) {
    this.hooks = hooks;
  }

  addProblem(file: string, message: string): void {
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
  const invalid = describeInvalidPath(path);
  if (invalid !== undefined) search.addProblem(path, invalid);
  else await visit(search, { path, isLink: false, mustBeManifest: false }, new Set());
  return { files: withoutDuplicates(search.files), problems: search.problems };
}

function describeInvalidPath(path: string): string | undefined {
  if (path === '') return 'an empty PATH names no file';
  if (/^https?:\/\//i.test(path))
    return 'is a URL, not a path: nothing is downloaded; save the objects to a file first';
  return undefined;
}

interface FolderEntry {
  readonly path: string;
  readonly isLink: boolean;
  /** Whether the name must be that of a manifest: it must in folders, while a file on the command line may have any name. */
  readonly mustBeManifest: boolean;
}

async function visit(search: Search, entry: FolderEntry, ancestors: ReadonlySet<string>): Promise<void> {
  const { path } = entry;
  if (entry.isLink) await search.hooks.onLink(path);
  const [status] = await Promise.allSettled([stat(path, { bigint: true })]);
  if (status.status === 'rejected') {
    reportUnreachable(search, entry, status.reason);
    return;
  }
  const identity = `${status.value.dev}:${status.value.ino}`;
  if (status.value.isDirectory()) {
    await visitFolder(search, path, identity, ancestors);
    if (ancestors.size === 0) reportWithoutManifest(search, path);
    return;
  }
  if (entry.mustBeManifest && !hasManifestName(path)) return;
  const special = describeSpecialFile(status.value);
  if (special === undefined) search.files.push({ path, identity, stats: status.value });
  else search.addProblem(path, special);
}

function reportUnreachable(search: Search, { path, isLink, mustBeManifest }: FolderEntry, error: unknown): void {
  const isMissing = errorCode(error) === 'ENOENT';
  const isDangling = isLink && isMissing;
  if (isMissing && !isLink && mustBeManifest) reportUndecodable(search, path);
  else if (!isDangling) search.addProblem(path, describeFileSystemError(error));
  else if (!mustBeManifest || hasManifestName(path)) search.addProblem(path, 'is a dangling symbolic link');
  else search.unreachable.push(path);
}

/** A listed file that does not exist was removed meanwhile, unless its name was not decoded correctly. */
function reportUndecodable(search: Search, path: string): void {
  if (path.includes('\ufffd') && hasManifestName(path))
    search.addProblem(path, 'has a name that is not UTF-8; rename it');
}

function reportWithoutManifest(search: Search, path: string): void {
  if (search.files.length > 0 || search.problems.length > 0) return;
  search.addProblem(path, 'contains no .yaml, .yml or .json file, nor do its subfolders');
}

async function visitFolder(
  search: Search,
  path: string,
  identity: string,
  ancestors: ReadonlySet<string>,
): Promise<void> {
  if (ancestors.has(identity)) {
    search.addProblem(path, 'is a symbolic link to one of its parent folders');
    return;
  }
  if (search.visitedFolders.has(identity)) return;
  search.visitedFolders.add(identity);
  search.hooks.onFolder(path);
  const [listing] = await Promise.allSettled([readdir(path, { withFileTypes: true })]);
  if (listing.status === 'rejected') {
    // One that was found in another folder has been removed since, as the former data of a ConfigMap's volume is.
    if (ancestors.size > 0 && errorCode(listing.reason) === 'ENOENT') return;
    search.addProblem(path, describeFileSystemError(listing.reason));
    return;
  }
  const ancestorsBelow = new Set(ancestors).add(identity);
  for (const entry of listing.value.sort(by(({ name }) => name))) {
    // Saves a system call for each other file in a large folder.
    if (entry.isFile() && !hasManifestName(entry.name)) continue;
    const entryPath = join(path, entry.name);
    if (search.hooks.isSkipped(entryPath)) continue;
    await visit(search, { path: entryPath, isLink: entry.isSymbolicLink(), mustBeManifest: true }, ancestorsBelow);
  }
}

function hasManifestName(path: string): boolean {
  return /\.(?:yaml|yml|json)$/.test(path);
}

/** Keeps one path of each file, the one with the fewest folders: in the volume of a ConfigMap, the plain names. */
function withoutDuplicates(files: readonly FoundFile[]): readonly FoundFile[] {
  const shortest = new Map<string, FoundFile>();
  for (const file of files) {
    const known = shortest.get(file.identity);
    if (known === undefined || depthOf(file) < depthOf(known)) shortest.set(file.identity, file);
  }
  // The order was that of the first path of each file, which may be another.
  return [...shortest.values()].sort(by(({ path }) => path));
}

function depthOf({ path }: FoundFile): number {
  return path.split('/').length;
}
