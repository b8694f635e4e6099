/**
 * What one file of the folder holds, over time.
 *
 * What makes it hard is that a file may be bad for a while, and that it must not cost anything while nothing happens to it.
 */
import { createHash } from 'node:crypto';
import { inFile, type InputProblem } from '../../ports/input-problem.ts';
import type { FoundFile } from '../manifests/find-files.ts';
import { type ManifestObject, problemOf } from '../manifests/manifest-object.ts';
import { contentsOfText } from '../manifests/manifest-text.ts';
import { readFileText } from '../manifests/read-text.ts';
import { repeatedObjects } from '../manifests/repeated-objects.ts';
import { versionOf } from './file-version.ts';

/** A version of a file in which everything could be used. */
interface GoodContent {
  readonly digest: string;
  readonly objects: readonly ManifestObject[];
}

/** What is known of a file after it was looked at. */
export interface ManifestFile {
  readonly path: string;
  /** The version that was read last; absent where it has to be read again, whatever it looks like. */
  readonly version?: string;
  /** What was wrong with it then; nothing where `good` is that version. */
  readonly problems: readonly InputProblem[];
  /** The last version that was good; absent where none ever was. */
  readonly good?: GoodContent;
}

/** The objects of a file's last good version. */
export function objectsOf({ good }: ManifestFile): readonly ManifestObject[] {
  return good?.objects ?? [];
}

/** Whether the objects of a file are those that stand in it now. */
export function isCurrent({ good, problems }: ManifestFile): boolean {
  return good !== undefined && problems.length === 0;
}

/**
 * Reads a file where it is not the version that is known. Never rejects.
 *
 * A file that is replaced between the listing and the reading is read in its new version and taken for the former one: then the next
 * listing shows another version, and it is read once more.
 */
export async function readManifestFile(
  { path, stats }: FoundFile,
  former: ManifestFile | undefined,
): Promise<ManifestFile> {
  const version = versionOf(stats);
  if (former?.version === version) return former;
  const text = await readFileText(path);
  const content = text.read ? contentOf(path, text.value, former?.good) : text.problems;
  // A file that cannot be read may become readable without a change of its own.
  const known = { path, ...(text.read && { version }) };
  if ('digest' in content) return { ...known, problems: [], good: content };
  return { ...known, problems: content, ...(former?.good !== undefined && { good: former.good }) };
}

function contentOf(path: string, text: string, former: GoodContent | undefined): GoodContent | readonly InputProblem[] {
  const digest = createHash('sha256').update(text).digest('base64');
  if (former?.digest === digest) return former;
  // What a full disk or an interrupted copy leaves behind must not delete objects.
  if (text.trim() === '')
    return [
      { origin: inFile(path), message: 'is empty; to remove its objects delete the file, or leave a comment in it' },
    ];
  const { objects, problems } = contentsOfText(path, text);
  const unusable = objects.flatMap((object) =>
    object.findings.filter(({ severity }) => severity === 'unusable').map((finding) => problemOf(object, finding)),
  );
  const all = [...problems, ...unusable, ...repeatedObjects(objects)];
  return all.length === 0 ? { digest, objects } : all;
}
