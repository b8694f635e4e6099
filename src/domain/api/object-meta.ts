import Type from 'typebox';
import { partOf, type Shape, stringMap } from './schema.ts';

const ownerReference = partOf({
  apiVersion: Type.String(),
  kind: Type.String(),
  name: Type.String(),
  uid: Type.String(),
  controller: Type.Optional(Type.Boolean()),
});

const fields = {
  name: Type.String({ minLength: 1, maxLength: 253 }),
  namespace: Type.Optional(Type.String()),
  uid: Type.Optional(Type.String()),
  generation: Type.Optional(Type.Integer()),
  labels: Type.Optional(stringMap()),
  annotations: Type.Optional(stringMap()),
  finalizers: Type.Optional(Type.Array(Type.String())),
  ownerReferences: Type.Optional(Type.Array(ownerReference)),
  deletionTimestamp: Type.Optional(Type.String()),
};

/** The part of an object's metadata that is read (Kubernetes API reference, ObjectMeta). */
export const objectMetaSchema = partOf(fields);

/** The part of the metadata that is read of objects of which the older one takes precedence. */
export const datedObjectMetaSchema = partOf({ ...fields, creationTimestamp: Type.Optional(Type.String()) });

/** An object's metadata, as far as it is read. */
export type ObjectMeta = Shape<typeof datedObjectMetaSchema>;
