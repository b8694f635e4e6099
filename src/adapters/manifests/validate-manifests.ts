import type { InputProblem } from '../../ports/input-problem.ts';
import { problemOf } from './manifest-object.ts';
import { inOrder } from './problem-order.ts';
import { type ReadingOptions, readManifests } from './read-manifests.ts';
import type { ByteStream } from './read-text.ts';

/** What a validation found. */
export interface Validation {
  /** Everything that is wrong, by file and object. */
  readonly problems: readonly InputProblem[];
  /** Objects that were checked, the faulty ones included. */
  readonly objects: number;
  /** Objects of kinds that this project does not use, which were not checked. */
  readonly otherKinds: number;
}

/**
 * Checks objects offline as the API server would, for `validate`: everything that it would refuse is a problem, and so is a field that
 * it would drop. Never throws.
 *
 * @param paths files, folders and `-`, as a person names them (cli.md, PATH).
 * @param standardInput what `-` stands for.
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
