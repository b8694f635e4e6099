import { inFile, type InputProblem } from '../../ports/input-problem.ts';
import { checkObject } from '../validation/check-object.ts';
import { type Identification, identifyObject } from './identify-object.ts';
import { type ListedValue, listedValuesOf } from './list-items.ts';
import type { ManifestObject } from './manifest-object.ts';
import { parseText } from './parse-text.ts';

/** The content of files. */
export interface ManifestContents {
  /** All objects of kinds that are used, whether valid or not. */
  readonly objects: readonly ManifestObject[];
  /** Problems of files; problems of objects are among their findings. */
  readonly problems: readonly InputProblem[];
  /** Objects that are not read, as their kind seems to be misspelled. */
  readonly misspelled: readonly InputProblem[];
  /** The number of objects of other kinds, which were not checked, by kind as in `Deployment.apps`. */
  readonly otherKinds: ReadonlyMap<string, number>;
}

/** Reads the objects in the text of a file; never throws. */
export function contentsOfText(file: string, text: string): ManifestContents {
  const objects: ManifestObject[] = [];
  const { documents, errors } = parseText(text);
  const problems: InputProblem[] = errors.map((message) => ({ origin: inFile(file), message }));
  const misspelled: InputProblem[] = [];
  const otherKinds = new Map<string, number>();
  for (const document of documents) {
    if (document.value === null) continue;
    const listed = listedValuesOf(document);
    for (const message of listed.errors) problems.push({ origin: inFile(file), message });
    for (const value of listed.values) {
      const identification = identifyObject(value.value);
      switch (identification.claim) {
        case 'other kind':
          otherKinds.set(identification.kind, (otherKinds.get(identification.kind) ?? 0) + 1);
          break;
        case 'misspelled':
          misspelled.push(problemAt(file, value, identification.message));
          break;
        case 'invalid':
          problems.push(problemAt(file, value, identification.message));
          break;
        case 'known':
          objects.push(objectAt(file, value, identification));
          break;
      }
    }
  }
  return { objects, problems, misspelled, otherKinds };
}

function problemAt(file: string, { position }: ListedValue, message: string): InputProblem {
  return { origin: inFile(file), message: position === undefined ? message : `${position}: ${message}` };
}

function objectAt(
  file: string,
  { position }: ListedValue,
  { key, object, kind, label }: Identification & { readonly claim: 'known' },
): ManifestObject {
  return {
    key,
    object,
    label: label ?? (position === undefined ? kind : `${kind} at ${position}`),
    isNamed: label !== undefined,
    file,
    ...(position !== undefined && { position }),
    findings: checkObject(key, object),
  };
}
