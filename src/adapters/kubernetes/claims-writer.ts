/**
 * Stores claims of ids (docs/design/networks.md, "Ids"). They are read again before they are written, and so are the reports of nodes that let claims end.
 */
import { isDeepStrictEqual } from 'node:util';
import type { ConfigMap } from '../../domain/api/config-map.ts';
import { kinds } from '../../domain/api/kinds.ts';
import type { Node } from '../../domain/api/node.ts';
import { ID_CLAIMS_NAME, IDS_LABEL, IDS_LABEL_OF_CLAIMS } from '../../domain/basics/conventions.ts';
import { reportingNodes, reportTexts } from '../../domain/network/allocation/node-report.ts';
import type { ClaimsWrite } from '../../domain/objects/object-write.ts';
import type { ApplyResult } from '../../ports/apply-result.ts';
import { isJsonObject, type JsonObject } from '../json/json-object.ts';
import type { ApiServer } from './api-server.ts';
import { metadataAs, type PagesRequest, readPages } from './watch/list-pages.ts';
import { metadataOf, type ObjectWriter } from './object-writer.ts';
import { keyOf, pathOf } from './paths.ts';
import type { WatchedList } from './watch/watched-list.ts';

const CHANGED = 'the claims were changed';

/** A refusal of claims that are not based on what is stored. */
const outdated = (what: string): ApplyResult => ({
  done: false,
  error: `ConfigMap/${ID_CLAIMS_NAME}: ${what} meanwhile; ids are decided again`,
  isRefused: true,
});

/** Stores claims. Fails if the stored ones, or the reports of nodes, are not those that the change was decided on. */
export async function storeClaims(
  { change: { namespace, former, data, reports } }: ClaimsWrite,
  server: ApiServer,
  writer: ObjectWriter,
  list: WatchedList,
): Promise<ApplyResult> {
  const labels = { [IDS_LABEL]: IDS_LABEL_OF_CLAIMS };
  const metadata = { namespace, name: ID_CLAIMS_NAME, labels };
  const key = keyOf(metadata);
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
  const reported = reports === undefined || (await stillReport(namespace, reports, server));
  if (reported !== true) return reported === false ? outdated('reports of nodes were changed') : reported;
  return await writer.replace(key, { ...labelled, data });
}

/** Whether the nodes and their reports are still these when read again; or why that is not known. */
async function stillReport(
  namespace: string,
  reports: readonly string[],
  server: ApiServer,
): Promise<boolean | ApplyResult> {
  const metadataOnly = { accept: metadataAs('PartialObjectMetadataList') };
  const nodes = await readAll('the nodes', { path: pathOf(kinds.nodes), selectors: {}, ...metadataOnly }, server);
  const path = pathOf(kinds.configMaps, namespace);
  const stored = await readAll('the reports of nodes', { path, selectors: { labelSelector: IDS_LABEL } }, server);
  if (!Array.isArray(nodes)) return nodes;
  if (!Array.isArray(stored)) return stored;
  const reporting = reportingNodes(
    nodes as unknown as readonly Node[],
    stored as unknown as readonly ConfigMap[],
    namespace,
  );
  return isDeepStrictEqual(reportTexts(reporting), reports);
}

async function readAll(what: string, request: PagesRequest, server: ApiServer): Promise<JsonObject[] | ApplyResult> {
  let found: JsonObject[] = [];
  const pages = await readPages(server, request, () => {
    found = [];
    return { items: new Map(), add: (object) => void found.push(object) };
  });
  return pages.ok ? found : { done: false, error: `${what} cannot be read: ${pages.failure.message}` };
}

function labelsOf(object: JsonObject): JsonObject {
  const { labels } = metadataOf(object);
  return isJsonObject(labels) ? labels : {};
}
