import { pathOfPointer } from '../../domain/api/conformance.ts';
import { isJsonObject } from '../json/json-object.ts';
import { nearestName } from '../../domain/basics/names/nearest-name.ts';
import type { ObjectFinding } from './object-finding.ts';
import type { SchemaNode } from './schema-node.ts';
import { placesWhere, pointerTo } from './schema-places.ts';

/** Finds fields that are unknown to a schema. The API server drops them without a message. */
export function unknownFieldsOf(root: SchemaNode): (value: unknown) => readonly ObjectFinding[] {
  const places = placesWhere(root, (node) => node.properties.size > 0 && !node.preservesUnknownFields);
  return (value) => {
    const findings: ObjectFinding[] = [];
    for (const { node, value: part, pointer } of places(value)) {
      if (!isJsonObject(part)) continue;
      for (const name of Object.keys(part)) {
        if (node.properties.has(name)) continue;
        const path = pathOfPointer(pointerTo(pointer, name));
        findings.push({ path, message: describeUnknown(name, node), severity: 'warning' });
      }
    }
    return findings;
  };
}

function describeUnknown(name: string, node: SchemaNode): string {
  const meant = nearestName(name, node.properties.keys());
  return `unknown field, which the API server drops${meant === undefined ? '' : `; did you mean ${meant}?`}`;
}
