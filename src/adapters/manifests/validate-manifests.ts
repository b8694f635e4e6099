import { hostBitsWarnings } from '../../domain/plan/host-bits-warnings.ts';
import { inFile, type InputProblem } from '../../ports/input-problem.ts';
import { checkWholeObject } from './check-object.ts';
import { type ManifestObject, problemOf } from './manifest-object.ts';
import { sortedProblems } from './problem-order.ts';
import { type ReadingOptions, readManifests } from './read-manifests.ts';
import type { ByteStream } from './read-text.ts';
import { snapshotOf } from './snapshot-of-objects.ts';

/** The result of a validation. */
export interface Validation {
  /** All problems, by file and object. */
  readonly problems: readonly InputProblem[];
  /** What the API server accepts, and is perhaps not meant; by file and object. */
  readonly warnings: readonly InputProblem[];
  /** The number of checked objects, valid or not. */
  readonly objects: number;
  /** The number of objects of other kinds, which were not checked, by kind as in `Deployment.apps`. */
  readonly otherKinds: ReadonlyMap<string, number>;
}

/** The problems of an object. Never rejects. */
export type ObjectCheck = (object: ManifestObject) => readonly InputProblem[] | Promise<readonly InputProblem[]>;

/** Checks an object by the schema and the rules of its CustomResourceDefinition. */
export const offlineCheck: ObjectCheck = (object) =>
  checkWholeObject(object.key, object.object).map((finding) => problemOf(object, finding));

/** Another check, which returns the problem of an object in one line, or nothing. Objects without a name are checked offline. */
export function checkBy(refusal: (object: ManifestObject) => Promise<string | undefined>): ObjectCheck {
  return async (object) => {
    if (!object.isNamed) return offlineCheck(object);
    const message = await refusal(object);
    return message === undefined ? [] : [{ origin: inFile(object.file, object.label), message }];
  };
}

/** The warnings about an object that conforms to its schema as far as it is read. */
function warningsOf(object: ManifestObject): readonly InputProblem[] {
  if (object.findings.some(({ severity }) => severity === 'error')) return [];
  return hostBitsWarnings(snapshotOf([object])).map(({ path = '', message }) =>
    problemOf(object, { path, message, severity: 'warning' }),
  );
}

/**
 * Validates objects, for `validate`: everything that the API server would reject or drop is a problem. Never throws.
 *
 * @param paths files, folders and `-`
 * @param standardInput the stream for `-`
 * @param check of each object
 */
export async function validateManifests(
  paths: readonly string[],
  standardInput: ByteStream,
  onProgress?: ReadingOptions['onProgress'],
  check: ObjectCheck = offlineCheck,
): Promise<Validation> {
  const options = { standardInput, ...(onProgress !== undefined && { onProgress }) };
  const { objects, problems, misspelled, otherKinds } = await readManifests(paths, options);
  const findings: InputProblem[] = [];
  for (const object of objects) findings.push(...(await check(object)));
  return {
    problems: sortedProblems([...problems, ...misspelled, ...findings]),
    warnings: sortedProblems(objects.flatMap(warningsOf)),
    objects: objects.length,
    otherKinds,
  };
}
