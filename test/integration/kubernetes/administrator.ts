import { setTimeout as pause } from 'node:timers/promises';
import { accessOfKubeconfig } from '../../../src/adapters/kubernetes/cluster-access.ts';
import { ApiServer, type ApiRequest } from '../../../src/adapters/kubernetes/api-server.ts';
import { keyOf, namedBy, objectPath, pathOf } from '../../../src/adapters/kubernetes/paths.ts';
import { isJsonObject, type JsonObject } from '../../../src/adapters/json/json-object.ts';
import type { Kind } from '../../../src/domain/api/kind.ts';
import { kinds } from '../../../src/domain/api/kinds.ts';

/** An object, as far as it says what it is. */
interface NamedObject {
  readonly kind: string;
  readonly metadata: { readonly namespace?: string; readonly name: string };
  readonly status?: object;
}

const kindNamed = (name: string): Kind => {
  const kind = Object.values(kinds).find((each) => each.kind === name);
  if (kind === undefined) throw new Error(`there is no kind ${name}`);
  return kind;
};

/** A user of a cluster who may do everything. Objects are named by `name`, or `namespace/name`. */
export class Administrator {
  readonly #server: ApiServer;

  private constructor(server: ApiServer) {
    this.#server = server;
  }

  static async of({ kubeconfig }: { readonly kubeconfig: string }): Promise<Administrator> {
    const access = await accessOfKubeconfig(kubeconfig);
    if (!access.read) throw new Error(JSON.stringify(access.problems));
    return new Administrator(new ApiServer(access.value));
  }

  /** Sends a request, and throws where it is refused. An API server has a new kind some time after its definition. */
  async send(request: ApiRequest): Promise<JsonObject> {
    const result = await this.#server.send(request);
    if (!result.ok && result.failure.retryAfter !== undefined) {
      await pause(result.failure.retryAfter);
      return await this.send(request);
    }
    if (!result.ok) throw new Error(`${request.method} ${request.path}: ${result.failure.message}`);
    return result.value;
  }

  /** Creates an object or changes what it says of it, its status included. */
  async apply(object: object): Promise<void> {
    const { status, ...rest } = object as NamedObject;
    const path = objectPath(kindNamed(rest.kind), keyOf(rest.metadata));
    const query = { fieldManager: 'administrator', force: 'true' };
    await this.send({ method: 'PATCH', path, query, body: rest });
    if (status !== undefined) {
      const { apiVersion, kind, metadata } = rest as NamedObject & { readonly apiVersion: string };
      const body = { apiVersion, kind, metadata: namedBy(keyOf(metadata)), status };
      await this.send({ method: 'PATCH', path: `${path}/status`, query, body });
    }
  }

  /** Changes fields of an object, and removes those that are null (RFC 7396). */
  async merge(kind: string, name: string, body: object): Promise<void> {
    const path = objectPath(kindNamed(kind), name);
    await this.send({ method: 'PATCH', path, contentType: 'application/merge-patch+json', body });
  }

  /** Changes fields of the status of an object likewise. */
  async mergeStatus(kind: string, name: string, status: object): Promise<void> {
    const path = `${objectPath(kindNamed(kind), name)}/status`;
    await this.send({ method: 'PATCH', path, contentType: 'application/merge-patch+json', body: { status } });
  }

  /** An object as it is stored; undefined if there is none. */
  async get(kind: string, name: string): Promise<JsonObject | undefined> {
    const result = await this.#server.send({ method: 'GET', path: objectPath(kindNamed(kind), name) });
    if (result.ok) return result.value;
    if (result.failure.status === 404) return undefined;
    throw new Error(result.failure.message);
  }

  /** All objects of a kind, in all namespaces. */
  async list(kind: string): Promise<readonly JsonObject[]> {
    const { items } = await this.send({ method: 'GET', path: pathOf(kindNamed(kind)) });
    return Array.isArray(items) ? items.filter(isJsonObject) : [];
  }

  async delete(kind: string, name: string): Promise<void> {
    await this.send({ method: 'DELETE', path: objectPath(kindNamed(kind), name) });
  }

  /** Deletes all objects of a kind, regardless of their finalizers. */
  async deleteAll(kind: string): Promise<void> {
    const objects = (await this.list(kind)) as unknown as readonly NamedObject[];
    for (const { metadata } of objects) {
      const path = objectPath(kindNamed(kind), keyOf(metadata));
      const { finalizers = [] } = metadata as { readonly finalizers?: readonly string[] };
      if (finalizers.length > 0) {
        await this.send({
          method: 'PATCH',
          path,
          contentType: 'application/merge-patch+json',
          body: { metadata: { finalizers: null } },
        });
      }
      await this.send({ method: 'DELETE', path });
    }
  }

  close(): void {
    this.#server.close();
  }
}
