/**
 * Which objects count, when files may be bad, hold the same object, or hand one to another?
 */
import { inFile, type InputProblem } from '../../ports/input-problem.ts';
import type { ManifestObject } from '../manifests/manifest-object.ts';
import { placeOf } from '../manifests/repeated-objects.ts';
import { isCurrent, type ManifestFile, objectsOf } from './manifest-file.ts';

/** Objects by `Kind/name` or `Kind/namespace/name`. */
export type ObjectsByLabel = ReadonlyMap<string, ManifestObject>;

/** What files say together. */
export interface ObjectsInUse {
  readonly objects: ObjectsByLabel;
  /** A problem for each object that stands in another file as well. */
  readonly repeated: readonly InputProblem[];
}

/**
 * Chooses one object for each name. What stands in a file now goes before what a file that cannot be used held once: it may have been
 * moved. Of several that stand there now the one in the file that had it before stays, so that pasting an object before it is cut changes
 * nothing; where none had it, the first file by path has.
 *
 * @param files by path.
 */
export function objectsInUse(files: readonly ManifestFile[], former: ObjectsByLabel): ObjectsInUse {
  const standing = byLabel(files.filter(isCurrent));
  const remembered = byLabel(files.filter((file) => !isCurrent(file)));
  const objects = new Map<string, ManifestObject>();
  const repeated: InputProblem[] = [];
  for (const [label, candidates] of [...remembered, ...standing]) {
    const chosen = candidates.find(({ file }) => file === former.get(label)?.file) ?? candidates[0];
    if (chosen === undefined) continue;
    objects.set(label, chosen);
    if (standing.get(label) !== candidates) continue;
    for (const other of candidates) {
      if (other !== chosen) repeated.push(repetition(chosen, other));
    }
  }
  return { objects, repeated };
}

function byLabel(files: readonly ManifestFile[]): ReadonlyMap<string, readonly ManifestObject[]> {
  const objects = new Map<string, ManifestObject[]>();
  for (const object of files.flatMap(objectsOf)) {
    const others = objects.get(object.label);
    if (others === undefined) objects.set(object.label, [object]);
    else others.push(object);
  }
  return objects;
}

function repetition(used: ManifestObject, other: ManifestObject): InputProblem {
  return {
    origin: inFile(other.file, other.label),
    message: `is given twice: in ${placeOf(used)} and in ${placeOf(other)}; take it out of one of them`,
  };
}
