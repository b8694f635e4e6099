/**
 * Builders for structural schemas.
 *
 * What TypeBox makes of literals, unions and records is good JSON Schema but no structural schema as CustomResourceDefinitions
 * demand (Kubernetes, "Extend the Kubernetes API with CustomResourceDefinitions", Specifying a structural schema). These builders
 * stay inside that subset, so that one schema yields the static type, the offline validator and the CRD.
 */
import Type, { type Static, type TSchema } from 'typebox';

/** The type with every property and element read-only, all the way down: objects of the API are never changed in place. */
export type Immutable<T> = T extends readonly (infer Item)[]
  ? readonly Immutable<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Immutable<T[Key]> }
    : T;

/** The static type of a schema, read-only. */
export type Shape<Schema extends TSchema> = Immutable<Static<Schema>>;

/** A validation rule in CEL, as CRDs carry them in x-kubernetes-validations. */
export interface CelRule {
  /** The expression; `self` is the value at the schema's place, `oldSelf` its value before an update. */
  readonly rule: string;
  /** The message for a person when the rule fails. */
  readonly message: string;
}

/** Options that every builder takes. */
export interface SchemaOptions {
  /** The meaning of the value; becomes the CRD's field documentation. */
  readonly description?: string;
  /** CEL rules on the value. */
  readonly rules?: readonly CelRule[];
}

/** Keyword for the form of a string in words. It is for findings only and no part of a CRD. */
export const EXPECTED = 'x-expected';

interface ArrayBounds extends SchemaOptions {
  readonly minItems?: number;
  readonly maxItems?: number;
}

function extensions({ rules, ...rest }: SchemaOptions): Record<string, unknown> {
  return rules === undefined ? rest : { ...rest, 'x-kubernetes-validations': rules };
}

/** A string out of a fixed set. */
export function stringEnum<const Values extends readonly string[]>(values: Values, options: SchemaOptions = {}) {
  return Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], ...extensions(options) });
}

/** The form of a string: for programs as a regular expression, for people in words. */
interface TextForm {
  /** Regular expression (ECMA-262) that the whole string matches. */
  readonly pattern: string;
  /** The form, with the bounds of its length, as it completes "expected …" and "Must be …". */
  readonly expected: string;
  readonly minLength?: number;
  readonly maxLength?: number;
}

/**
 * A string of a form that a regular expression describes. Findings and the field documentation say the form in words.
 */
export function formattedString({ expected, ...form }: TextForm, { description, ...options }: SchemaOptions = {}) {
  return Type.String({
    ...form,
    description: `${description === undefined ? '' : `${description} `}Must be ${expected}.`,
    [EXPECTED]: expected,
    ...extensions(options),
  });
}

/** A map from string to string, such as labels. */
export function stringMap(options: SchemaOptions = {}) {
  return Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    ...extensions(options),
  });
}

/** A list whose items are identified by a key (x-kubernetes-list-type: map). */
export function listMap<Item extends TSchema>(item: Item, keys: readonly string[], options: ArrayBounds = {}) {
  return Type.Array(item, {
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': keys,
    ...extensions(options),
  });
}

/** A list that one writer replaces as a whole (x-kubernetes-list-type: atomic). */
export function atomicList<Item extends TSchema>(item: Item, options: ArrayBounds = {}) {
  return Type.Array(item, { 'x-kubernetes-list-type': 'atomic', ...extensions(options) });
}

/** An object with fields of known names; others are dropped by the API server and reported by `validate`. */
export function struct<Fields extends Record<string, TSchema>>(fields: Fields, options: SchemaOptions = {}) {
  return Type.Object(fields, extensions(options));
}

/** An object of which only some fields are read here; whatever else is in it is ignored. */
export function partOf<Fields extends Record<string, TSchema>>(fields: Fields, options: SchemaOptions = {}) {
  return Type.Object(fields, { 'x-kubernetes-preserve-unknown-fields': true, ...extensions(options) });
}
