/**
 * A list that is read in pages (Kubernetes documentation, "Kubernetes API Concepts", Retrieving large results sets in chunks).
 */
import { isJsonObject } from '../../json/json-object.ts';
import type { ApiFailure, ApiServer } from '../api-server.ts';
import type { ObjectList } from './observed-objects.ts';

/** Objects in a page. */
const PAGE_SIZE = '500';

/** HTTP status where the version of a list is too old, or has expired while it was read in pages. */
export const GONE = 410;

/** Metadata alone, as far as the API server knows how (Kubernetes documentation, "Kubernetes API Concepts", Metadata-only fetches). */
export const metadataAs = (kind: string) => `application/json;as=${kind};g=meta.k8s.io;v=v1,application/json`;

/** The objects to list. */
export interface PagesRequest {
  /** Such as `/api/v1/pods`. */
  readonly path: string;
  /** As `labelSelector` and `fieldSelector`. */
  readonly selectors: Readonly<Record<string, string>>;
  /** Media types; absent for whole objects. */
  readonly accept?: string;
}

/** The list, and its version; or why it could not be read. */
export type Pages =
  | { readonly ok: true; readonly list: ObjectList; readonly resourceVersion: string | undefined }
  | { readonly ok: false; readonly failure: ApiFailure };

/**
 * Reads all pages of a list. One that changes too much meanwhile is read at once.
 *
 * @param newList makes an empty list that the objects are added to
 */
export async function readPages(
  server: ApiServer,
  { path, selectors, ...accepted }: PagesRequest,
  newList: () => ObjectList,
): Promise<Pages> {
  let list = newList();
  let limit: string | undefined = PAGE_SIZE;
  let next = '';
  for (;;) {
    const query: Record<string, string> = { ...selectors };
    if (limit !== undefined) query['limit'] = limit;
    if (next !== '') query['continue'] = next;
    const result = await server.send({ method: 'GET', path, query, ...accepted });
    if (!result.ok && result.failure.status === GONE && limit !== undefined) {
      list = newList();
      [limit, next] = [undefined, ''];
      continue;
    }
    if (!result.ok) return result;
    const { metadata, items } = result.value;
    for (const object of Array.isArray(items) ? items : []) {
      if (isJsonObject(object)) list.add(object);
    }
    const { continue: token, resourceVersion } = isJsonObject(metadata) ? metadata : {};
    next = typeof token === 'string' ? token : '';
    if (next === '') {
      return { ok: true, list, resourceVersion: typeof resourceVersion === 'string' ? resourceVersion : undefined };
    }
  }
}
