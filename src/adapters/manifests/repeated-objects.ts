import { inFile, type InputProblem } from '../../ports/input-problem.ts';
import type { ManifestObject } from './manifest-object.ts';

/** A problem for each object with the kind, namespace and name of an earlier one, with the positions of both. */
export function repeatedObjects(objects: readonly ManifestObject[]): readonly InputProblem[] {
  const firsts = new Map<string, ManifestObject>();
  return objects.flatMap((object) => {
    if (!object.isNamed) return [];
    const first = firsts.get(object.label);
    if (first === undefined) {
      firsts.set(object.label, object);
      return [];
    }
    const message = `is defined twice: in ${placeOf(first)} and in ${placeOf(object)}`;
    return [{ origin: inFile(object.file, object.label), message }];
  });
}

/** The position of an object in a message. */
export function placeOf({ file, position }: ManifestObject): string {
  return position === undefined ? file : `${file} at ${position}`;
}
