/**
 * Writes for networks that ovn-uplinks provides (docs/design/networks.md).
 */
import { isDeepStrictEqual } from 'node:util';
import { reportTexts } from '../../domain/allocation/node-report.ts';
import type { Node } from '../../domain/api/node.ts';
import { type KindKey, kinds } from '../../domain/api/kinds.ts';
import { ID_CLAIMS_NAME, NETWORK_FINALIZER, NODE_ID_ANNOTATION } from '../../domain/conventions.ts';
import type { ClaimsChange } from '../../domain/plan/network-ids.ts';
import type { NodeId, ObsoleteDefinition } from '../../domain/plan/plan-provision.ts';
import type { DesiredAttachmentDefinition } from '../../domain/provision/attachment-definition.ts';
import type { ApplyResult } from '../../ports/apply-result.ts';
import type { ProvidedMetadata, ProvidedNetwork, ProvidedStatus, ProvisionStore } from '../../ports/provision-store.ts';
import type { JsonObject } from '../json/json-object.ts';
import type { ApiServer } from './api-server.ts';
import { metadataAs, readPages } from './list-pages.ts';
import type { ObjectWriter } from './object-writer.ts';
import { finalizersIn } from './object-writer.ts';
import { keyOf, pathOf } from './paths.ts';
import type { WatchedList } from './watched-list.ts';

/** Writes an object of a kind, after its former writes. */
type Write = (
  kind: KindKey,
  key: string,
  write: (writer: ObjectWriter, list: WatchedList) => Promise<ApplyResult>,
) => Promise<ApplyResult>;

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
    const metadata = { namespace, name: ID_CLAIMS_NAME };
    const key = keyOf(metadata);
    return this.#write('configMaps', key, async (writer, list) => {
      const found = await writer.find(key);
      if (!found.done && found.isMissing !== true) return found;
      if (found.done) list.take(found.object);
      const stored = found.done ? (found.object['data'] ?? {}) : undefined;
      if (!isDeepStrictEqual(stored, former)) return outdated('the claims were changed');
      if (!found.done) return await writer.create({ metadata, data });
      const reported = reports === undefined || (await this.#stillReport(reports));
      if (reported !== true) return reported === false ? outdated('reports of nodes were changed') : reported;
      return await writer.replace(key, { ...found.object, data });
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
    const { uid, conditions, activeNamespaces } = network;
    const key = keyOf(network);
    return this.#write(listOf(network), key, async (writer, list) => {
      // With its last finalizer it may be gone.
      if (list.uidOf(key) === undefined) return { done: true };
      if (network.kind === 'UserDefinedNetwork') return await writer.apply(key, { status: { conditions } }, { uid });
      const applied = await writer.apply(key, { status: { conditions, activeNamespaces } }, { uid });
      // Definitions of other implementations do not have the field, and no status with it is accepted then.
      const isUnknown = !applied.done && /activeNamespaces: field not declared/.test(applied.error);
      return isUnknown ? await writer.apply(key, { status: { conditions } }, { uid }) : applied;
    });
  }

  writeDefinition({ metadata: { uid, ...metadata }, spec }: DesiredAttachmentDefinition): Promise<ApplyResult> {
    const key = keyOf(metadata);
    return this.#write('networkAttachmentDefinitions', key, (writer) =>
      // Neither changes one that another program has created meanwhile.
      uid === undefined ? writer.create({ metadata, spec }) : writer.applyToExisting(key, { metadata, spec }, { uid }),
    );
  }

  deleteDefinition(definition: ObsoleteDefinition): Promise<ApplyResult> {
    const key = keyOf(definition);
    return this.#write('networkAttachmentDefinitions', key, (writer) =>
      writer.deleteWithFinalizer(key, NETWORK_FINALIZER, definition.uid),
    );
  }

  /** Whether the nodes, read anew, have these reports; or why that is not known. */
  async #stillReport(reports: readonly string[]): Promise<boolean | ApplyResult> {
    let found: JsonObject[] = [];
    const request = { path: pathOf(kinds.nodes), selectors: {}, accept: metadataAs('PartialObjectMetadataList') };
    const pages = await readPages(this.#server, request, () => {
      found = [];
      return { items: new Map(), add: (object) => void found.push(object) };
    });
    if (!pages.ok) return { done: false, error: `the nodes cannot be read: ${pages.failure.message}` };
    return isDeepStrictEqual(reportTexts(found as unknown as readonly Node[]), reports);
  }
}

function listOf({ kind }: ProvidedNetwork): KindKey {
  return kind === 'UserDefinedNetwork' ? 'userDefinedNetworks' : 'clusterUserDefinedNetworks';
}
