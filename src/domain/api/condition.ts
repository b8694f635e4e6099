import Type from 'typebox';
import { listMap, partOf, stringEnum, struct } from './schema.ts';

/** Most conditions of an object of this project: without a bound, no CEL rule could go through them. */
const MAX_CONDITIONS = 32;

const conditionFields = {
  type: Type.String({ description: 'Type of the condition.', minLength: 1, maxLength: 316 }),
  status: stringEnum(['True', 'False', 'Unknown'], { description: 'Whether the condition holds.' }),
  reason: Type.String({ description: 'Machine-readable reason, one word.', maxLength: 1024 }),
  message: Type.Optional(Type.String({ description: 'Human-readable details.', maxLength: 32768 })),
  lastTransitionTime: Type.Optional(Type.String({ description: 'When the status last changed.' })),
  observedGeneration: Type.Optional(
    Type.Integer({
      description:
        'Value of metadata.generation that the condition is about; an older one than the object has is outdated.',
      minimum: 0,
    }),
  ),
};

/** One condition of a status, as others may write it (Kubernetes API reference, Condition). */
export const conditionSchema = partOf(conditionFields);

/** The conditions of an object of this project. */
export function conditionsSchema(description: string) {
  return Type.Optional(listMap(struct(conditionFields), ['type'], { description, maxItems: MAX_CONDITIONS }));
}

/** A condition without its transition time, which its writer sets. */
export interface Condition<Kind extends string = string, Reason extends string = string> {
  readonly type: Kind;
  readonly status: 'True' | 'False';
  readonly reason: Reason;
  readonly message: string;
  /** `metadata.generation` of the object that it was decided for; absent where the object has none, as in files. */
  readonly observedGeneration?: number;
}
