/**
 * The objects that people have put into the folder, as they are in use at one moment.
 */
import { sep } from 'node:path';
import { inFile, type InputProblem, type Origin } from '../../ports/input-problem.ts';
import { type FolderSearch, type SearchHooks, searchFolder } from '../manifests/find-files.ts';
import { type ManifestFile, readManifestFile } from './manifest-file.ts';
import { MissedObjects } from './missed-objects.ts';
import { type ObjectsByLabel, objectsInUse } from './objects-in-use.ts';

/** What the folder holds, or why that cannot be said. */
export type Holdings =
  | {
      readonly known: true;
      readonly objects: ObjectsByLabel;
      readonly warnings: readonly InputProblem[];
      /** Whether every file could be used: only then does an object that is not in use stand nowhere. */
      readonly isWhole: boolean;
      /** Milliseconds after which it may be something else though nothing happens; absent where it may not. */
      readonly wait?: number;
    }
  | { readonly known: false; readonly problems: readonly InputProblem[] };

const emptiness =
  'an empty folder is not taken for a cluster without objects: is its volume mounted? To take everything off all nodes leave the Node objects in it';

/** A folder with everything that is remembered of its files. */
export class ManifestFolder {
  private readonly path: string;
  private readonly hooks: SearchHooks;
  private readonly missed: MissedObjects;
  private files: ReadonlyMap<string, ManifestFile> = new Map();
  /** Absent until the whole folder could be used once. */
  private inUse: ObjectsByLabel | undefined;

  /** @param gracePeriod milliseconds for which an object has to be missing before it is taken for deleted. */
  constructor(path: string, hooks: SearchHooks, gracePeriod: number) {
    this.path = path;
    this.hooks = hooks;
    this.missed = new MissedObjects(gracePeriod);
  }

  /** The objects in use; absent until there are some. */
  get objects(): ObjectsByLabel | undefined {
    return this.inUse;
  }

  /** Reads what has changed. Never rejects. */
  async read(): Promise<Holdings> {
    const search = await searchFolder(this.path, this.hooks);
    const lost = problemsWithRoot(this.path, search);
    if (lost.length > 0) return { known: false, problems: lost };
    await this.readFiles(search);
    return this.inUse === undefined ? this.first(search) : this.following(search, this.inUse);
  }

  private async readFiles(search: FolderSearch): Promise<void> {
    const files = new Map<string, ManifestFile>();
    for (const found of search.files) {
      files.set(found.path, await readManifestFile(found, this.files.get(found.path)));
    }
    for (const [path, former] of this.files) {
      const cause = search.unreachable.find((place) => isAtOrBelow(path, place));
      if (cause !== undefined && !files.has(path)) files.set(path, outOfReach(former, cause, search));
    }
    this.files = files;
  }

  /** Before anything is in use, what is missing would be taken for deleted: everything has to be right. */
  private first(search: FolderSearch): Holdings {
    const files = [...this.files.values()];
    const { objects, repeated } = objectsInUse(files, new Map());
    const problems = [...search.problems, ...files.flatMap((file) => file.problems), ...repeated];
    if (problems.length > 0) return { known: false, problems };
    this.inUse = objects;
    return { known: true, objects, warnings: [], isWhole: true };
  }

  private following(search: FolderSearch, former: ObjectsByLabel): Holdings {
    const files = [...this.files.values()];
    const { objects: found, repeated } = objectsInUse(files, former);
    const { objects, wait } = this.missed.keep(found, former, performance.now());
    this.inUse = objects;
    const untold = search.problems.filter(({ origin }) => !files.some(({ path }) => isIn(path, origin)));
    return {
      known: true,
      objects,
      warnings: [...untold, ...files.flatMap(warningsOf), ...repeated],
      isWhole: untold.length === 0 && files.every(({ problems }) => problems.length === 0),
      ...(wait !== undefined && { wait }),
    };
  }
}

function problemsWithRoot(path: string, { files, problems, unreachable }: FolderSearch): readonly InputProblem[] {
  if (files.some((file) => file.path === path))
    return [{ origin: inFile(path), message: 'is a file, not a folder of manifests' }];
  if (!unreachable.includes(path)) return [];
  return problems.map((problem) =>
    problem.message.startsWith('holds no file') ? { ...problem, message: `${problem.message}; ${emptiness}` } : problem,
  );
}

function isIn(path: string, origin: Origin): boolean {
  return origin.kind === 'file' && isAtOrBelow(path, origin.file);
}

function isAtOrBelow(path: string, place: string): boolean {
  return path === place || path.startsWith(place + sep);
}

function outOfReach({ path, good }: ManifestFile, cause: string, { problems }: FolderSearch): ManifestFile {
  const message = problems.find(({ origin }) => isIn(cause, origin))?.message ?? 'is a symbolic link to nothing';
  const told = path === cause ? message : `cannot be reached: ${cause} ${message}`;
  return { path, problems: [{ origin: inFile(path), message: told }], ...(good !== undefined && { good }) };
}

/** What is wrong with a file and what is used instead. */
function warningsOf({ problems, good }: ManifestFile): readonly InputProblem[] {
  const instead =
    good === undefined ? 'nothing of this file is used until it is valid' : 'the last valid version stays in use';
  return problems.map((problem) => ({ ...problem, message: `${problem.message}; ${instead}` }));
}
