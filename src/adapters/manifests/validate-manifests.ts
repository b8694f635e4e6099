import type { KindKey } from '../../domain/api/kinds.ts';
import { hostBitsWarnings } from '../../domain/plan/warnings/host-bits-warnings.ts';
import { sharedNamespacesWarnings } from '../../domain/plan/view/shared-namespaces.ts';
import type { Labelled } from '../../domain/selection/label-index.ts';
import type { ClusterSnapshot } from '../../domain/snapshot/cluster-snapshot.ts';
import { inFile, type InputProblem } from '../../ports/input-problem.ts';
import { checkWholeObject } from '../validation/check-object.ts';
import { type ManifestObject, problemOf } from './manifest-object.ts';
import { sortedProblems } from './problem-order.ts';
import { type ReadingOptions, readManifests } from './read-manifests.ts';
import type { ByteStream } from './read-text.ts';
import { snapshotOf } from './snapshot-of-objects.ts';

/** The result of a validation. */
export interface Validation {
  /** All problems, by file and object. */
  readonly problems: readonly InputProblem[];
  /** Objects that the API server accepts, and that are perhaps not meant so; by file and object. */
  readonly warnings: readonly InputProblem[];
  /** The number of checked objects, valid or not. */
  readonly objects: number;
  /** The number of objects of other kinds, which were not checked, by kind as in `Deployment.apps`. */
  readonly otherKinds: ReadonlyMap<string, number>;
  /** The failure at which the validation ended early, since it would be that of all objects. */
  readonly failure?: string;
}

/** The verdict of another check on an object, in one line. */
export type Verdict =
  | { readonly outcome: 'accepted' }
  | { readonly outcome: 'refused'; readonly message: string }
  /** It can say nothing of any object. */
  | { readonly outcome: 'unusable'; readonly message: string };

/** The problems of an object, or the failure for which there are none of any object. */
type Checked = readonly InputProblem[] | { readonly failure: string };

/** Checks an object. Never rejects. */
export type ObjectCheck = (object: ManifestObject) => Checked | Promise<Checked>;

/** Checks an object by the schema and the rules of its CustomResourceDefinition. */
export const offlineCheck: ObjectCheck = (object) =>
  checkWholeObject(object.key, object.object).map((finding) => problemOf(object, finding));

/** Another check. Objects without a name are checked offline. */
export function checkBy(verdictOn: (object: ManifestObject) => Promise<Verdict>): ObjectCheck {
  return async (object) => {
    if (!object.isNamed) return offlineCheck(object);
    const verdict = await verdictOn(object);
    switch (verdict.outcome) {
      case 'accepted':
        return [];
      case 'refused':
        return [{ origin: inFile(object.file, object.label), message: verdict.message }];
      case 'unusable':
        return { failure: verdict.message };
    }
  };
}

/** The problems of objects, one after the other, or the first failure that is not of one object. */
async function checked(objects: readonly ManifestObject[], check: ObjectCheck): Promise<Checked> {
  const findings: InputProblem[] = [];
  for (const object of objects) {
    const found = await check(object);
    if ('failure' in found) return found;
    findings.push(...found);
  }
  return findings;
}

/** The stored networks and namespaces beside objects. */
export type StoredNetworks = Pick<ClusterSnapshot, 'namespaces' | 'clusterUserDefinedNetworks' | 'userDefinedNetworks'>;

/** The kinds that are compared with stored objects. */
export const comparedKinds: ReadonlySet<KindKey> = new Set([
  'namespaces',
  'clusterUserDefinedNetworks',
  'userDefinedNetworks',
]);

const noNetworks: StoredNetworks = { namespaces: [], clusterUserDefinedNetworks: [], userDefinedNetworks: [] };

/** Objects, and those that are stored under other names. */
function beside<Item extends Labelled>(given: readonly Item[], stored: readonly Item[]): readonly Item[] {
  const keyOf = ({ metadata: { namespace = '', name } }: Item) => `${namespace}/${name}`;
  const keys = new Set(given.map(keyOf));
  return [...given, ...stored.filter((each) => !keys.has(keyOf(each)))];
}

/** The warnings about objects that conform to their schema as far as they are read. */
function warningsOf(objects: readonly ManifestObject[], stored: StoredNetworks): readonly InputProblem[] {
  const read = objects.filter(({ findings }) => findings.every(({ severity }) => severity !== 'error'));
  const given = snapshotOf(read);
  const networks = {
    namespaces: beside(given.namespaces, stored.namespaces),
    clusterUserDefinedNetworks: beside(given.clusterUserDefinedNetworks, stored.clusterUserDefinedNetworks),
    userDefinedNetworks: beside(given.userDefinedNetworks, stored.userDefinedNetworks),
  };
  const byLabel = new Map(read.map((object) => [object.label, object]));
  return [
    ...hostBitsWarnings(given),
    ...sharedNamespacesWarnings(networks, { providedNetworks: 'all', egress: 'none' }),
  ].flatMap(({ object, path = '', message }) => {
    const source = byLabel.get(object);
    return source === undefined ? [] : [problemOf(source, { path, message, severity: 'warning' })];
  });
}

/**
 * Validates objects, for `validate`: everything that the API server would reject or drop is a problem. Never throws.
 *
 * @param paths files, folders and `-`
 * @param standardInput the stream for `-`
 * @param check of each object
 * @param stored reads what networks and namespaces would be stored beside
 */
export async function validateManifests(
  paths: readonly string[],
  standardInput: ByteStream,
  onProgress?: ReadingOptions['onProgress'],
  check: ObjectCheck = offlineCheck,
  stored: () => Promise<StoredNetworks | undefined> = () => Promise.resolve(undefined),
): Promise<Validation> {
  const options = { standardInput, ...(onProgress !== undefined && { onProgress }) };
  const { objects, problems, misspelled, otherKinds } = await readManifests(paths, options);
  const counts = { objects: objects.length, otherKinds };
  const findings = await checked(objects, check);
  if ('failure' in findings) return { problems: [], warnings: [], ...counts, ...findings };
  const found = objects.some(({ key }) => comparedKinds.has(key)) ? await stored() : undefined;
  return {
    problems: sortedProblems([...problems, ...misspelled, ...findings]),
    warnings: sortedProblems(warningsOf(objects, found ?? noNetworks)),
    ...counts,
  };
}
