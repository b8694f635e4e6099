import Type from 'typebox';
import { conditionSchema } from '../../domain/api/condition.ts';
import { conformanceTo } from '../../domain/api/conformance.ts';
import { apiVersionOf } from '../../domain/api/kind.ts';
import { kinds } from '../../domain/api/kinds.ts';
import { partOf, type Shape } from '../../domain/api/schema.ts';
import type { FieldsWrite } from '../../domain/objects/object-write.ts';
import { writtenKinds } from '../../domain/objects/written-kinds.ts';
import { parseText } from '../manifests/parse-text.ts';
import type { StatusKind } from './status-names.ts';

const storedStatusSchema = partOf({
  apiVersion: Type.String(),
  kind: Type.String(),
  metadata: partOf({ name: Type.String(), finalizers: Type.Optional(Type.Array(Type.String())) }),
  status: Type.Optional(partOf({ conditions: Type.Optional(Type.Array(conditionSchema)) })),
});

/**
 * The stored part of an object that users create: only what they do not write.
 *
 * @example
 * ```yaml
 * apiVersion: k8s.ovn.org/v1alpha1
 * kind: Uplink
 * metadata:
 *   finalizers:
 *     - k8s.ovn.org/uplink-protection
 *   name: blue-underlay
 * status:
 *   conditions:
 *     - {lastTransitionTime: 2026-11-20T08:00:00Z, message: …, reason: …, status: "False", type: Degraded}
 * ```
 */
export type StoredStatus = Shape<typeof storedStatusSchema>;

const conformance = conformanceTo(storedStatusSchema);

/** Reads a stored status, or returns why it is invalid. */
export function storedStatusIn(text: string, kind: StatusKind): StoredStatus | string {
  const { documents, errors } = parseText(text);
  const [document] = documents;
  if (errors[0] !== undefined) return errors[0];
  if (document === undefined || documents.length > 1) return `expected one document, found ${documents.length}`;
  const result = conformance(document.value);
  if (!result.conforms) {
    const { path, expected, found } = result.findings[0] ?? { path: '', expected: 'a status', found: 'something else' };
    return `${path === '' ? '' : `${path}: `}expected ${expected}, found ${found}`;
  }
  return result.value.kind === kind ? result.value : `expected kind ${kind}, found ${result.value.kind}`;
}

/** The new status: our conditions, and the stored ones of others. */
export function mergedStatus(
  { kind, name, metadata: { finalizers } = {}, status: { conditions = [] } = {} }: FieldsWrite,
  former: StoredStatus | undefined,
): StoredStatus {
  const ours = new Set(conditions.map(({ type }) => type));
  const others = (former?.status?.conditions ?? []).filter(({ type }) => !ours.has(type));
  return {
    apiVersion: apiVersionOf(kinds[writtenKinds[kind].key]),
    kind,
    metadata: { name, ...(finalizers !== undefined && { finalizers }) },
    status: { conditions: [...others, ...conditions] },
  };
}
