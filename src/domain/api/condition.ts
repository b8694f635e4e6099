import Type from 'typebox';
import { partOf, stringEnum } from './schema.ts';

/** One condition of a status (Kubernetes API reference, Condition). */
export const conditionSchema = partOf({
  type: Type.String({ minLength: 1, maxLength: 316 }),
  status: stringEnum(['True', 'False', 'Unknown']),
  reason: Type.String({ maxLength: 1024 }),
  message: Type.Optional(Type.String({ maxLength: 32768 })),
  lastTransitionTime: Type.Optional(Type.String()),
  observedGeneration: Type.Optional(Type.Integer()),
});

/** A condition without its transition time, which its writer sets. */
export interface Condition<Kind extends string = string, Reason extends string = string> {
  readonly type: Kind;
  readonly status: 'True' | 'False';
  readonly reason: Reason;
  readonly message: string;
  /** `metadata.generation` of the object that it was decided for; absent where the object has none, as in files. */
  readonly observedGeneration?: number;
}
