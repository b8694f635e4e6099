import Type from 'typebox';
import { atomicList, partOf, type SchemaOptions, type Shape, stringMap, struct } from './schema.ts';

const expressionFields = {
  key: Type.String({ description: 'Label that the requirement is about.' }),
  operator: Type.String({ description: 'In, NotIn, Exists or DoesNotExist.' }),
  values: Type.Optional(
    atomicList(Type.String(), { description: 'Values for In and NotIn; empty for Exists and DoesNotExist.' }),
  ),
};

const matchLabels = Type.Optional(stringMap({ description: 'Labels, each with the value that it must have.' }));
const ALL_HOLD = 'Requirements, all of which must hold.';

/**
 * Schema of a label selector that another project's schema constrains (Kubernetes API reference, LabelSelector). As in Kubernetes, it does not
 * constrain the operator.
 */
export function labelSelectorSchema(options: SchemaOptions = {}) {
  const expression = partOf(expressionFields);
  return partOf(
    { matchLabels, matchExpressions: Type.Optional(atomicList(expression, { description: ALL_HOLD })) },
    options,
  );
}

/** Schema of a label selector in an object of this project. */
export function ownLabelSelectorSchema(description: string) {
  const expression = struct(expressionFields);
  return struct(
    { matchLabels, matchExpressions: Type.Optional(atomicList(expression, { description: ALL_HOLD })) },
    { description },
  );
}

/** A label selector in an object; `selection/label-selector.ts` interprets it. */
export type LabelSelector = Shape<ReturnType<typeof labelSelectorSchema>>;
