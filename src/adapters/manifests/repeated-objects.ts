import { inFile, type InputProblem } from '../../ports/input-problem.ts';
import type { ManifestObject } from './manifest-object.ts';

/** A problem for each object that was given before, by the same kind, namespace and name, naming both places. */
export function repeatedObjects(objects: readonly ManifestObject[]): readonly InputProblem[] {
  const firsts = new Map<string, ManifestObject>();
  return objects.flatMap((object) => {
    if (!object.isNamed) return [];
    const first = firsts.get(object.label);
    if (first === undefined) {
      firsts.set(object.label, object);
      return [];
    }
    const message = `is given twice: in ${placeOf(first)} and in ${placeOf(object)}`;
    return [{ origin: inFile(object.file, object.label), message }];
  });
}

/** Where an object is, for people. */
export function placeOf({ file, position }: ManifestObject): string {
  return position === undefined ? file : `${file} at ${position}`;
}
