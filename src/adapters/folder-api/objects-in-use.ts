/**
 * Chooses the objects in use, where files may be invalid or contain the same object, and objects may be moved between files.
 */
import { inFile, type InputProblem } from '../../ports/input-problem.ts';
import type { ManifestObject } from '../manifests/manifest-object.ts';
import { placeOf } from '../manifests/repeated-objects.ts';
import { isCurrent, type ManifestFile, objectsOf } from './manifest-file.ts';

/** Objects by `Kind/name` or `Kind/namespace/name`. */
export type ObjectsByLabel = ReadonlyMap<string, ManifestObject>;

/** The chosen objects. */
export interface ObjectsInUse {
  readonly objects: ObjectsByLabel;
  /** A problem for each object that is in another file as well. */
  readonly repeated: readonly InputProblem[];
}

/**
 * Chooses one object for each name. Current content takes precedence over the last valid content of an invalid file, as the object may have been
 * moved. Among several files with current content the one that was used before wins, so that pasting an object before cutting it changes nothing; else
 * the first by path
 *
 * @param files by path
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
    message: `is defined twice: in ${placeOf(used)} and in ${placeOf(other)}; remove it from one of them`,
  };
}
