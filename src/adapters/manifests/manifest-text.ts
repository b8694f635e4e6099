import { inFile, type InputProblem } from '../../ports/input-problem.ts';
import { checkObject } from './check-object.ts';
import { identifyObject } from './identify-object.ts';
import { type ListedValue, listedValuesOf } from './list-items.ts';
import type { ManifestObject } from './manifest-object.ts';
import { parseText } from './parse-text.ts';

/** What files hold. */
export interface ManifestContents {
  /** Every object of a kind that this project uses, usable or not. */
  readonly objects: readonly ManifestObject[];
  /** What is wrong with files as such; what is wrong with an object is among its findings. */
  readonly problems: readonly InputProblem[];
  /** Objects of kinds that this project does not use: they were not looked at. */
  readonly otherKinds: number;
}

/** Reads the objects out of a file's text; never throws. */
export function contentsOfText(file: string, text: string): ManifestContents {
  const objects: ManifestObject[] = [];
  const { documents, faults } = parseText(text);
  const problems: InputProblem[] = faults.map((message) => ({ origin: inFile(file), message }));
  let otherKinds = 0;
  for (const document of documents) {
    if (document.value === null) continue;
    const listed = listedValuesOf(document);
    for (const message of listed.faults) problems.push({ origin: inFile(file), message });
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
    case 'none':
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
