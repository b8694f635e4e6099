/**
 * The folder `status`: the last statuses written by agents and the cluster manager. Their owners compute them again, so unreadable files are ignored.
 */
import { readdir, stat, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { byName } from '../../domain/basics/names/ordering.ts';
import { inFile, type InputProblem } from '../../ports/input-problem.ts';
import { errorCode, describeFileSystemError } from '../manifests/file-system-error.ts';
import { type ManifestObject, problemOf } from '../manifests/manifest-object.ts';
import { contentsOfText } from '../manifests/manifest-text.ts';
import { readFileText } from '../manifests/read-text.ts';
import { versionOf } from './file-version.ts';
import { isTemporary, statusFileName, type StatusKind, statusKinds } from './status-names.ts';
import { type StoredStatus, storedStatusIn } from './stored-status.ts';

/** Milliseconds after which a temporary file is a leftover of a crash; agents of other nodes write there too. */
const LEFT_OVER = 60_000;

/** The stored status of an object. */
type StoredObject =
  | { readonly kind: 'UplinkState'; readonly name: string; readonly state: ManifestObject }
  | { readonly kind: 'Uplink' | 'ClusterUserDefinedNetwork'; readonly name: string; readonly status: StoredStatus };

interface StatusFile {
  readonly version?: string;
  readonly stored?: StoredObject;
  readonly problem?: InputProblem;
}

/** All stored statuses. */
export interface StoredStatuses {
  readonly states: readonly ManifestObject[];
  /** By `Kind/name`, with its file. */
  readonly statuses: ReadonlyMap<string, { readonly file: string; readonly status: StoredStatus }>;
  readonly warnings: readonly InputProblem[];
}

export class StatusFolder {
  private readonly path: string;
  private readonly onFolder: (path: string) => void;
  private files: ReadonlyMap<string, StatusFile> = new Map();
  private isSwept = false;

  /** @param onFolder called with each folder before it is listed. */
  constructor(path: string, onFolder: (path: string) => void) {
    this.path = path;
    this.onFolder = onFolder;
  }

  /** Reads changed files. Never rejects. */
  async read(): Promise<StoredStatuses> {
    const files = new Map<string, StatusFile>();
    const warnings: InputProblem[] = [];
    this.onFolder(this.path);
    for (const kind of statusKinds) {
      const folder = join(this.path, kind);
      this.onFolder(folder);
      const names = await readdir(folder).catch((error: unknown) => {
        if (errorCode(error) !== 'ENOENT') warnings.push(withoutEffect(folder, describeFileSystemError(error)));
        return [];
      });
      for (const name of names.sort(byName)) {
        const path = join(folder, name);
        if (isTemporary(name)) await this.sweep(path);
        else if (name.endsWith('.yaml')) {
          const file = await readStatusFile(path, name, kind, this.files.get(path));
          if (file !== undefined) files.set(path, file);
        }
      }
    }
    this.files = files;
    this.isSwept = true;
    return {
      ...sorted(files),
      warnings: [...warnings, ...[...files.values()].flatMap(({ problem }) => problem ?? [])],
    };
  }

  /** Removes leftovers of a crash, at the first read. */
  private async sweep(path: string): Promise<void> {
    if (this.isSwept) return;
    try {
      if (Date.now() - (await stat(path)).mtimeMs > LEFT_OVER) await rm(path, { force: true });
    } catch {
      // Harmless; the next start tries again.
    }
  }
}

function sorted(files: ReadonlyMap<string, StatusFile>): Pick<StoredStatuses, 'states' | 'statuses'> {
  const states: ManifestObject[] = [];
  const statuses = new Map<string, { readonly file: string; readonly status: StoredStatus }>();
  for (const [file, { stored }] of files) {
    if (stored === undefined) continue;
    if (stored.kind === 'UplinkState') states.push(stored.state);
    else statuses.set(`${stored.kind}/${stored.name}`, { file, status: stored.status });
  }
  return { states, statuses };
}

async function readStatusFile(
  path: string,
  name: string,
  kind: StatusKind,
  former: StatusFile | undefined,
): Promise<StatusFile | undefined> {
  const stats = await stat(path, { bigint: true }).catch(() => undefined);
  const version = stats && versionOf(stats);
  if (former !== undefined && version !== undefined && former.version === version) return former;
  const text = await readFileText(path);
  if (stats === undefined && !text.read) return undefined;
  const known = version !== undefined && text.read ? { version } : {};
  if (!text.read) return { problem: withoutEffect(path, text.problems[0]?.message ?? 'cannot be read') };
  const stored = readStoredObject(path, text.value, kind);
  if (typeof stored === 'string') return { ...known, problem: withoutEffect(path, stored) };
  if (statusFileName(stored.name) === name) return { ...known, stored };
  return {
    ...known,
    problem: withoutEffect(path, `is not the file of ${kind}/${stored.name}: ${statusFileName(stored.name)}`),
  };
}

function readStoredObject(path: string, text: string, kind: StatusKind): StoredObject | string {
  if (kind !== 'UplinkState') {
    const status = storedStatusIn(text, kind);
    return typeof status === 'string' ? status : { kind, name: status.metadata.name, status };
  }
  const { objects, problems } = contentsOfText(path, text);
  const [state] = objects;
  const problem = problems[0] ?? objects.flatMap(unusable)[0];
  if (problem !== undefined) return [problem.path, problem.message].filter((part) => part !== undefined).join(': ');
  if (state === undefined || objects.length > 1 || state.key !== 'uplinkStates') return 'expected one UplinkState';
  return { kind, name: state.label.slice('UplinkState/'.length), state };
}

function unusable(object: ManifestObject): readonly InputProblem[] {
  return object.findings.filter(({ severity }) => severity === 'error').map((finding) => problemOf(object, finding));
}

function withoutEffect(file: string, message: string): InputProblem {
  return { origin: inFile(file), message: `${message}; it is ignored and will be overwritten` };
}
