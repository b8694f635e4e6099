import type { KindKey } from '../../domain/api/kinds.ts';
import { inFile, type InputProblem } from '../../ports/input-problem.ts';
import type { JsonObject } from '../json/json-object.ts';
import type { ObjectFinding } from './object-finding.ts';

/** An object of a kind that this project uses, as a file has it. */
export interface ManifestObject {
  readonly key: KindKey;
  readonly object: JsonObject;
  /** `Kind/name` or `Kind/namespace/name`; for an object without a name its kind and position. */
  readonly label: string;
  readonly isNamed: boolean;
  readonly file: string;
  /** Where in the file, as `line 12` or `items[3]`; absent where the whole file is the object. */
  readonly position?: string;
  readonly findings: readonly ObjectFinding[];
}

/** A finding with its object and file. */
export function problemOf({ file, label }: ManifestObject, { path, message }: ObjectFinding): InputProblem {
  return { origin: inFile(file, label), ...(path !== '' && { path }), message };
}
