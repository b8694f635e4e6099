/**
 * The objects in a document, which may be a list of them: a `List` as `kubectl get` prints it, or a `PodList` as the API does, whose
 * items leave out what the list says of them all.
 */
import { describeValue } from '../../domain/api/conformance.ts';
import type { ParsedDocument } from './documents.ts';
import { isJsonObject, type JsonObject } from '../json/json-object.ts';

/** A value that should be an object, and its place in the file. */
export interface ListedValue {
  readonly value: unknown;
  /** As `line 12` or, if the parser has no lines, `items[3]`; absent for a whole document without lines. */
  readonly position?: string;
}

/** The values of a document and what is wrong with the lists in it. */
export interface ListedValues {
  readonly values: readonly ListedValue[];
  /** Each says where, in a sentence without a full stop. */
  readonly faults: readonly string[];
}

/** Unfolds the lists of a document, lists in lists too. */
export function listedValuesOf(document: ParsedDocument): ListedValues {
  const values: ListedValue[] = [];
  const faults: string[] = [];
  const unfold = (value: unknown, inherited: JsonObject, path: string): void => {
    const position = positionOf(document, value, path);
    const items = itemsOf(value);
    if (items === undefined) {
      const whole = isJsonObject(value) ? { ...inherited, ...value } : value;
      values.push(position === undefined ? { value: whole } : { value: whole, position });
    } else if (Array.isArray(items)) {
      const ofItems = inheritedBy(value);
      for (const [index, item] of items.entries())
        unfold(item, ofItems, `${path === '' ? '' : `${path}.`}items[${index}]`);
    } else {
      faults.push(
        `${position === undefined ? '' : `${position}: `}expected a list of items, found ${describeValue(items)}`,
      );
    }
  };
  unfold(document.value, {}, '');
  return { values, faults };
}

/** What a list's `items` holds; undefined for a value that is no list. */
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
