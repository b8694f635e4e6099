/**
 * Writes for networks that ovn-uplinks provides (docs/design/networks.md).
 */
import { isDeepStrictEqual } from 'node:util';
import { reportingNodes, reportTexts } from '../../domain/network/allocation/node-report.ts';
import type { ConfigMap } from '../../domain/api/config-map.ts';
import type { Node } from '../../domain/api/node.ts';
import { type KindKey, kinds } from '../../domain/api/kinds.ts';
import {
  ID_CLAIMS_NAME,
  IDS_LABEL,
  IDS_LABEL_OF_CLAIMS,
  NETWORK_FINALIZER,
  NODE_ID_ANNOTATION,
} from '../../domain/basics/conventions.ts';
import type { ClaimsChange } from '../../domain/plan/view/network-ids.ts';
import type { NodeId, ObsoleteDefinition } from '../../domain/plan/cluster/plan-provision.ts';
import type { DesiredAttachmentDefinition } from '../../domain/network/provision/attachment-definition.ts';
import type { ApplyResult } from '../../ports/apply-result.ts';
import type { ProvidedMetadata, ProvidedNetwork, ProvidedStatus, ProvisionStore } from '../../ports/provision-store.ts';
import { isJsonObject, type JsonObject } from '../json/json-object.ts';
import type { ApiServer } from './api-server.ts';
import { metadataAs, type PagesRequest, readPages } from './list-pages.ts';
import type { ObjectWriter } from './object-writer.ts';
import { finalizersIn, metadataOf } from './object-writer.ts';
import { keyOf, pathOf } from './paths.ts';
import type { WatchedList } from './watched-list.ts';

/** Writes an object of a kind, after its former writes. */
type Write = (
  kind: KindKey,
  key: string,
  write: (writer: ObjectWriter, list: WatchedList) => Promise<ApplyResult>,
) => Promise<ApplyResult>;

const CHANGED = 'the claims were changed';

/** A refusal of claims that are not based on what is stored. */
const outdated = (what: string): ApplyResult => ({
  done: false,
  error: `ConfigMap/${ID_CLAIMS_NAME}: ${what} meanwhile; ids are decided again`,
  isRefused: true,
});

export class KubernetesProvision implements ProvisionStore {
  readonly #server: ApiServer;
  readonly #write: Write;

  constructor(server: ApiServer, write: Write) {
    this.#server = server;
    this.#write = write;
  }

