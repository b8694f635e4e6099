/**
 * A folder of files that serves as the API of a cluster (`--manifests`).
 */
import { readdirSync } from 'node:fs';
import { basename, join, resolve, sep } from 'node:path';
import { apiVersionOf } from '../../domain/api/kind.ts';
import { kinds } from '../../domain/api/kinds.ts';
import { by } from '../../domain/basics/names/ordering.ts';
import type { Deletion, FieldsWrite, ObjectWrite } from '../../domain/objects/object-write.ts';
import type { ApplyResult } from '../../ports/apply-result.ts';
import type { ClusterReading } from '../../ports/cluster/cluster-source.ts';
import { inFile, type InputProblem, type Reading } from '../../ports/input-problem.ts';
import type { ResourceStore } from '../../ports/cluster/resource-store.ts';
import { type ManifestObject, problemOf } from '../manifests/manifest-object.ts';
import { sortedProblems } from '../manifests/problem-order.ts';
import { sharedSnapshot } from '../manifests/shared-snapshot.ts';
import { snapshotOf } from '../manifests/snapshot-of-objects.ts';
import { type FolderContent, ManifestFolder } from './manifest-folder.ts';
import { GRACE_PERIOD } from './missing-objects.ts';
import { objectWithStatus } from './object-with-status.ts';
import { SerialQueue } from './serial-queue.ts';
import { OwnWrites } from './own-writes.ts';
import { type StoredStatuses, StatusFolder } from './status-folder.ts';
import { isStatusKind, isTemporary, statusFolderOf, statusKinds } from './status-names.ts';
import { statusText } from './status-text.ts';
import { StatusWriter } from './status-writer.ts';
import { mergedStatus, type StoredStatus, storedStatusIn } from './stored-status.ts';
import { Watches } from '../file-system/watches.ts';
import { followLinks } from './symbolic-links.ts';

/**
 * The embedded API.
 *
 * Reading takes one stat(2) per unchanged file, and returns a snapshot that shares every unchanged list and object with the former one. A removed
 * object is kept for another second, since it may be moved to another file. The kernel does not report changes that another machine makes on a network
 * file system, or a mount over the folder: the next read finds them.
 */
export class FolderApi implements ResourceStore {
  private readonly folder: string;
  private readonly statusPath: string;
  private readonly own = new OwnWrites();
  private readonly watches = new Watches((folder, name) => this.onEvent(folder, name));
  private readonly manifests: ManifestFolder;
  private readonly status: StatusFolder;
  private readonly writer: StatusWriter;
  private readonly readings = new SerialQueue();
  private readonly writings = new SerialQueue();
  private readonly merged = new WeakMap<ManifestObject, { status: StoredStatus | undefined; object: ManifestObject }>();
  private listener: (() => void) | undefined;
  private isNotified = false;
  private isClosed = false;
  private hasRead = false;
  private alarm: NodeJS.Timeout | undefined;
  private last: { readonly objects: readonly ManifestObject[]; readonly value: ClusterReading } | undefined;

  /**
   * @param folder the folder of the objects
   * @param gracePeriod milliseconds for which an object has to be missing before it counts as deleted
   */
  constructor(folder: string, gracePeriod = GRACE_PERIOD) {
    this.folder = resolve(folder);
    this.statusPath = statusFolderOf(this.folder);
    const onFolder = (path: string) => this.watch(path);
    const hooks = {
      onFolder,
      onLink: (path: string) => this.watchWay(path),
      isSkipped: (path: string) => path === this.statusPath || isLock(path),
    };
    this.manifests = new ManifestFolder(this.folder, hooks, gracePeriod);
    this.status = new StatusFolder(this.statusPath, onFolder);
    this.writer = new StatusWriter(this.statusPath, this.own);
  }

  read(): Promise<Reading<ClusterReading>> {
    return this.readings.do(async () => this.unlessClosed(this.isClosed ? undefined : await this.look()));
  }

