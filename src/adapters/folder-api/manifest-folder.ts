/**
 * The objects in the folder that are in use.
 */
import { sep } from 'node:path';
import { inFile, type InputProblem, type Origin } from '../../ports/input-problem.ts';
import { type FolderSearch, type SearchHooks, searchFolder } from '../manifests/find-files.ts';
import { type ManifestFile, readManifestFile } from './manifest-file.ts';
import { MissingObjects } from './missing-objects.ts';
import { type ObjectsByLabel, objectsInUse } from './objects-in-use.ts';

/** The content of the folder, or why it is unknown. */
export type FolderContent =
  | {
      readonly known: true;
      readonly objects: ObjectsByLabel;
      readonly warnings: readonly InputProblem[];
      /** Whether every file is valid: only then is an object that is not in use certainly deleted. */
      readonly isComplete: boolean;
      /** Milliseconds until the end of a grace period, if any. */
      readonly wait?: number;
    }
  | { readonly known: false; readonly problems: readonly InputProblem[] };

const EMPTY_FOLDER =
  'an empty folder does not count as an empty cluster: is its volume mounted? To remove all configuration from all nodes, keep the Node objects';

/** A folder of manifests, with its cached files. */
export class ManifestFolder {
  private readonly path: string;
  private readonly hooks: SearchHooks;
  private readonly missing: MissingObjects;
  private files: ReadonlyMap<string, ManifestFile> = new Map();
  /** Absent until all files were valid once. */
  private inUse: ObjectsByLabel | undefined;

  /** @param gracePeriod milliseconds for which an object has to be missing before it counts as deleted. */
  constructor(path: string, hooks: SearchHooks, gracePeriod: number) {
    this.path = path;
    this.hooks = hooks;
    this.missing = new MissingObjects(gracePeriod);
  }

  /** The objects in use; absent before the first valid read. */
  get objects(): ObjectsByLabel | undefined {
    return this.inUse;
  }

  /** Reads changed files. Never rejects. */
  async read(): Promise<FolderContent> {
    const search = await searchFolder(this.path, this.hooks);
    const rootProblems = problemsWithRoot(this.path, search);
    if (rootProblems.length > 0) return { known: false, problems: rootProblems };
    await this.readFiles(search);
    return this.inUse === undefined ? this.readFirst(search) : this.readNext(search, this.inUse);
  }

  private async readFiles(search: FolderSearch): Promise<void> {
    const files = new Map<string, ManifestFile>();
    for (const found of search.files) {
      const file = await readManifestFile(found, this.files.get(found.path));
      // In the first read it is a problem like any other: the file may be in the middle of a replacement.
      if (file.isRemoved === undefined || this.inUse === undefined) files.set(found.path, file);
    }
    for (const [path, former] of this.files) {
      const cause = search.unreachable.find((place) => isAtOrBelow(path, place));
      if (cause !== undefined && !files.has(path)) files.set(path, unreachableFile(former, cause, search));
    }
    this.files = files;
  }

  /** The first read requires all files to be valid: missing objects would count as deleted. */
  private readFirst(search: FolderSearch): FolderContent {
    const files = [...this.files.values()];
    const { objects, repeated } = objectsInUse(files, new Map());
    const problems = [...search.problems, ...files.flatMap((file) => file.problems), ...repeated];
    if (problems.length > 0) return { known: false, problems };
    this.inUse = objects;
    return { known: true, objects, warnings: files.flatMap(warningsOf), isComplete: true };
  }

  private readNext(search: FolderSearch, former: ObjectsByLabel): FolderContent {
    const files = [...this.files.values()];
    const { objects: found, repeated } = objectsInUse(files, former);
    const { objects, wait } = this.missing.keep(found, former, performance.now());
    this.inUse = objects;
    const otherProblems = search.problems.filter(({ origin }) => !files.some(({ path }) => isIn(path, origin)));
    return {
      known: true,
      objects,
      warnings: [...otherProblems, ...files.flatMap(warningsOf), ...repeated],
      isComplete: otherProblems.length === 0 && files.every(({ problems }) => problems.length === 0),
      ...(wait !== undefined && { wait }),
    };
  }
}

function problemsWithRoot(path: string, { files, problems, unreachable }: FolderSearch): readonly InputProblem[] {
  if (files.some((file) => file.path === path))
    return [{ origin: inFile(path), message: 'is a file, not a folder of manifests' }];
  if (!unreachable.includes(path)) return [];
  return problems.map((problem) =>
    problem.message.startsWith('contains no')
      ? { ...problem, message: `${problem.message}; ${EMPTY_FOLDER}` }
      : problem,
  );
}

function isIn(path: string, origin: Origin): boolean {
  return origin.kind === 'file' && isAtOrBelow(path, origin.file);
}

function isAtOrBelow(path: string, place: string): boolean {
  return path === place || path.startsWith(place + sep);
}

function unreachableFile({ path, good }: ManifestFile, cause: string, { problems }: FolderSearch): ManifestFile {
  const message = problems.find(({ origin }) => isIn(cause, origin))?.message ?? 'is a dangling symbolic link';
  const text = path === cause ? message : `cannot be reached: ${cause} ${message}`;
  return { path, problems: [{ origin: inFile(path), message: text }], ...(good !== undefined && { good }) };
}

/** The problems of a file, and what is used instead; of a valid one the objects that are not read. */
function warningsOf({ problems, good }: ManifestFile): readonly InputProblem[] {
  if (problems.length === 0) return good?.misspelled ?? [];
  const instead =
    good === undefined ? 'nothing of this file is used until it is valid' : 'the last valid version stays in use';
  return problems.map((problem) => ({ ...problem, message: `${problem.message}; ${instead}` }));
}
