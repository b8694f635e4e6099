/** Where things stand below the folder's `status`. */
import { createHash, randomUUID } from 'node:crypto';
import { basename, join } from 'node:path';
import { describeValue } from '../../domain/api/conformance.ts';
import { isObjectName, objectNameRule } from '../manifests/object-name.ts';

/** Kinds of which something is kept: each has a folder of its name. */
export const statusKinds = ['UplinkState', 'Uplink', 'ClusterUserDefinedNetwork'] as const;

export type StatusKind = (typeof statusKinds)[number];

/** Longest name that fits with `.yaml` into what file systems take, 255 bytes. */
const MAX_PLAIN_NAME = 250;

/** The folder of everything that this project says, in the folder of the objects. */
export function statusFolderOf(folder: string): string {
  return join(folder, 'status');
}

/** The file of an object's status: by its name, or where that is too long by its beginning and its hash, parted by what no name has. */
export function statusFileName(name: string): string {
  if (name.length <= MAX_PLAIN_NAME) return `${name}.yaml`;
  return `${name.slice(0, 200)}~${createHash('sha256').update(name).digest('hex').slice(0, 32)}.yaml`;
}

/** Why a name is no file's, as nothing may be written outside the folder; absent for the name of an object. */
export function refusedName(name: string): string | undefined {
  return isObjectName(name) ? undefined : `expected ${objectNameRule}, found ${describeValue(name)}`;
}

/** A name for what is being written, which no reader takes for a manifest. */
export function temporaryName(): string {
  return `.${randomUUID()}.tmp`;
}

export function isTemporary(path: string): boolean {
  return /^\.[0-9a-f-]{36}\.tmp$/.test(basename(path));
}