  onChange(listener: () => void): void {
    this.listener = listener;
    // Not watched since the last read.
    if (this.hasRead) setImmediate(() => this.notify());
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.alarm);
    this.watches.close();
    await Promise.all([this.readings.do(() => Promise.resolve()), this.writings.do(() => Promise.resolve())]);
    this.watches.close();
  }

  write(write: ObjectWrite): Promise<ApplyResult> {
    const { kind, name } = write;
    if (!isStatusKind(kind) || write.verb === 'store-claims' || isForProvided(write))
      return Promise.resolve(withoutServer);
    return this.writeNext(() => {
      if (write.verb === 'delete') return this.writer.remove(kind, name);
      if (kind === 'UplinkState') return this.writer.write(kind, name, () => statusText(stateIn(write)));
      if (this.manifests.objects?.has(`${kind}/${name}`) !== true) return Promise.resolve(gone(kind, name));
      return this.writer.write(kind, name, (text) => {
        const former = text === undefined ? 'none' : storedStatusIn(text, kind);
        return statusText(mergedStatus(write, typeof former === 'string' ? undefined : former));
      });
    });
  }

  private writeNext(write: () => Promise<ApplyResult>): Promise<ApplyResult> {
    return this.writings.do(() => (this.isClosed ? Promise.resolve(closed) : write()));
  }

  private async look(): Promise<Reading<ClusterReading>> {
    this.isNotified = false;
    this.hasRead = true;
    clearTimeout(this.alarm);
    this.watches.begin();
    await this.watchWay(this.folder);
    // Statuses first: that of an object created in between would count as obsolete.
    const stored = await this.status.read();
    const holdings = await this.manifests.read();
    this.watches.end();
    if (!holdings.known) return { read: false, problems: sortedProblems(holdings.problems) };
    if (holdings.wait !== undefined) this.notifyIn(holdings.wait);
    const unremoved = holdings.isComplete ? await this.removeOrphans(holdings.objects, stored) : [];
    return { read: true, value: this.readingOf(holdings, stored, unremoved) };
  }

  private readingOf(
    { objects, warnings }: Extract<FolderContent, { known: true }>,
    stored: StoredStatuses,
    unremoved: readonly InputProblem[],
  ): ClusterReading {
    const own = [...objects.values()].filter(({ key }) => key !== 'uplinkStates');
    const ignored = [...objects.values()].filter(({ key }) => key === 'uplinkStates');
    const all = [...own.map((object) => this.withStatus(object, stored)), ...stored.states].sort(
      by(({ label }) => label),
    );
    const everyWarning = sortedProblems([
      ...warnings,
      ...all.flatMap(warningsOf),
      ...ignored.map((object) => misplacedState(object, this.statusPath)),
      ...stored.warnings,
      ...unremoved,
      ...this.unwatched(),
    ]);
    const same = this.last !== undefined && haveSameItems(this.last.objects, all) ? this.last.value : undefined;
    const { snapshot, origins } = same ?? {
      snapshot: sharedSnapshot(this.last?.value.snapshot, snapshotOf(all)),
      origins: new Map(all.map(({ label, file }) => [label, file])),
    };
    const value = { snapshot, origins, warnings: everyWarning };
    this.last = { objects: all, value };
    return value;
  }

  private withStatus(object: ManifestObject, { statuses }: StoredStatuses): ManifestObject {
    if (object.key !== 'uplinks' && object.key !== 'clusterUserDefinedNetworks') return object;
    const status = statuses.get(object.label)?.status;
    const known = this.merged.get(object);
    if (known !== undefined && known.status === status) return known.object;
    const merged = objectWithStatus(object, status);
    this.merged.set(object, { status, object: merged });
    return merged;
  }

  /**
   * Removes the status of deleted objects, so that a new object of the same name starts without one.
   */
  private async removeOrphans(
    objects: ReadonlyMap<string, ManifestObject>,
    { statuses }: StoredStatuses,
  ): Promise<readonly InputProblem[]> {
    const orphans = [...statuses].filter(([label]) => !objects.has(label));
    const outcomes = await Promise.all(
      orphans.map(async ([, { file }]) => ({
        file,
        outcome: await this.writeNext(() => this.writer.removeFile(file)),
      })),
    );
    return outcomes.flatMap(({ file, outcome }) =>
      outcome.done ? [] : [{ origin: inFile(file), message: `belongs to a deleted object: ${outcome.error}` }],
    );
  }

  private watch(folder: string, name?: string): void {
    if (this.listener !== undefined && !this.isClosed) this.watches.add(folder, name);
  }

  private watchWay(path: string): Promise<void> {
    return followLinks(path, (folder, name) => this.watch(folder, name));
  }

  private onEvent(folder: string, name: string | undefined): void {
    const path = name === undefined ? folder : join(folder, name);
    if (path !== this.statusPath && !path.startsWith(this.statusPath + sep)) this.notify();
    else if (path === this.statusPath || statusKinds.some((kind) => path === join(this.statusPath, kind)))
      this.onStatusFolders();
    else if (!isTemporary(path) && !this.own.isAsLeft(path)) this.notify();
  }

  /** A status folder was created or removed; its existing files caused no event. */
  private onStatusFolders(): void {
    this.watch(this.statusPath);
    for (const kind of statusKinds) {
      const folder = join(this.statusPath, kind);
      this.watch(folder);
      const isForeign = (name: string) => !isTemporary(name) && !this.own.isAsLeft(join(folder, name));
      if (namesIn(folder).some(isForeign)) this.notify();
    }
  }

  private notify(): void {
    if (this.isNotified || this.isClosed || this.listener === undefined) return;
    this.isNotified = true;
    this.listener();
  }

  private notifyIn(milliseconds: number): void {
    if (this.listener !== undefined) this.alarm = setTimeout(() => this.notify(), Math.ceil(milliseconds) + 1);
  }

  private unwatched(): readonly InputProblem[] {
    return [...this.watches.refused].map(([file, code]) => ({
      origin: inFile(file),
      message: `changes in it are noticed late: the system allows no more watches (${code}); raise fs.inotify.max_user_watches and fs.inotify.max_user_instances`,
    }));
  }

  private unlessClosed(reading: Reading<ClusterReading> | undefined): Reading<ClusterReading> {
    if (reading !== undefined && !this.isClosed) return reading;
    return { read: false, problems: [{ origin: inFile(this.folder), message: 'is closed' }] };
  }
}

