import { pathOfPointer } from '../../domain/api/conformance.ts';
import { isJsonObject } from '../json/json-object.ts';
import type { ObjectFinding } from './object-finding.ts';
import type { SchemaNode } from './schema-node.ts';
import { placesWhere, pointerTo } from './schema-places.ts';

/**
 * Finds items of one list with the same key, if the schema identifies items by keys (x-kubernetes-list-type: map). The API server rejects
 * such an object.
 */
export function repeatedKeysOf(root: SchemaNode): (value: unknown) => readonly ObjectFinding[] {
  const places = placesWhere(root, (node) => node.listMapKeys.length > 0);
  return (value) => {
    const findings: ObjectFinding[] = [];
    for (const { node, value: list, pointer } of places(value)) {
      if (!Array.isArray(list)) continue;
      for (const { index, first, key } of repetitions(list, node.listMapKeys)) {
        const [path, firstPath] = [index, first].map((at) => pathOfPointer(pointerTo(pointer, String(at))));
        findings.push({ path: path ?? '', message: `has the same ${key} as ${firstPath}`, severity: 'error' });
      }
    }
    return findings;
  };
}

interface Repetition {
  readonly index: number;
  readonly first: number;
  /** Such as `name "blue"`. */
  readonly key: string;
}

function repetitions(list: readonly unknown[], keys: readonly string[]): readonly Repetition[] {
  const firsts = new Map<string, number>();
  return list.flatMap((item, index) => {
    if (!isJsonObject(item)) return [];
    const key = keys.map((name) => `${name} ${JSON.stringify(item[name])}`).join(' and ');
    const first = firsts.get(key);
    if (first === undefined) firsts.set(key, index);
    return first === undefined ? [] : [{ index, first, key }];
  });
}
