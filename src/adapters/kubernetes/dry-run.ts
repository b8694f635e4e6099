import { type KindKey, kinds } from '../../domain/api/kinds.ts';
import { isJsonObject, type JsonObject } from '../json/json-object.ts';
import type { ApiServer } from './api-server.ts';
import { pathOf } from './paths.ts';

/**
 * Objections of an API server to an object, which it would create or change, with its stored version and all admission: a dry run of server-side apply
 * (Kubernetes documentation, "Kubernetes API Concepts", Dry-run). Nothing is stored. Never rejects.
 *
 * @returns in one line; absent where it takes the object as it is
 */
export async function refusalByServer(
  server: ApiServer,
  key: KindKey,
  object: JsonObject,
): Promise<string | undefined> {
  const { name, namespace } = isJsonObject(object['metadata']) ? object['metadata'] : {};
  const place = typeof namespace === 'string' ? namespace : undefined;
  const result = await server.send({
    method: 'PATCH',
    path: `${pathOf(kinds[key], place)}/${encodeURIComponent(String(name))}`,
    query: { dryRun: 'All', fieldManager: 'ovn-uplinks-validate', force: 'true', fieldValidation: 'Strict' },
    body: object,
  });
  return result.ok ? undefined : result.failure.message;
}
