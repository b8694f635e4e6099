/**
 * Reports changes in folders.
 *
 * Uses inotify(7) on folders, through node:fs: an event only triggers a read, so a watch for each folder suffices, where chokidar has one for each
 * file too.
 */
import { type FSWatcher, statSync, watch } from 'node:fs';
import { basename } from 'node:path';
import { isFileError } from './file-error.ts';

/** Called on a change of an entry; without a name if the kernel gives none. */
export type OnEvent = (folder: string, name: string | undefined) => void;

interface Watch {
  readonly watcher: FSWatcher;
  readonly folder: string;
  /** Device and inode of the folder, which may be replaced under the same name. */
  readonly identity: string;
  round: number;
  /** Watched entries. */
  names: Set<string> | 'all';
}

/** Watches on the folders that the last round requested. */
export class Watches {
  private readonly watches = new Map<string, Watch>();
  private readonly refusedFolders = new Map<string, string>();
  private readonly onEvent: OnEvent;
  private round = 0;

  constructor(onEvent: OnEvent) {
    this.onEvent = onEvent;
  }

  /** Folders that cannot be watched, with the error code. */
  get refused(): ReadonlyMap<string, string> {
    return this.refusedFolders;
  }

  /** Begins a round: watches that it does not request are removed at its end. */
  begin(): void {
    this.round += 1;
    this.refusedFolders.clear();
  }

  /** Watches a folder: all of its entries, or one by name. A missing folder is watched through its parent. */
  add(folder: string, name?: string): void {
    const known = this.watches.get(folder);
    const watched = known?.round === this.round ? known : this.renewed(folder, known);
    if (watched === undefined) return;
    if (name === undefined) watched.names = 'all';
    else if (watched.names !== 'all') watched.names.add(name);
  }

  /** Ends a round. */
  end(): void {
    for (const known of this.watches.values()) {
      if (known.round !== this.round) this.drop(known);
    }
  }

  close(): void {
    for (const known of this.watches.values()) this.drop(known);
  }

  private renewed(folder: string, known: Watch | undefined): Watch | undefined {
    const identity = identityOf(folder);
    if (known !== undefined && known.identity === identity) {
      known.round = this.round;
      known.names = new Set();
      return known;
    }
    if (known !== undefined) this.drop(known);
    return identity === undefined ? undefined : this.opened(folder, identity);
  }

  private opened(folder: string, identity: string): Watch | undefined {
    try {
      const watcher = watch(folder, (event, name) => this.report(opened, event, name));
      const opened: Watch = { watcher, folder, identity, round: this.round, names: new Set() };
      watcher.on('error', () => this.lose(opened));
      this.watches.set(folder, opened);
      return opened;
    } catch (error) {
      for (const code of ['ENOSPC', 'EMFILE']) {
        if (isFileError(error, code)) this.refusedFolders.set(folder, code);
      }
      return undefined;
    }
  }

  private report(from: Watch, event: string, name: string | null): void {
    // The event for the removal of the folder itself has its name, and is the last one.
    if (event === 'rename' && name === basename(from.folder)) this.lose(from);
    else if (from.names === 'all' || name === null || from.names.has(name))
      this.onEvent(from.folder, name ?? undefined);
  }

  private lose(lost: Watch): void {
    if (this.watches.get(lost.folder) !== lost) return;
    this.drop(lost);
    this.onEvent(lost.folder, undefined);
  }

  private drop(known: Watch): void {
    this.watches.delete(known.folder);
    known.watcher.close();
  }
}

function identityOf(folder: string): string | undefined {
  try {
    const { dev, ino } = statSync(folder);
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}
