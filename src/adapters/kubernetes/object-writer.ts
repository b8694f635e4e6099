/**
 * Writes of objects that are in no namespace: each by server-side apply, so that what others have added stays (Kubernetes documentation, "Server-Side
 * Apply").
 */
import { apiVersionOf, type Kind } from '../../domain/api/kinds.ts';
import type { ApplyResult } from '../../ports/apply-result.ts';
import { isObjectName, objectNameRule } from '../manifests/object-name.ts';
import type { JsonObject } from '../json/json-object.ts';
import type { ApiFailure, ApiRequest, ApiResult, ApiServer } from './api-server.ts';
import { objectPath, pathOf } from './paths.ts';
import type { WatchedList } from './watched-list.ts';

/** What of an object is applied: nothing else of it is changed. */
export interface AppliedFields {
  readonly metadata?: object;
  readonly status?: object;
}

/** Why something was not done. */
type NotDone = ApplyResult & { readonly done: false };

/** The result of a creation, and whether there is an object of the name already. */
export type Created = ApplyResult & { readonly exists?: true };

/** An object as it is stored, or why it is not known. */
type FoundObject = { readonly done: true; readonly object: JsonObject } | NotDone;

/** HTTP status where there is an object of a name already, or another one than is meant. */
const CONFLICT = 409;

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
  async inOrder(name: string, write: () => Promise<ApplyResult>): Promise<ApplyResult> {
    if (!isObjectName(name)) {
      return {
        done: false,
        error: `${this.#kind.kind} ${JSON.stringify(name)}: expected ${objectNameRule}`,
        isRefused: true,
      };
    }
    const former = this.#last.get(name) ?? Promise.resolve();
    const result = former.then(write);
    this.#last.set(name, result);
    try {
      return await result;
    } finally {
      if (this.#last.get(name) === result) this.#last.delete(name);
    }
  }

  /** Creates an object, without a status. Fails if there is one of its name, and says so. */
  async create(metadata: { readonly name: string }): Promise<Created> {
    const body = { apiVersion: apiVersionOf(this.#kind), kind: this.#kind.kind, metadata };
    const result = await this.#send({ method: 'POST', path: pathOf(this.#kind), body });
    if (result.ok) return { done: true };
    const refusal = this.#refusal(metadata.name, result.failure);
    return result.failure.status === CONFLICT ? { ...refusal, exists: true } : refusal;
  }

  /** An object as it is stored, whether it is in the list or not. */
  async find(name: string): Promise<FoundObject> {
    const result = await this.#server.send({ method: 'GET', path: objectPath(this.#kind, name) });
    return result.ok ? { done: true, object: result.value } : this.#refusal(name, result.failure);
  }

  /**
   * Applies fields of an object that exists, its metadata or its status. Succeeds where the object is deleted before its deletion is observed: there is
   * nothing left to write to.
   *
   * @param uid which object; the one in the list unless it is given
   */
  async apply(name: string, { metadata, status }: AppliedFields, uid = this.#list.uidOf(name)): Promise<ApplyResult> {
    if (uid === undefined) return { done: false, error: `${this.#kind.kind}/${name} does not exist` };
    const result = await this.#send({
      method: 'PATCH',
      path: `${objectPath(this.#kind, name)}${status === undefined ? '' : '/status'}`,
      query: { force: 'true' },
      body: {
        apiVersion: apiVersionOf(this.#kind),
        kind: this.#kind.kind,
        // With its uid an object that has been deleted meanwhile is not made again.
        metadata: { ...metadata, name, uid },
        ...(status && { status }),
      },
    });
    return result.ok || isGone(result.failure) ? { done: true } : this.#refusal(name, result.failure);
  }

  /**
   * Deletes an object; succeeds if there is none.
   *
   * @param uid which object; the one in the list unless it is given
   */
  async delete(name: string, uid = this.#list.uidOf(name)): Promise<ApplyResult> {
    const body = uid === undefined ? undefined : { preconditions: { uid } };
    const path = objectPath(this.#kind, name);
    const result = await this.#server.write({ method: 'DELETE', path, ...(body && { body }) });
    if (!result.ok && result.failure.status !== 404) return this.#refusal(name, result.failure);
    this.#list.drop(name);
    return { done: true };
  }

  async #send(request: ApiRequest): Promise<ApiResult> {
    const result = await this.#server.write({
      ...request,
      query: { fieldManager: this.#fieldManager, ...request.query },
    });
    if (result.ok) this.#list.take(result.value);
    return result;
  }

  #refusal(name: string, { status, message }: ApiFailure): NotDone {
    const error = `${this.#kind.kind}/${name}: ${message}`;
    // Without an answer it may have been done; the API server says so where it is too busy.
    return { done: false, error, ...(status !== undefined && status < 500 && { isRefused: true as const }) };
  }
}

/** Whether there is no object, or another one, of the uid that was to be written. */
function isGone({ status, message }: ApiFailure): boolean {
  return status === 404 || (status === CONFLICT && /\buid\b/i.test(message));
}
