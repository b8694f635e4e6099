import { kinds } from '../../domain/api/kinds.ts';
import { SCHEMA_ANNOTATION, SCHEMA_VERSION } from '../../domain/api/definitions/custom-resource-definition.ts';
import { isJsonObject } from '../json/json-object.ts';
import type { ApiServer } from './api-server.ts';

/** Kinds that have to be served as this project defines them. */
const own = [kinds.uplinks, kinds.uplinkStates];

/**
 * Faults of the definitions that the API server has of this project's kinds; absent where they are ours. Another implementation serves kinds of
 * the same names with other fields.
 */
export async function schemaProblem(server: ApiServer): Promise<string | undefined> {
  for (const { plural, group } of own) {
    const name = `${plural}.${group}`;
    const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`;
    const result = await server.send({ method: 'GET', path });
    if (!result.ok) return `CustomResourceDefinition ${name} cannot be read: ${result.failure.message}`;
    const { metadata } = result.value;
    const annotations = isJsonObject(metadata) && isJsonObject(metadata['annotations']) ? metadata['annotations'] : {};
    const version = annotations[SCHEMA_ANNOTATION];
    if (version !== SCHEMA_VERSION) {
      const found = version === undefined ? 'it has none' : `it has ${JSON.stringify(version)}`;
      return `CustomResourceDefinition ${name} is not the one of this version of ovn-uplinks: expected annotation ${SCHEMA_ANNOTATION}: "${SCHEMA_VERSION}", ${found}; install those that "ovn-uplinks crds" prints`;
    }
  }
  return undefined;
}
