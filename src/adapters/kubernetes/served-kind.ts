import { apiVersionOf, type Kind } from '../../domain/api/kind.ts';
import { isJsonObject, type JsonObject } from '../json/json-object.ts';
import type { ApiFailure, ApiServer } from './api-server.ts';

/**
 * Whether an API server has a kind in the version that is read, as its discovery says (Kubernetes documentation, "The Kubernetes API", Discovery API), or why
 * that is not known. That a path is not found is no proof: a proxy, or an API server that starts, says so of paths that there are.
 */
export async function isServed(server: ApiServer, kind: Kind): Promise<boolean | ApiFailure> {
  const { group, version, plural } = kind;
  const groups = await listOf(server, '/apis', 'APIGroupList', 'groups');
  if ('message' in groups) return groups;
  const versions = groups.items.find(({ name }) => name === group)?.['versions'];
  if (!Array.isArray(versions) || !versions.some((each) => isJsonObject(each) && each['version'] === version))
    return false;
  const resources = await listOf(server, `/apis/${apiVersionOf(kind)}`, 'APIResourceList', 'resources');
  return 'message' in resources ? resources : resources.items.some(({ name }) => name === plural);
}

async function listOf(
  server: ApiServer,
  path: string,
  kind: string,
  field: string,
): Promise<{ readonly items: readonly JsonObject[] } | ApiFailure> {
  const result = await server.send({ method: 'GET', path });
  if (!result.ok) return result.failure;
  const items = result.value[field];
  if (result.value['kind'] !== kind || !Array.isArray(items))
    return { message: `${server.url} answers GET ${path} with something other than an ${kind}` };
  return { items: items.filter(isJsonObject) };
}