const closed: ApplyResult = { done: false, error: 'the store is closed' };

const withoutServer: ApplyResult = {
  done: false,
  error: 'networks are provided as a whole only in a cluster with an API server',
  isRefused: true,
};

/** Whether it is a write of a network that ovn-uplinks provides. */
function isForProvided(write: FieldsWrite | Deletion): boolean {
  const isStatus = write.verb === 'apply' && write.status !== undefined && write.status['attachedPods'] === undefined;
  return write.kind !== 'UplinkState' && !isStatus;
}

/** An UplinkState as it is stored. */
function stateIn({ kind, name, metadata, status }: FieldsWrite): object {
  return { apiVersion: apiVersionOf(kinds.uplinkStates), kind, metadata: { name, ...metadata }, status };
}

/** Emacs marks a file with unsaved changes by a dangling link `.#NAME` (Emacs manual, Interlocking). */
function isLock(path: string): boolean {
  return basename(path).startsWith('.#');
}

function gone(kind: string, name: string): ApplyResult {
  return { done: false, error: `${kind}/${name} does not exist` };
}

function warningsOf(object: ManifestObject): readonly InputProblem[] {
  return object.findings.filter(({ severity }) => severity === 'warning').map((finding) => problemOf(object, finding));
}

function misplacedState({ file, label }: ManifestObject, statusPath: string): InputProblem {
  return {
    origin: inFile(file, label),
    message: `is not used: agents write UplinkStates themselves, below ${statusPath}`,
  };
}

function haveSameItems<Item>(left: readonly Item[], right: readonly Item[]): boolean {
  return left.length === right.length && left.every((item, index) => item === right[index]);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
