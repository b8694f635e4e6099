import { inFile, type InputProblem } from '../../ports/input-problem.ts';
import { checkObject } from './check-object.ts';
import { identifyObject } from './identify-object.ts';
import { type ListedValue, listedValuesOf } from './list-items.ts';
import type { ManifestObject } from './manifest-object.ts';
import { parseText } from './parse-text.ts';

/** The content of files. */
export interface ManifestContents {
  /** All objects of kinds that are used, whether valid or not. */
  readonly objects: readonly ManifestObject[];
  /** Problems of files; problems of objects are among their findings. */
  readonly problems: readonly InputProblem[];
  /** The number of objects of other kinds, which were not checked. */
  readonly otherKinds: number;
}

/** Reads the objects in the text of a file; never throws. */
export function contentsOfText(file: string, text: string): ManifestContents {
  const objects: ManifestObject[] = [];
  const { documents, errors } = parseText(text);
  const problems: InputProblem[] = errors.map((message) => ({ origin: inFile(file), message }));
  let otherKinds = 0;
  for (const document of documents) {
    if (document.value === null) continue;
    const listed = listedValuesOf(document);
    for (const message of listed.errors) problems.push({ origin: inFile(file), message });
    for (const value of listed.values) {
      const result = readObject(file, value);
      if (result === 'other kind') otherKinds += 1;
      else if ('key' in result) objects.push(result);
      else problems.push(result);
    }
  }
  return { objects, problems, otherKinds };
}

function readObject(file: string, { value, position }: ListedValue): ManifestObject | InputProblem | 'other kind' {
  const identification = identifyObject(value);
  switch (identification.claim) {
    case 'other kind':
      return 'other kind';
    case 'invalid':
      return {
        origin: inFile(file),
        message: position === undefined ? identification.message : `${position}: ${identification.message}`,
      };
    case 'known': {
      const { key, object, kind, label } = identification;
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
  }
}
