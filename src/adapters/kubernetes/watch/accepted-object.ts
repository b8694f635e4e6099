import { apiVersionOf, type Kind } from '../../../domain/api/kind.ts';
import type { InputProblem } from '../../../ports/input-problem.ts';
import { isJsonObject, type JsonObject } from '../../json/json-object.ts';
import { checkAs } from '../../validation/check-object.ts';
import { trimmedTo } from './trimmed.ts';

/** The part of an object that is used. */
export interface Accepted {
  /** The part of it that is read; absent where it cannot be read: it is invalid, and no version of it was valid. */
  readonly object?: JsonObject;
  readonly warnings: readonly InputProblem[];
}

/** Decides what is used of an object that is created or changed. */
export type Accept = (object: JsonObject, former: JsonObject | undefined) => Accepted;

const none: readonly InputProblem[] = [];

/**
 * Accepts objects of a kind: fields that are not read are left out, and one that is invalid, though the API server has it, is not used: it was stored
 * before its definition was tightened, or is of a newer version. The last valid version of it stays in use.
 */
export function acceptedObject(kind: Kind): Accept {
  const trim = trimmedTo(kind.schema);
  return (object, former) => {
    // The items of a list do not say what they are.
    const trimmed = { ...(trim(object) as JsonObject), apiVersion: apiVersionOf(kind), kind: kind.kind };
    const findings = checkAs(kind, trimmed);
    if (findings.length === 0) return { object: trimmed, warnings: none };
    const isInvalid = findings.some(({ severity }) => severity === 'error');
    const instead =
      former === undefined
        ? `the object is not used: ${kind.ifUnreadable}`
        : 'the last valid version of it stays in use';
    const origin = { kind: 'object', object: labelOf(kind.kind, object) } as const;
    const warnings = findings.map(({ path, message }): InputProblem => ({
      origin,
      ...(path !== '' && { path }),
      message: isInvalid ? `${message}; ${instead}` : message,
    }));
    if (isInvalid) return { ...(former && { object: former }), warnings };
    return { object: trimmed, warnings };
  };
}

function labelOf(kind: string, { metadata }: JsonObject): string {
  const { namespace, name } = isJsonObject(metadata) ? metadata : {};
  return typeof namespace === 'string' ? `${kind}/${namespace}/${String(name)}` : `${kind}/${String(name)}`;
}
