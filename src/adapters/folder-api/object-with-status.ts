import { UPLINK_FINALIZER } from '../../domain/basics/conventions.ts';
import { isJsonObject, type JsonObject } from '../json/json-object.ts';
import type { ManifestObject } from '../manifests/manifest-object.ts';
import type { StoredStatus } from './stored-status.ts';

/**
 * An object of a manifest with its stored status. As with the API server users do not write the status: that of the manifest, mostly exported from
 * another cluster, is ignored, as is our finalizer.
 */
export function objectWithStatus(manifest: ManifestObject, stored: StoredStatus | undefined): ManifestObject {
  const { status: _status, metadata, ...rest } = manifest.object;
  const conditions = stored?.status?.conditions ?? [];
  return {
    ...manifest,
    object: {
      ...rest,
      metadata: isJsonObject(metadata) ? metadataWith(metadata, stored?.metadata.finalizers ?? []) : metadata,
      ...(conditions.length > 0 && { status: { conditions } }),
    },
  };
}

function metadataWith({ finalizers, ...metadata }: JsonObject, stored: readonly string[]): JsonObject {
  const present: readonly unknown[] = Array.isArray(finalizers) ? finalizers : [];
  const others = present.filter((finalizer) => finalizer !== UPLINK_FINALIZER);
  const all: readonly unknown[] = stored.includes(UPLINK_FINALIZER) ? [...others, UPLINK_FINALIZER] : others;
  return all.length === 0 ? metadata : { ...metadata, finalizers: all };
}
