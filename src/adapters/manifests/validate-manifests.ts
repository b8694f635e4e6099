import type { InputProblem } from '../../ports/input-problem.ts';
import { problemOf } from './manifest-object.ts';
import { inOrder } from './problem-order.ts';
import { type ReadingOptions, readManifests } from './read-manifests.ts';
import type { ByteStream } from './read-text.ts';

/** The result of a validation. */
export interface Validation {
  /** All problems, by file and object. */
  readonly problems: readonly InputProblem[];
  /** The number of checked objects, valid or not. */
  readonly objects: number;
  /** The number of objects of other kinds, which were not checked. */
  readonly otherKinds: number;
}

/**
 * Validates objects offline, for `validate`: everything that the API server would reject or drop is a problem. Never throws.
 *
 * @param paths files, folders and `-`
 * @param standardInput the stream for `-`
 */
export async function validateManifests(
  paths: readonly string[],
  standardInput: ByteStream,
  onProgress?: ReadingOptions['onProgress'],
): Promise<Validation> {
  const options = { standardInput, ...(onProgress !== undefined && { onProgress }) };
  const { objects, problems, otherKinds } = await readManifests(paths, options);
  const findings = objects.flatMap((object) => object.findings.map((finding) => problemOf(object, finding)));
  return { problems: inOrder([...problems, ...findings]), objects: objects.length, otherKinds };
}
