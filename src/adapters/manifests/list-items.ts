/**
 * The objects of a document, which may be a list: a `List` as printed by `kubectl get`, or a `PodList` as returned by the API, whose items
 * have no apiVersion and kind of their own.
 */
import { describeValue } from '../../domain/api/conformance.ts';
import type { ParsedDocument } from './documents.ts';
import { isJsonObject, type JsonObject } from '../json/json-object.ts';

/** A value that should be an object, with its position in the file. */
export interface ListedValue {
  readonly value: unknown;
  /** `line 12`, or `items[3]` if the parser does not report lines; absent for a whole document without lines. */
  readonly position?: string;
}

/** The values of a document, and errors in its lists. */
export interface ListedValues {
  readonly values: readonly ListedValue[];
  /** Messages with positions. */
  readonly errors: readonly string[];
}

/** Flattens the lists of a document, also nested ones. */
export function listedValuesOf(document: ParsedDocument): ListedValues {
  const values: ListedValue[] = [];
  const errors: string[] = [];
  const flatten = (value: unknown, inherited: JsonObject, path: string): void => {
    const position = positionOf(document, value, path);
    const items = itemsOf(value);
    if (items === undefined) {
      const complete = isJsonObject(value) ? { ...inherited, ...value } : value;
      values.push(position === undefined ? { value: complete } : { value: complete, position });
    } else if (Array.isArray(items)) {
      const inheritedByItems = inheritedBy(value);
      for (const [index, item] of items.entries())
        flatten(item, inheritedByItems, `${path === '' ? '' : `${path}.`}items[${index}]`);
    } else {
      errors.push(
        `${position === undefined ? '' : `${position}: `}expected a list of items, found ${describeValue(items)}`,
      );
    }
  };
  flatten(document.value, {}, '');
  return { values, errors };
}

/** The `items` of a list; undefined if the value is not a list. */
function itemsOf(value: unknown): unknown {
  if (!isJsonObject(value)) return undefined;
  const { kind, items } = value;
  if (kind === 'List') return items ?? [];
  return typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items) ? items : undefined;
}

function inheritedBy(list: unknown): JsonObject {
  if (!isJsonObject(list) || typeof list['kind'] !== 'string' || list['kind'] === 'List') return {};
  return { apiVersion: list['apiVersion'], kind: list['kind'].slice(0, -'List'.length) };
}

function positionOf(document: ParsedDocument, value: unknown, path: string): string | undefined {
  const line = document.lineOf(value) ?? (path === '' ? document.line : undefined);
  if (line !== undefined) return `line ${line}`;
  return path === '' ? undefined : path;
}
