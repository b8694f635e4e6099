/**
 * Whether a value conforms to a schema, and if not: where, what was expected, what was found.
 */
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Settings } from 'typebox/system';
import { counted } from '../basics/names/counted.ts';
import { EXPECTED, type Immutable } from './schema.ts';

/** One way in which a value breaks its schema. */
export interface Finding {
  /** Where in the value, as `spec.nodeConfigs[0].type`; empty for the value itself. */
  readonly path: string;
  /** The expectation, as it completes "expected …". */
  readonly expected: string;
  /** The value that was found, as it completes "found …". */
  readonly found: string;
  /**
   * `shape`: the value cannot be read as the type at all. `vocabulary`: a string that this version does not know, perhaps
   * of a newer one.
   */
  readonly kind: 'shape' | 'vocabulary';
}

/** A value that conforms, or every finding about it. */
export type Conformance<Value> =
  | { readonly conforms: true; readonly value: Value }
  | { readonly conforms: false; readonly findings: readonly Finding[]; readonly value: unknown };

/** Describes a value: its type and beginning. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return `a list of ${counted(value.length, 'item')}`;
  if (typeof value === 'object') return 'an object';
  // YAML has numbers without a JSON form: .nan, .inf.
  const text = typeof value === 'number' ? String(value) : JSON.stringify(value);
  return `${typeof value} ${text.length > 60 ? `${text.slice(0, 57)}…"` : text}`;
}

/** Turns a JSON pointer (RFC 6901) into the path that a person would write. */
export function pathOfPointer(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, segment) => path + pathSegment(segment, path === ''), '');
}

function pathSegment(segment: string, first: boolean): string {
  if (/^\d+$/.test(segment)) return `[${segment}]`;
  if (/^[A-Za-z_][\w-]*$/.test(segment)) return first ? segment : `.${segment}`;
  return `[${JSON.stringify(segment)}]`;
}

function valueAt(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (at, segment) => (typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[segment] : undefined),
      value,
    );
}

const articles: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'a list',
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
};

interface SchemaError {
  readonly keyword: string;
  readonly schemaPath: string;
  readonly instancePath: string;
  readonly params: object;
}

function expectation({ keyword, params }: SchemaError): string {
  const parameter = params as Record<string, unknown>;
  switch (keyword) {
    case 'type':
      return [parameter['type']]
        .flat()
        .map((type) => articles[String(type)] ?? String(type))
        .join(' or ');
    case 'enum':
      return `one of ${(parameter['allowedValues'] as readonly unknown[]).map(String).join(', ')}`;
    case 'minLength':
      return `at least ${counted(Number(parameter['limit']), 'character')}`;
    case 'maxLength':
      return `at most ${counted(Number(parameter['limit']), 'character')}`;
    case 'minItems':
      return `at least ${counted(Number(parameter['limit']), 'item')}`;
    case 'maxItems':
      return `at most ${counted(Number(parameter['limit']), 'item')}`;
    case 'minimum':
    case 'maximum':
      return `${keyword === 'minimum' ? 'at least' : 'at most'} ${String(parameter['limit'])}`;
    default:
      // The library's own message would print the schema.
      return 'another value';
  }
}

/** Keywords about the form of a string, which a schema may say in words (`formattedString`). */
const formKeywords: ReadonlySet<string> = new Set(['pattern', 'minLength', 'maxLength']);

/** The form of a string in words; absent where the schema does not say it, or something else was violated. */
function formInWords(schema: TSchema, { keyword, schemaPath }: SchemaError): string | undefined {
  const words = formKeywords.has(keyword) ? valueAt(schema, `${schemaPath}/${EXPECTED}`) : undefined;
  return typeof words === 'string' ? words : undefined;
}

function findingsOf(error: SchemaError, schema: TSchema, value: unknown): readonly Finding[] {
  // A map's values are reported one by one, so the map itself is not.
  if (error.keyword === 'additionalProperties') return [];
  if (error.keyword === 'required') {
    const missing = (error.params as { readonly requiredProperties: readonly string[] }).requiredProperties;
    return missing.map((name) => ({
      path: pathOfPointer(`${error.instancePath}/${name}`),
      expected: 'a value',
      found: 'nothing',
      kind: 'shape',
    }));
  }
  const actual = valueAt(value, error.instancePath);
  // A value that is not a string is reported as such: the allowed strings add nothing.
  if (error.keyword === 'enum' && typeof actual !== 'string') return [];
  return [
    {
      path: pathOfPointer(error.instancePath),
      expected: formInWords(schema, error) ?? expectation(error),
      found: describeValue(actual),
      kind: error.keyword === 'enum' ? 'vocabulary' : 'shape',
    },
  ];
}

/**
 * Makes a check of values against a schema. It is compiled for the first value, which takes about a millisecond: make it once.
 *
 * @returns a function that gives the value, typed, or all findings; it never throws.
 */
export function conformanceTo<Schema extends TSchema>(
  schema: Schema,
): (value: unknown) => Conformance<Immutable<Static<Schema>>> {
  let compiled: ReturnType<typeof Compile<Schema>> | undefined;
  return (value) => {
    const validator = (compiled ??= Compile(schema));
    if (validator.Check(value)) return { conforms: true, value: value as Immutable<Static<Schema>> };
    const errors = allErrors(() => validator.Errors(value));
    return { conforms: false, findings: eachOnce(errors.flatMap((error) => findingsOf(error, schema, value))), value };
  };
}

/** A string may violate two keywords of one form. */
function eachOnce(findings: readonly Finding[]): readonly Finding[] {
  const seen = new Map(findings.map((finding) => [JSON.stringify([finding.path, finding.expected]), finding]));
  return [...seen.values()];
}

/** The library stops at eight errors by default; the setting is global, so it is changed for this call only. */
function allErrors(collect: () => readonly SchemaError[]): readonly SchemaError[] {
  const { maxErrors } = Settings.Get();
  Settings.Set({ maxErrors: Number.POSITIVE_INFINITY });
  const errors = collect();
  Settings.Set({ maxErrors });
  return errors;
}
