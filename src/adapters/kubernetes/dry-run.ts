import { type KindKey, kinds } from '../../domain/api/kinds.ts';
import { isJsonObject, type JsonObject } from '../json/json-object.ts';
import type { Verdict } from '../manifests/validate-manifests.ts';
import { type ApiServer, failureOfAll } from './api-server.ts';
import { pathOf } from './paths.ts';

/**
 * Verdict of an API server on an object, which it would create or change, with its stored version and all admission: a dry run of server-side apply
 * (Kubernetes documentation, "Kubernetes API Concepts", Dry-run). Nothing is stored. Never rejects.
 *
 * @returns what it says of the object, or why it says nothing of any object
 */
export async function verdictOfServer(server: ApiServer, key: KindKey, object: JsonObject): Promise<Verdict> {
  const { name, namespace } = isJsonObject(object['metadata']) ? object['metadata'] : {};
  const place = typeof namespace === 'string' ? namespace : undefined;
  const result = await server.send({
    method: 'PATCH',
    path: `${pathOf(kinds[key], place)}/${encodeURIComponent(String(name))}`,
    query: { dryRun: 'All', fieldManager: 'ovn-uplinks-validate', force: 'true', fieldValidation: 'Strict' },
    body: object,
  });
  if (result.ok) return { outcome: 'accepted' };
  const unusable = failureOfAll(server.url, result.failure);
  return unusable === undefined
    ? { outcome: 'refused', message: result.failure.message }
    : { outcome: 'unusable', message: unusable };
}
