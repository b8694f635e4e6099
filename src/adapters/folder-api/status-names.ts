/** File names in the folder `status`. */
import { createHash, randomUUID } from 'node:crypto';
import { basename, join } from 'node:path';
import { describeValue } from '../../domain/api/conformance.ts';
import { isObjectName, objectNameRule } from '../validation/object-name.ts';

/** Kinds with a status: each has a folder of its name. */
export const statusKinds = ['UplinkState', 'Uplink', 'ClusterUserDefinedNetwork'] as const;

export type StatusKind = (typeof statusKinds)[number];

/** Whether a kind has a status. */
export function isStatusKind(kind: string): kind is StatusKind {
  return (statusKinds as readonly string[]).includes(kind);
}

/** Maximum length of a name: with `.yaml` it fits into the 255 bytes of file systems. */
const MAX_PLAIN_NAME = 250;

/** The folder of statuses, in the folder of the objects. */
export function statusFolderOf(folder: string): string {
  return join(folder, 'status');
}

/** The file of an object's status: its name, or for a long name a prefix and a hash, separated by a character that names cannot contain. */
export function statusFileName(name: string): string {
  if (name.length <= MAX_PLAIN_NAME) return `${name}.yaml`;
  return `${name.slice(0, 200)}~${createHash('sha256').update(name).digest('hex').slice(0, 32)}.yaml`;
}

/** Why a name cannot be a file name, since nothing may be written outside the folder; absent for an object name. */
export function refusedName(name: string): string | undefined {
  return isObjectName(name) ? undefined : `expected ${objectNameRule}, found ${describeValue(name)}`;
}

/** A name for a temporary file, which readers ignore. */
export function temporaryName(): string {
  return `.${randomUUID()}.tmp`;
}

export function isTemporary(path: string): boolean {
  return /^\.[0-9a-f-]{36}\.tmp$/.test(basename(path));
}
