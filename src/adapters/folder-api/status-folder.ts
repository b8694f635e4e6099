/**
 * What stands below the folder's `status`: what agents and the cluster's controller said last.
 *
 * It is written anew by whoever decides it, so a file that cannot be read counts for nothing and keeps nothing from being used.
 */
import { readdir, stat, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { byName } from '../../domain/ordering.ts';
import { inFile, type InputProblem } from '../../ports/input-problem.ts';
import type { ObjectStatus } from '../../ports/resource-store.ts';
import { errorCode, describeFileSystemError } from '../manifests/file-system-error.ts';
import { type ManifestObject, problemOf } from '../manifests/manifest-object.ts';
import { contentsOfText } from '../manifests/manifest-text.ts';
import { readFileText } from '../manifests/read-text.ts';
import { versionOf } from './file-version.ts';
import { isTemporary, statusFileName, type StatusKind, statusKinds } from './status-names.ts';
import { type StoredStatus, storedStatusIn } from './stored-status.ts';

/** Milliseconds after which what is still being written was left by a crash. Agents of other nodes write there too. */
const LEFT_OVER = 60_000;

/** What was said of one object. */
type Said =
  | { readonly kind: 'UplinkState'; readonly name: string; readonly state: ManifestObject }
  | { readonly kind: ObjectStatus['kind']; readonly name: string; readonly status: StoredStatus };

interface StatusFile {
  readonly version?: string;
  readonly said?: Said;
  readonly problem?: InputProblem;
}

/** What was said of all objects. */
export interface Sayings {
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

  /** @param onFolder told of each folder before it is listed. */
  constructor(path: string, onFolder: (path: string) => void) {
    this.path = path;
    this.onFolder = onFolder;
  }

  /** Reads what has changed. Never rejects. */
  async look(): Promise<Sayings> {
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

  /** Removes what a crash left, when the folder is looked at for the first time. */
  private async sweep(path: string): Promise<void> {
    if (this.isSwept) return;
    try {
      if (Date.now() - (await stat(path)).mtimeMs > LEFT_OVER) await rm(path, { force: true });
    } catch {
      // It disturbs nobody, and the next start tries again.
    }
  }
}

function sorted(files: ReadonlyMap<string, StatusFile>): Pick<Sayings, 'states' | 'statuses'> {
  const states: ManifestObject[] = [];
  const statuses = new Map<string, { readonly file: string; readonly status: StoredStatus }>();
  for (const [file, { said }] of files) {
    if (said === undefined) continue;
    if (said.kind === 'UplinkState') states.push(said.state);
    else statuses.set(`${said.kind}/${said.name}`, { file, status: said.status });
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
  const said = saidIn(path, text.value, kind);
  if (typeof said === 'string') return { ...known, problem: withoutEffect(path, said) };
  if (statusFileName(said.name) === name) return { ...known, said };
  return {
    ...known,
    problem: withoutEffect(path, `is not where ${kind}/${said.name} is kept: ${statusFileName(said.name)}`),
  };
}

function saidIn(path: string, text: string, kind: StatusKind): Said | string {
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
  return object.findings.filter(({ severity }) => severity === 'unusable').map((finding) => problemOf(object, finding));
}

function withoutEffect(file: string, message: string): InputProblem {
  return { origin: inFile(file), message: `${message}; it counts for nothing and is written anew` };
}
