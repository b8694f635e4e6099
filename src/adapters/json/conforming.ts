import type { TSchema } from 'typebox';
import { conformanceTo, describeValue } from '../../domain/api/conformance.ts';
import type { Shape } from '../../domain/api/schema.ts';
import { inFile, type InputProblem, type Reading } from '../../ports/input-problem.ts';
import { isJsonObject } from './json-object.ts';
import { allOf } from './readings.ts';

/** Where a value stands. */
export interface Place {
  /** Named in problems. */
  readonly file: string;
  /** What of the file is meant, where it holds several things; absent for the whole of it. */
  readonly object?: string;
  /** Where in the file or object, as `[3].linkinfo`; empty for the whole of it. */
  readonly path: string;
}

/** Turns a value at a place into what it means, or into problems that name the place. */
export type Reader<Value> = (value: unknown, place: Place) => Reading<Value>;

/** The place of an item of the list at a place. */
export function itemPlace(place: Place, index: number): Place {
  return { ...place, path: `${place.path}[${index}]` };
}

/** The place of what stands under a path in the value at a place. */
export function fieldPlace(place: Place, inner: string): Place {
  const separator = place.path === '' || inner === '' || inner.startsWith('[') ? '' : '.';
  return { ...place, path: `${place.path}${separator}${inner}` };
}

/** A problem at a place; the path is left out where all of it is meant. */
export function problemAt({ file, object, path }: Place, message: string): InputProblem {
  return { origin: inFile(file, object), ...(path !== '' && { path }), message };
}

/** Prepares a reader of values that conform to a schema: prepare once, use often. */
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
 * Makes a reader of lists out of a reader of items. Empty objects are passed over: `ip -json` prints one in place of each entry that it
 * filters out (iproute2, lib/json_print.c).
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

/** The words in which every problem about a value is told. */
export function expectedFound(expected: string, found: string): string {
  return `expected ${expected}, found ${found}`;
}

function isEmptyObject(value: unknown): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}
