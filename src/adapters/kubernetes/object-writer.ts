/**
 * Writes of objects: by server-side apply, so that what others have added stays (Kubernetes documentation, "Server-Side Apply"). Keys of objects are
 * `name`, or `namespace/name`.
 */
import { apiVersionOf, type Kind } from '../../domain/api/kind.ts';
import type { ApplyResult } from '../../ports/apply-result.ts';
import { isObjectName, objectNameRule } from '../validation/object-name.ts';
import { isJsonObject, type JsonObject } from '../json/json-object.ts';
import type { ApiFailure, ApiRequest, ApiResult, ApiServer } from './api-server.ts';
import { keyOf, namedBy, objectPath, pathOf } from './paths.ts';
import type { WatchedList } from './watch/watched-list.ts';

/** Fields of an object to apply; all others are left unchanged. */
export interface AppliedFields {
  readonly metadata?: object;
  readonly spec?: object;
  /** Further ones, by name. */
  readonly content?: object;
  /** Without anything else. */
  readonly status?: object;
}

/** How it is applied. */
interface ApplyOptions {
  /** Which object; the one in the list unless it is given. */
  readonly uid?: string | undefined;
  /** Whether values of fields that others have set are kept: then nothing is applied, and this fails. */
  readonly keepsOthers?: true;
}

/** The result of an apply. */
export type Applied = { readonly done: true; readonly object: JsonObject } | NotDone;

/** Why something was not done. */
export type NotDone = ApplyResult & {
  readonly done: false;
  /** Whether the object that is meant does not exist any more. */
  readonly isGone?: true;
};

/** The result of a creation, and whether there is an object of the name already. */
export type Created = ApplyResult & { readonly exists?: true };

/** An object as it is stored, or why it is not known. */
type FoundObject = { readonly done: true; readonly object: JsonObject } | (NotDone & { readonly isMissing?: true });

/** An object to create. */
interface NewObject {
  readonly metadata: {
    readonly namespace?: string;
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly spec?: object;
  readonly data?: object;
  /** Further fields, by name. */
  readonly content?: object;
}

/** HTTP status where there is an object of a name already, or another one than is meant. */
const CONFLICT = 409;

/** HTTP status where an object would not be valid: one of the name exists, and its uid cannot be changed to the one that is given. */
const INVALID = 422;

/** Writes objects of one kind. */
export class ObjectWriter {
  readonly #server: ApiServer;
  readonly #kind: Kind;
  readonly #list: WatchedList;
  readonly #fieldManager: string;
  /** The last write of each object: they are done one after the other. */
  readonly #last = new Map<string, Promise<unknown>>();

  /** @param fieldManager who owns the fields that are written */
  constructor(server: ApiServer, kind: Kind, list: WatchedList, fieldManager: string) {
    this.#server = server;
    this.#kind = kind;
    this.#list = list;
    this.#fieldManager = fieldManager;
  }

