/**
 * Writes of an agent about its own node: its report of ids, and annotations of its Node (docs/design/networks.md, "Ids").
 */
import { apiVersionOf, kinds } from '../../domain/api/kinds.ts';
import type { NodeAnnotations, NodeReportObject } from '../../domain/plan/registration/node-registration.ts';
import type { ApplyResult } from '../../ports/apply-result.ts';
import type { RegistrationStore } from '../../ports/registration-store.ts';
import { isJsonObject } from '../json/json-object.ts';
import type { ApiResult, ApiServer } from './api-server.ts';
import type { ObjectWriter } from './object-writer.ts';
import { keyOf, objectPath, pathOf } from './paths.ts';

/** Writes the Node of a name, after its former writes. */
type WriteNode = (name: string, write: (writer: ObjectWriter) => Promise<ApplyResult>) => Promise<ApplyResult>;

const NOT_FOUND = 404;

const kind = kinds.configMaps;

export class KubernetesRegistration implements RegistrationStore {
  readonly #server: ApiServer;
  readonly #fieldManager: string;
  readonly #writeNode: WriteNode;

  constructor(server: ApiServer, fieldManager: string, writeNode: WriteNode) {
    this.#server = server;
    this.#fieldManager = fieldManager;
    this.#writeNode = writeNode;
  }

  async storeReport({ namespace, name, labels, owner, data }: NodeReportObject): Promise<ApplyResult> {
    const key = keyOf({ namespace, name });
    const found = await this.#server.send({ method: 'GET', path: objectPath(kind, key) });
    if (!found.ok && found.failure.status !== NOT_FOUND) return resultOf(key, found);
    const stored = found.ok && isJsonObject(found.value['metadata']) ? found.value['metadata'] : {};
    const metadata = { namespace, name, labels, ownerReferences: [{ apiVersion: 'v1', kind: 'Node', ...owner }] };
    const query = { fieldManager: this.#fieldManager };
    const body = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: { ...stored, ...metadata }, data };
    // The answer is not what is read: only the event of a watch comes after those of all earlier claims.
    return resultOf(
      key,
      await this.#server.write(
        found.ok
          ? { method: 'PUT', path: objectPath(kind, key), query, body }
          : { method: 'POST', path: pathOf(kind, namespace), query, body },
      ),
    );
  }

  annotateNode({ node, uid, annotations }: NodeAnnotations): Promise<ApplyResult> {
    return this.#writeNode(node, (writer) =>
      writer.applyToExisting(node, { metadata: { annotations } }, { uid, keepsOthers: true }),
    );
  }
}

function resultOf(key: string, result: ApiResult): ApplyResult {
  if (result.ok) return { done: true };
  const { status, message } = result.failure;
  const isRefused = status !== undefined && status < 500;
  return { done: false, error: `${kind.kind}/${key}: ${message}`, ...(isRefused && { isRefused: true as const }) };
}
