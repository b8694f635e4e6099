import type { TSchema } from 'typebox';
import { conformanceTo, describeValue } from '../../domain/api/conformance.ts';
import type { Shape } from '../../domain/api/schema.ts';
import { inFile, type InputProblem, type Reading } from '../../ports/input-problem.ts';
import { isJsonObject } from './json-object.ts';
import { allOf } from '../../ports/readings.ts';

/** The location of a value. */
export interface Place {
  /** Named in problems. */
  readonly file: string;
  /** The object in the file; absent for the whole file. */
  readonly object?: string;
  /** The path in the file or object, as `[3].linkinfo`; empty for the whole. */
  readonly path: string;
}

/** Converts a value, or returns problems with its place. */
export type Reader<Value> = (value: unknown, place: Place) => Reading<Value>;

/** The place of a list item. */
export function itemPlace(place: Place, index: number): Place {
  return { ...place, path: `${place.path}[${index}]` };
}

/** The place at a path below a place. */
export function fieldPlace(place: Place, inner: string): Place {
  const separator = place.path === '' || inner === '' || inner.startsWith('[') ? '' : '.';
  return { ...place, path: `${place.path}${separator}${inner}` };
}

/** A problem at a place. */
export function problemAt({ file, object, path }: Place, message: string): InputProblem {
  return { origin: inFile(file, object), ...(path !== '' && { path }), message };
}

/** Compiles a reader of values that conform to a schema. */
export function conforming<Schema extends TSchema>(schema: Schema): Reader<Shape<Schema>> {
  const conformance = conformanceTo(schema);
  return (value, place) => {
    const result = conformance(value);
    if (result.conforms) return { read: true, value: result.value };
    const problems = result.findings.map(({ path, expected, found }) =>
      problemAt(fieldPlace(place, path), expectedFound(expected, found)),
    );
    return { read: false, problems };
  };
}

/**
 * A reader of lists from a reader of items. Skips empty objects, which `ip -json` prints for entries that it filters out (iproute2, lib/json_print.c).
 */
export function listOf<Item>(reader: Reader<Item>): Reader<readonly Item[]> {
  return (value, place) => {
    if (!Array.isArray(value)) {
      return { read: false, problems: [problemAt(place, expectedFound('a list', describeValue(value)))] };
    }
    const items: readonly unknown[] = value;
    return allOf(items.flatMap((item, index) => (isEmptyObject(item) ? [] : [reader(item, itemPlace(place, index))])));
  };
}

/** The message of a problem with a value. */
export function expectedFound(expected: string, found: string): string {
  return `expected ${expected}, found ${found}`;
}

function isEmptyObject(value: unknown): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}
