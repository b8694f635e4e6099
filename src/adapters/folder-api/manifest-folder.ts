/**
 * The objects that people have put into the folder, as they are in use at one moment.
 */
import { sep } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { inFile, type InputProblem, type Origin } from '../../ports/input-problem.ts';
import { type FolderSearch, type SearchCompanion, searchFolder } from '../manifests/find-files.ts';
import { QUIET } from './file-version.ts';
import { behind, lookAt, type ManifestFile } from './manifest-file.ts';
import { MissedObjects } from './missed-objects.ts';
import { type ObjectsByLabel, objectsInUse } from './objects-in-use.ts';
import { QuietFiles } from './quiet-files.ts';

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

/** How often a first look waits for files that are being written. */
const FIRST_ATTEMPTS = 10;

const emptiness =
  'an empty folder is not taken for a cluster without objects: is its volume mounted? To take everything off all nodes leave the Node objects in it';

/** A folder with everything that is remembered of its files. */
export class ManifestFolder {
  private readonly path: string;
  private readonly companion: SearchCompanion;
  private readonly quiet = new QuietFiles();
  private readonly missed: MissedObjects;
  private files: ReadonlyMap<string, ManifestFile> = new Map();
  /** Absent until the whole folder could be used once. */
  private inUse: ObjectsByLabel | undefined;

  /** @param patience milliseconds for which an object has to be missing before it is taken for deleted. */
  constructor(path: string, companion: SearchCompanion, patience: number) {
    this.path = path;
    this.companion = companion;
    this.missed = new MissedObjects(patience);
  }

  /** The objects in use; absent until there are some. */
  get objects(): ObjectsByLabel | undefined {
    return this.inUse;
  }

  /** Looks what is there now. Never rejects. */
  async look(): Promise<Holdings> {
    for (let attempt = 1; ; attempt += 1) {
      const search = await searchFolder(this.path, this.companion);
      const lost = problemsWithRoot(this.path, search);
      if (lost.length > 0) return { known: false, problems: lost };
      const wait = await this.lookAtFiles(search);
      if (this.inUse !== undefined) return this.following(search, this.inUse, wait);
      if (wait === undefined || attempt === FIRST_ATTEMPTS) return this.first(search);
      await pause(wait);
    }
  }

  /** Looks at every file that was found. @returns how long to wait for those that are being written; absent where none is. */
  private async lookAtFiles(search: FolderSearch): Promise<number | undefined> {
    const files = new Map<string, ManifestFile>();
    let wait: number | undefined;
    for (const found of search.files) {
      const { path, stats } = found;
      const former = this.files.get(path);
      const time = Date.now();
      const quietIn = this.quiet.waitFor(path, stats, performance.now(), time);
      const file = quietIn > 0 ? behind(path, former) : await lookAt(found, former, time);
      if (file.isBehind) wait = Math.min(wait ?? QUIET, quietIn > 0 ? quietIn : QUIET);
      files.set(path, file);
    }
    for (const [path, former] of this.files) {
      const cause = search.unreachable.find((place) => isAtOrBelow(path, place));
      if (cause !== undefined && !files.has(path)) files.set(path, outOfReach(former, cause, search));
    }
    this.files = files;
    return wait;
  }

  /** Before anything is in use, what is missing would be taken for deleted: everything has to be right. */
  private first(search: FolderSearch): Holdings {
    const files = [...this.files.values()];
    const { objects, repeated } = objectsInUse(files, new Map());
    const unfinished = files
      .filter(({ isBehind }) => isBehind)
      .map(({ path }) => ({
        origin: inFile(path),
        message: 'is being written all the time; it is read when it is left alone',
      }));
    const problems = [...search.problems, ...files.flatMap((file) => file.problems), ...unfinished, ...repeated];
    if (problems.length > 0) return { known: false, problems };
    this.inUse = objects;
    return { known: true, objects, warnings: [], isWhole: true };
  }

  private following(search: FolderSearch, former: ObjectsByLabel, quietIn: number | undefined): Holdings {
    const files = [...this.files.values()];
    const { objects: found, repeated } = objectsInUse(files, former);
    const { objects, wait: missedFor } = this.missed.keep(found, former, performance.now());
    this.inUse = objects;
    const waits = [quietIn, missedFor].filter((wait) => wait !== undefined);
    const untold = search.problems.filter(({ origin }) => !files.some(({ path }) => isIn(path, origin)));
    return {
      known: true,
      objects,
      warnings: [...untold, ...files.flatMap(warningsOf), ...repeated],
      isWhole: untold.length === 0 && files.every(({ problems, isBehind }) => problems.length === 0 && !isBehind),
      ...(waits.length > 0 && { wait: Math.min(...waits) }),
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
  return {
    path,
    problems: [{ origin: inFile(path), message: told }],
    ...(good !== undefined && { good }),
    isBehind: false,
  };
}

/** What is wrong with a file and what is used instead. */
function warningsOf({ problems, good }: ManifestFile): readonly InputProblem[] {
  const instead =
    good === undefined ? 'nothing of this file is used until it is right' : 'the version read before stays in use';
  return problems.map((problem) => ({ ...problem, message: `${problem.message}; ${instead}` }));
}
