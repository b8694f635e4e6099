/**
 * Values that a schema allows or just does not: each field of a valid object missing, of another type, empty, at and beyond its bounds, with odd
 * characters.
 */

/** A schema, as far as values are derived from it. */
interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
  readonly enum?: readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
}

/** An object with one or two of its fields changed. */
export interface Mutation {
  /** Which fields, and how. */
  readonly what: string;
  readonly object: object;
}

/** A field of an object. */
interface Place {
  readonly path: readonly (string | number)[];
  readonly schema: Schema;
  readonly value: unknown;
}

/** Stands for a field that is removed. */
const MISSING = Symbol('missing');

const wrongTypes: readonly unknown[] = [MISSING, null, 'x', 5, 1.5, true, [], {}, ['x'], { x: 'x' }];

const oddTexts = [
  ...[
    '',
    ' ',
    '.',
    '..',
    '-',
    'a b',
    'a/b',
    'a:b',
    'a.b',
    'A',
    'a\tb',
    'a\nb',
    'a\u00a0b',
    'à',
    'é',
    '日本',
    '😀',
    '\u0000',
    '\ufeff',
  ],
  ...[
    '"',
    "'",
    '\\',
    '%s',
    '$(x)',
    '{{x}}',
    '#',
    '-force',
    'a\u200db',
    'e\u0301',
    '👩‍👩‍👧',
    '\u2028',
    '\u007f',
    'true',
    'null',
    '1',
  ],
];

function texts({ minLength, maxLength, enum: allowed }: Schema, value: string): readonly string[] {
  const lengths = [minLength, maxLength].flatMap((bound) => (bound === undefined ? [] : [bound - 1, bound, bound + 1]));
  const ofLengths = lengths
    .filter((length) => length >= 0)
    .flatMap((length) => ['a', 'é', '日', '😀', 'e\u0301'].map((character) => character.repeat(length)));
  const variants = (allowed ?? []).flatMap((each) => [each, each.toLowerCase(), ` ${each}`, `${each}s`]);
  return [...oddTexts, ...oddTexts.map((odd) => `${value.slice(0, 6)}${odd}`), ...ofLengths, ...variants];
}

function numbers({ minimum, maximum }: Schema): readonly number[] {
  const bounds = [minimum, maximum].flatMap((bound) => (bound === undefined ? [] : [bound - 1, bound, bound + 1]));
  return [...bounds, 0, -1, 1, 0.5, 2 ** 31, -(2 ** 31) - 1, 2 ** 32, Number.MAX_SAFE_INTEGER];
}

/** Another item of a list, with other keys. */
function otherItem(item: unknown, keys: readonly string[], index: number): unknown {
  if (typeof item !== 'object' || item === null)
    return typeof item === 'string' ? `${item.slice(0, 200)}${index}` : item;
  return { ...item, ...Object.fromEntries(keys.map((key) => [key, `item${index}`])) };
}

function lists(schema: Schema, value: readonly unknown[]): readonly (readonly unknown[])[] {
  const { minItems, maxItems, 'x-kubernetes-list-map-keys': keys = [] } = schema;
  const lengths = [minItems, maxItems].flatMap((bound) => (bound === undefined ? [] : [bound - 1, bound, bound + 1]));
  const [first] = value;
  const ofLengths = lengths
    .filter((length) => length >= 0)
    .map((length) => Array.from({ length }, (_, index) => otherItem(first, keys, index)));
  return [[], [first, first], [...value, null], ...ofLengths];
}

function replacements({ schema, value }: Place): readonly unknown[] {
  const others: readonly unknown[] =
    typeof value === 'string'
      ? texts(schema, value)
      : typeof value === 'number'
        ? numbers(schema)
        : Array.isArray(value)
          ? lists(schema, value)
          : [
              { ...(value as object), 'un-known': 1 },
              { ...(value as object), unknown: { a: [] } },
            ];
  return [...wrongTypes, ...others];
}

/** All fields and items of a value, itself included. */
function placesIn(place: Place): readonly Place[] {
  const { path, schema, value } = place;
  const children = Array.isArray(value)
    ? value.map((item: unknown, index) => ({ path: [...path, index], schema: schema.items ?? {}, value: item }))
    : typeof value === 'object' && value !== null
      ? Object.entries(value).map(([name, field]: [string, unknown]) => ({
          path: [...path, name],
          schema: schema.properties?.[name] ?? schema.additionalProperties ?? {},
          value: field,
        }))
      : [];
  return [place, ...children.flatMap(placesIn)];
}

/** A copy of a value with another one at a path. */
function withValue(value: unknown, [step, ...rest]: readonly (string | number)[], replacement: unknown): unknown {
  if (step === undefined) return replacement;
  if (Array.isArray(value)) {
    const item = withValue(value[Number(step)], rest, replacement);
    return value.flatMap((each: unknown, index) => (index !== step ? [each] : item === MISSING ? [] : [item]));
  }
  const fields = Object.entries(typeof value === 'object' && value !== null ? value : {});
  return Object.fromEntries(
    fields.flatMap(([name, field]: [string, unknown]): readonly [string, unknown][] => {
      if (name !== step) return [[name, field]];
      const changed = withValue(field, rest, replacement);
      return changed === MISSING ? [] : [[name, changed]];
    }),
  );
}

function described(value: unknown): string {
  if (value === MISSING) return 'missing';
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined || text.length > 60 ? `${text?.slice(0, 57) ?? ''}… (${text?.length ?? 0})` : text;
}

interface Change {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

function mutation(object: object, changes: readonly Change[]): Mutation {
  return {
    what: changes.map(({ path, value }) => `${path.join('.')} ${described(value)}`).join(', '),
    object: changes.reduce<unknown>((at, { path, value }) => withValue(at, path, value), object) as object,
  };
}

/** Whether neither of two fields is in the other one. */
const areApart = (a: Change, b: Change) =>
  a.path.some((step, depth) => depth < b.path.length && step !== b.path[depth]);

/**
 * Mutations of an object in a part of it, all with one change, and some with two.
 *
 * @param object valid, with every field that the schema has
 * @param part path of the part, such as `spec`
 * @param pairs how many have two changes, at most
 */
export function mutationsOf(schema: unknown, object: object, part: string, pairs: number): readonly Mutation[] {
  const places = placesIn({ path: [], schema: schema as Schema, value: object });
  const inPart = places.filter(({ path }) => `${path.join('.')}.`.startsWith(`${part}.`));
  const changes = inPart.flatMap((place) => replacements(place).map((value): Change => ({ path: place.path, value })));
  // Multiples of primes, modulo the number of changes: each of them comes with many others.
  const paired = Array.from({ length: pairs }, (_, index): readonly Change[] => {
    const [first, second] = [changes[(index * 7919) % changes.length], changes[(index * 104729 + 17) % changes.length]];
    return first !== undefined && second !== undefined && areApart(first, second) ? [first, second] : [];
  }).filter((pair) => pair.length === 2);
  return [...changes.map((change) => [change]), ...paired].map((each) => mutation(object, each));
}
