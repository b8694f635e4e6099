/**
 * A file of the folder over time: it may be invalid for a while, and an unchanged file is not read again.
 */
import { createHash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { inFile, type InputProblem } from '../../ports/input-problem.ts';
import { errorCode } from '../manifests/file-system-error.ts';
import type { FoundFile } from '../manifests/find-files.ts';
import { type ManifestObject, problemOf } from '../manifests/manifest-object.ts';
import { contentsOfText } from '../manifests/manifest-text.ts';
import { readFileText } from '../manifests/read-text.ts';
import { repeatedObjects } from '../manifests/repeated-objects.ts';
import { versionOf } from './file-version.ts';

/** A version of a file that is used: a valid one, or, where there was none before, one with misspelled kinds. */
interface GoodContent {
  readonly digest: string;
  readonly objects: readonly ManifestObject[];
  /** Objects that are not read, as their kind seems to be misspelled. */
  readonly misspelled: readonly InputProblem[];
}

/** The cached state of a file. */
export interface ManifestFile {
  readonly path: string;
  /** The last version that was read; absent if the file has to be read again. */
  readonly version?: string;
  /** The problems of that version. */
  readonly problems: readonly InputProblem[];
  /** Whether it was removed between the listing and the read. */
  readonly isRemoved?: true;
  /** The last valid version, if any. */
  readonly good?: GoodContent;
}

/** The objects of the last valid version. */
export function objectsOf({ good }: ManifestFile): readonly ManifestObject[] {
  return good?.objects ?? [];
}

/** Whether the objects are those of the current version. */
export function isCurrent({ good, problems }: ManifestFile): boolean {
  return good !== undefined && problems.length === 0;
}

/**
 * Reads a file unless the known version is current. Never rejects.
 *
 * If a file is replaced between the listing and the read, the next listing shows another version, and it is read once more.
 */
export async function readManifestFile(
  { path, stats }: FoundFile,
  former: ManifestFile | undefined,
): Promise<ManifestFile> {
  const version = versionOf(stats);
  if (former?.version === version) return former;
  const text = await readFileText(path);
  const content = text.read ? contentOf(path, text.value, former?.good) : text.problems;
  // A file may become readable without a change.
  const known = { path, ...(text.read ? { version } : (await isMissing(path)) && { isRemoved: true as const }) };
  if ('digest' in content) return { ...known, problems: [], good: content };
  return { ...known, problems: content, ...(former?.good !== undefined && { good: former.good }) };
}

/** Not for a link to a missing file. */
async function isMissing(path: string): Promise<boolean> {
  const [status] = await Promise.allSettled([lstat(path)]);
  return status.status === 'rejected' && errorCode(status.reason) === 'ENOENT';
}

function contentOf(path: string, text: string, former: GoodContent | undefined): GoodContent | readonly InputProblem[] {
  const digest = createHash('sha256').update(text).digest('base64');
  if (former?.digest === digest) return former;
  // An empty file left by a full disk or an interrupted copy must not delete objects.
  if (text.trim() === '')
    return [
      { origin: inFile(path), message: 'is empty; to remove its objects delete the file, or leave a comment in it' },
    ];
  const { objects, problems, misspelled } = contentsOfText(path, text);
  const unusable = objects.flatMap((object) =>
    object.findings.filter(({ severity }) => severity === 'error').map((finding) => problemOf(object, finding)),
  );
  const all = [...problems, ...unusable, ...repeatedObjects(objects)];
  if (all.length > 0) return all;
  // An object of the valid version before may be the one that is misspelled now: it must not count as deleted.
  const isWorse = misspelled.length > 0 && former?.misspelled.length === 0;
  return isWorse ? misspelled : { digest, objects, misspelled };
}
