import type { ClusterReading, ClusterSource } from '../../ports/cluster/cluster-source.ts';
import type { InputProblem, Reading } from '../../ports/input-problem.ts';
import { type ManifestObject, problemOf } from './manifest-object.ts';
import type { ObjectFinding } from '../validation/object-finding.ts';
import { sortedProblems } from './problem-order.ts';
import { type ReadingOptions, readManifests } from './read-manifests.ts';
import { snapshotOf } from './snapshot-of-objects.ts';

/**
 * Reads a cluster from files, for `plan` and `explain`. An object that does not conform to its kind is a problem. Anything else that the
 * API server would reject or drop is a warning, as the object may have been stored before the rule existed: an unknown enum value, a
 * violated CEL rule, an unknown field. So is an object whose kind seems to be misspelled, which is left out.
 */
export class ManifestFiles implements ClusterSource {
  private readonly paths: readonly string[];
  private readonly options: ReadingOptions;

  /** @param paths files, folders and `-` */
  constructor(paths: readonly string[], options: ReadingOptions = {}) {
    this.paths = paths;
    this.options = options;
  }

  async read(): Promise<Reading<ClusterReading>> {
    const { objects, problems, misspelled } = await readManifests(this.paths, this.options);
    const allProblems = [...problems, ...findingsOf(objects, 'error')];
    if (allProblems.length > 0) return { read: false, problems: sortedProblems(allProblems) };
    return {
      read: true,
      value: {
        snapshot: snapshotOf(objects),
        origins: new Map(objects.map(({ label, file }) => [label, file])),
        warnings: sortedProblems([...misspelled, ...findingsOf(objects, 'warning')]),
      },
    };
  }
}

function findingsOf(objects: readonly ManifestObject[], severity: ObjectFinding['severity']): readonly InputProblem[] {
  return objects.flatMap((object) =>
    object.findings.filter((finding) => finding.severity === severity).map((finding) => problemOf(object, finding)),
  );
}
