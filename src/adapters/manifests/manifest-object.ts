import type { KindKey } from '../../domain/api/kinds.ts';
import { inFile, type InputProblem } from '../../ports/input-problem.ts';
import type { JsonObject } from '../json/json-object.ts';
import type { ObjectFinding } from '../validation/object-finding.ts';

/** An object of a kind that is used, as read from a file. */
export interface ManifestObject {
  readonly key: KindKey;
  readonly object: JsonObject;
  /** `Kind/name` or `Kind/namespace/name`; without a name the kind and position. */
  readonly label: string;
  readonly isNamed: boolean;
  readonly file: string;
  /** The position in the file, such as `line 12` or `items[3]`; absent if the object is the whole file. */
  readonly position?: string;
  readonly findings: readonly ObjectFinding[];
}

/** A finding with its object and file. */
export function problemOf({ file, label }: ManifestObject, { path, message }: ObjectFinding): InputProblem {
  return { origin: inFile(file, label), ...(path !== '' && { path }), message };
}
