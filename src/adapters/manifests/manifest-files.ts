import type { ClusterReading, ClusterSource } from '../../ports/cluster-source.ts';
import type { InputProblem, Reading } from '../../ports/input-problem.ts';
import { type ManifestObject, problemOf } from './manifest-object.ts';
import type { ObjectFinding } from './object-finding.ts';
import { inOrder } from './problem-order.ts';
import { type ReadingOptions, readManifests } from './read-manifests.ts';
import { snapshotOf } from './snapshot-of-objects.ts';

/**
 * A cluster out of files, for `plan` and `explain`.
 *
 * What cannot be read as its kind is a problem. What the API server would refuse today is a warning, since it may have been stored
 * before the rule was made: an unknown word of a vocabulary, a violated CEL rule; and so is an unknown field.
 */
export class ManifestFiles implements ClusterSource {
  private readonly paths: readonly string[];
  private readonly options: ReadingOptions;

  /** @param paths files, folders and `-`, as a person names them (cli.md, PATH). */
  constructor(paths: readonly string[], options: ReadingOptions = {}) {
    this.paths = paths;
    this.options = options;
  }

  async read(): Promise<Reading<ClusterReading>> {
    const { objects, problems } = await readManifests(this.paths, this.options);
    const everyProblem = [...problems, ...findingsOf(objects, 'unusable')];
    if (everyProblem.length > 0) return { read: false, problems: inOrder(everyProblem) };
    return {
      read: true,
      value: {
        snapshot: snapshotOf(objects),
        origins: new Map(objects.map(({ label, file }) => [label, file])),
        warnings: inOrder(findingsOf(objects, 'odd')),
      },
    };
  }
}

function findingsOf(objects: readonly ManifestObject[], severity: ObjectFinding['severity']): readonly InputProblem[] {
  return objects.flatMap((object) =>
    object.findings.filter((finding) => finding.severity === severity).map((finding) => problemOf(object, finding)),
  );
}
