import { UPLINK_FINALIZER } from '../../domain/conventions.ts';
import { isJsonObject, type JsonObject } from '../json/json-object.ts';
import type { ManifestObject } from '../manifests/manifest-object.ts';
import type { StoredStatus } from './stored-status.ts';

/**
 * An object of a person with what is kept of it. As with the API server a person does not write a status: what stands for one in a
 * manifest, mostly because another cluster was asked for it, is left out. The same holds for this project's finalizer; those of others are
 * the person's.
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
