import Type from 'typebox';
import { partOf, type SchemaOptions, type Shape, stringMap } from './schema.ts';

/** Schema of a label selector (Kubernetes API reference, LabelSelector). As in Kubernetes, it does not constrain the operator. */
export function labelSelectorSchema(options: SchemaOptions = {}) {
  return partOf(
    {
      matchLabels: Type.Optional(stringMap()),
      matchExpressions: Type.Optional(
        Type.Array(
          partOf({
            key: Type.String(),
            operator: Type.String(),
            values: Type.Optional(Type.Array(Type.String())),
          }),
        ),
      ),
    },
    options,
  );
}

/** A label selector in an object; `selection/label-selector.ts` interprets it. */
export type LabelSelector = Shape<ReturnType<typeof labelSelectorSchema>>;