  storeClaims({ namespace, former, data, reports }: ClaimsChange): Promise<ApplyResult> {
    const labels = { [IDS_LABEL]: IDS_LABEL_OF_CLAIMS };
    const metadata = { namespace, name: ID_CLAIMS_NAME, labels };
    const key = keyOf(metadata);
    return this.#write('configMaps', key, async (writer, list) => {
      const found = await writer.find(key);
      if (!found.done && found.isMissing !== true) return found;
      if (!found.done) return former === undefined ? await writer.create({ metadata, data }) : outdated(CHANGED);
      const { object } = found;
      const labelled = { ...object, metadata: { ...metadataOf(object), labels: { ...labelsOf(object), ...labels } } };
      if (!isDeepStrictEqual(object['data'] ?? {}, former)) {
        // Without the label nobody sees it.
        if (labelsOf(object)[IDS_LABEL] !== IDS_LABEL_OF_CLAIMS) return await writer.replace(key, labelled);
        list.take(object);
        return outdated(CHANGED);
      }
      const reported = reports === undefined || (await this.#stillReport(namespace, reports));
      if (reported !== true) return reported === false ? outdated('reports of nodes were changed') : reported;
      return await writer.replace(key, { ...labelled, data });
    });
  }

  writeNodeId({ node, uid, id }: NodeId): Promise<ApplyResult> {
    const metadata = { annotations: { [NODE_ID_ANNOTATION]: String(id) } };
    return this.#write('nodes', node, (writer) =>
      writer.applyToExisting(node, { metadata }, { uid, keepsOthers: true }),
    );
  }

  writeMetadata(network: ProvidedMetadata): Promise<ApplyResult> {
    const { uid, annotations, finalizers } = network;
    const key = keyOf(network);
    const isKept = finalizers.includes(NETWORK_FINALIZER);
    return this.#write(listOf(network), key, async (writer) => {
      const metadata = { annotations, finalizers: isKept ? [NETWORK_FINALIZER] : [] };
      const applied = await writer.applyToExisting(key, { metadata }, { uid });
      // Somebody else has set it too, as in an object that was restored from a backup.
      return applied.done && !isKept && finalizersIn(applied.object).includes(NETWORK_FINALIZER)
        ? await writer.removeFinalizer(key, NETWORK_FINALIZER, applied.object)
        : applied;
    });
  }

  writeProvidedStatus(network: ProvidedStatus): Promise<ApplyResult> {
    const { uid, conditions, activeNamespaces, attachedPods } = network;
    const isNamespaced = network.kind === 'UserDefinedNetwork';
    const key = keyOf(network);
    return this.#write(listOf(network), key, async (writer, list) => {
      // With its last finalizer it may be gone.
      if (list.uidOf(key) === undefined) return { done: true };
      const optional = Object.entries({ attachedPods, ...(!isNamespaced && { activeNamespaces }) });
      return await appliedStatus(
        (fields) => writer.apply(key, { status: { conditions, ...Object.fromEntries(fields) } }, { uid }),
        optional,
      );
    });
  }

  writeDefinition({ metadata: { uid, ...metadata }, spec }: DesiredAttachmentDefinition): Promise<ApplyResult> {
    const key = keyOf(metadata);
    return this.#write('networkAttachmentDefinitions', key, async (writer) => {
      // Neither changes one that another program has created meanwhile.
      if (uid === undefined) return await writer.create({ metadata, spec });
      const apply = () => writer.applyToExisting(key, { metadata, spec }, { uid });
      const applied = await apply();
      if (applied.done || !/one reference can have Controller set to true/i.test(applied.error)) return applied;
      const found = await writer.find(key);
      if (!found.done) return found;
      const replaced = await writer.replaceController(key, metadata.ownerReferences, found.object);
      return replaced.done ? await apply() : replaced;
    });
  }

  deleteDefinition(definition: ObsoleteDefinition): Promise<ApplyResult> {
    const key = keyOf(definition);
    return this.#write('networkAttachmentDefinitions', key, (writer) =>
      writer.deleteWithFinalizer(key, NETWORK_FINALIZER, definition.uid),
    );
  }

  /** Whether the nodes and their reports are still these when read again; or why that is not known. */
  async #stillReport(namespace: string, reports: readonly string[]): Promise<boolean | ApplyResult> {
    const metadataOnly = { accept: metadataAs('PartialObjectMetadataList') };
    const nodes = await this.#readAll('the nodes', { path: pathOf(kinds.nodes), selectors: {}, ...metadataOnly });
    const path = pathOf(kinds.configMaps, namespace);
    const stored = await this.#readAll('the reports of nodes', { path, selectors: { labelSelector: IDS_LABEL } });
    if (!Array.isArray(nodes)) return nodes;
    if (!Array.isArray(stored)) return stored;
    const reporting = reportingNodes(
      nodes as unknown as readonly Node[],
      stored as unknown as readonly ConfigMap[],
      namespace,
    );
    return isDeepStrictEqual(reportTexts(reporting), reports);
  }

  async #readAll(what: string, request: PagesRequest): Promise<JsonObject[] | ApplyResult> {
    let found: JsonObject[] = [];
    const pages = await readPages(this.#server, request, () => {
      found = [];
      return { items: new Map(), add: (object) => void found.push(object) };
    });
    return pages.ok ? found : { done: false, error: `${what} cannot be read: ${pages.failure.message}` };
  }
}

function labelsOf(object: JsonObject): JsonObject {
  const { labels } = metadataOf(object);
  return isJsonObject(labels) ? labels : {};
}

type Fields = readonly (readonly [string, unknown])[];

/**
 * Applies a status with the optional fields that the definition has: those of other implementations do not have all, and no status with an unknown one
 * is accepted. A refusal names the first one.
 */
async function appliedStatus(apply: (fields: Fields) => Promise<ApplyResult>, fields: Fields): Promise<ApplyResult> {
  const applied = await apply(fields);
  if (applied.done) return applied;
  const known = fields.filter(([field]) => !applied.error.includes(`.status.${field}: field not declared`));
  return known.length === fields.length ? applied : await appliedStatus(apply, known);
}

function listOf({ kind }: ProvidedNetwork): KindKey {
  return kind === 'UserDefinedNetwork' ? 'userDefinedNetworks' : 'clusterUserDefinedNetworks';
}