  /** Does something after the former writes of an object. Refuses names that no object can have. Never rejects. */
  async inOrder(key: string, write: () => Promise<ApplyResult>): Promise<ApplyResult> {
    const names = key.split('/');
    if (names.length !== (this.#kind.namespaced ? 2 : 1) || !names.every(isObjectName)) {
      return {
        done: false,
        error: `${this.#kind.kind} ${JSON.stringify(key)}: expected ${objectNameRule}`,
        isRefused: true,
      };
    }
    const former = this.#last.get(key) ?? Promise.resolve();
    const result = former.then(write);
    this.#last.set(key, result);
    try {
      return await result;
    } finally {
      if (this.#last.get(key) === result) this.#last.delete(key);
    }
  }

  /** Creates an object, without a status. Fails if there is one of its name, and says so. */
  async create({ content, ...object }: NewObject): Promise<Created> {
    const { metadata } = object;
    const body = { ...object, ...content, apiVersion: apiVersionOf(this.#kind), kind: this.#kind.kind };
    const result = await this.#send({ method: 'POST', path: pathOf(this.#kind, metadata.namespace), body });
    if (result.ok) return { done: true };
    const refusal = this.#refusal(keyOf(metadata), result.failure);
    return result.failure.status === CONFLICT ? { ...refusal, exists: true } : refusal;
  }

  /** An object as it is stored, whether it is in the list or not. */
  async find(key: string): Promise<FoundObject> {
    const result = await this.#server.send({ method: 'GET', path: objectPath(this.#kind, key) });
    if (result.ok) return { done: true, object: result.value };
    return {
      ...this.#refusal(key, result.failure),
      ...(result.failure.status === 404 && { isMissing: true as const }),
    };
  }

  /**
   * Creates an object, or replaces it as a whole. Fails if it is not the version that it says. The answer is not what is read: only the event of a watch
   * comes after those of all that was written before.
   */
  async store(object: NewObject, exists: boolean): Promise<ApplyResult> {
    const { metadata } = object;
    const key = keyOf(metadata);
    const result = await this.#server.write({
      ...(exists
        ? { method: 'PUT', path: objectPath(this.#kind, key) }
        : { method: 'POST', path: pathOf(this.#kind, metadata.namespace) }),
      query: { fieldManager: this.#fieldManager },
      body: { apiVersion: apiVersionOf(this.#kind), kind: this.#kind.kind, ...object },
    });
    return result.ok ? { done: true } : this.#refusal(key, result.failure);
  }

  /** Replaces an object as a whole. Fails if it is not the version that it says. */
  async replace(key: string, object: JsonObject): Promise<ApplyResult> {
    const result = await this.#send({ method: 'PUT', path: objectPath(this.#kind, key), body: object });
    return result.ok ? { done: true } : this.#refusal(key, result.failure);
  }

  /** Removes a finalizer from an object, also one that another program has set. Fails if the object is not the given version of it any more. */
  async removeFinalizer(key: string, finalizer: string, object: JsonObject): Promise<ApplyResult> {
    const finalizers = finalizersIn(object).filter((each) => each !== finalizer);
    const result = await this.#merge(key, { finalizers }, object);
    return result.ok || result.failure.status === 404 ? { done: true } : this.#refusal(key, result.failure);
  }

  /**
   * Sets the owners of an object in place of an owner that is its controller: applied beside it they would be refused, as an object has one controller.
   * Owners that are none stay. Fails if the object is not the given version of it any more.
   */
  async replaceController(key: string, owners: readonly object[], object: JsonObject): Promise<ApplyResult> {
    const { ownerReferences } = metadataOf(object);
    const found: readonly unknown[] = Array.isArray(ownerReferences) ? ownerReferences : [];
    const others = found.filter((owner) => isJsonObject(owner) && owner['controller'] !== true);
    const result = await this.#merge(key, { ownerReferences: [...owners, ...others] }, object);
    return result.ok ? { done: true } : this.#refusal(key, result.failure);
  }

  /** Changes metadata of an object, if it is still the given version of it. */
  async #merge(key: string, metadata: object, object: JsonObject): Promise<ApiResult> {
    const { resourceVersion } = metadataOf(object);
    return await this.#send({
      method: 'PATCH',
      path: objectPath(this.#kind, key),
      contentType: 'application/merge-patch+json',
      body: { metadata: { ...metadata, resourceVersion } },
    });
  }

  /** Applies fields of an object that exists, its status or others; the result has the object as it is then. */
  async apply(
    key: string,
    { metadata, spec, content, status }: AppliedFields,
    { uid = this.#list.uidOf(key), keepsOthers }: ApplyOptions = {},
  ): Promise<Applied> {
    if (uid === undefined) return { done: false, error: `${this.#kind.kind}/${key} does not exist` };
    const result = await this.#send({
      method: 'PATCH',
      path: `${objectPath(this.#kind, key)}${status === undefined ? '' : '/status'}`,
      query: keepsOthers === true ? {} : { force: 'true' },
      body: {
        apiVersion: apiVersionOf(this.#kind),
        kind: this.#kind.kind,
        // With its uid an object that has been deleted meanwhile is not made again.
        metadata: { ...metadata, ...namedBy(key), uid },
        ...(spec && { spec }),
        ...content,
        ...(status && { status }),
      },
    });
    if (result.ok) return { done: true, object: result.value };
    return isGone(result.failure)
      ? { done: false, error: `${this.#kind.kind}/${key} was deleted meanwhile`, isGone: true }
      : this.#refusal(key, result.failure);
  }

  /**
   * Deletes an object; succeeds if there is none.
   *
   * @param uid which object; the one in the list unless it is given
   */
  async delete(key: string, uid = this.#list.uidOf(key)): Promise<ApplyResult> {
    const result = await this.#delete(key, uid);
    if (!result.ok && result.failure.status !== 404) return this.#refusal(key, result.failure);
    this.#list.drop(key);
    return { done: true };
  }

  /** Deletes the object of a uid, and removes a finalizer from it. Those of others keep it, so that it stays in the list. */
  async deleteWithFinalizer(key: string, finalizer: string, uid: string | undefined): Promise<ApplyResult> {
    // Another one may have its name.
    if (uid === undefined || this.#list.uidOf(key) !== uid) return { done: true };
    const result = await this.#delete(key, uid);
    if (!result.ok && !isGone(result.failure)) return this.#refusal(key, result.failure);
    // Without a finalizer it is gone with the request, and the answer is no object.
    if (result.ok && finalizersIn(result.value).includes(finalizer)) {
      this.#list.take(result.value);
      return await this.removeFinalizer(key, finalizer, result.value);
    }
    if (result.ok && finalizersIn(result.value).length > 0) this.#list.take(result.value);
    else this.#list.drop(key);
    return { done: true };
  }

  async #delete(key: string, uid: string | undefined): Promise<ApiResult> {
    const body = uid === undefined ? undefined : { preconditions: { uid } };
    return await this.#server.write({ method: 'DELETE', path: objectPath(this.#kind, key), ...(body && { body }) });
  }

  async #send(request: ApiRequest): Promise<ApiResult> {
    const result = await this.#server.write({
      ...request,
      query: { fieldManager: this.#fieldManager, ...request.query },
    });
    if (result.ok) this.#list.take(result.value);
    return result;
  }

  #refusal(key: string, { status, message }: ApiFailure): NotDone {
    const error = `${this.#kind.kind}/${key}: ${message}`;
    // Without an answer it may have been done; the API server says so where it is too busy.
    return { done: false, error, ...(status !== undefined && status < 500 && { isRefused: true as const }) };
  }
}

/** Whether there is no object, or another one, of the uid that was to be written. */
function isGone({ status, message }: ApiFailure): boolean {
  return (
    status === 404 ||
    (status === CONFLICT && /\buid\b/i.test(message)) ||
    (status === INVALID && /\bmetadata\.uid: /.test(message))
  );
}

/** The metadata of an object. */
export function metadataOf(object: JsonObject | undefined): JsonObject {
  const metadata = object?.['metadata'];
  return isJsonObject(metadata) ? metadata : {};
}

/** The finalizers of an object. */
export function finalizersIn(object: JsonObject | undefined): readonly unknown[] {
  const { finalizers } = metadataOf(object);
  return Array.isArray(finalizers) ? finalizers : [];
}
