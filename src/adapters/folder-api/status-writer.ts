/** Writes the files in the folder `status` atomically. */
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApplyResult } from '../../ports/apply-result.ts';
import { replaceFile } from '../file-system/replace-file.ts';
import { errorCode } from '../manifests/file-system-error.ts';
import type { OwnWrites } from './own-writes.ts';
import { refusedName, statusFileName, type StatusKind, temporaryName } from './status-names.ts';

const done: ApplyResult = { done: true };

export class StatusWriter {
  private readonly folder: string;
  private readonly own: OwnWrites;

  /** @param folder the folder `status`; its parent has to exist. */
  constructor(folder: string, own: OwnWrites) {
    this.folder = folder;
    this.own = own;
  }

  /**
   * Replaces the status of an object. Never rejects.
   *
   * @param textFor returns the new text for the current one; an equal text is not written again.
   */
  async write(kind: StatusKind, name: string, textFor: (former: string | undefined) => string): Promise<ApplyResult> {
    const refusal = refusedName(name);
    if (refusal !== undefined) return { done: false, error: `${kind} cannot be written: ${refusal}` };
    const path = join(this.folder, kind, statusFileName(name));
    try {
      const former = await readFile(path, 'utf8').catch(() => undefined);
      const text = textFor(former);
      if (text !== former) await this.replace(join(this.folder, kind), path, text);
      return done;
    } catch (error) {
      return { done: false, error: `${path} cannot be written: ${describeFailure(error)}` };
    }
  }

  /** Removes the status of an object. Never rejects. */
  async remove(kind: StatusKind, name: string): Promise<ApplyResult> {
    const refusal = refusedName(name);
    if (refusal !== undefined) return { done: false, error: `${kind} cannot be removed: ${refusal}` };
    return await this.removeFile(join(this.folder, kind, statusFileName(name)));
  }

  /** Removes a file. Never rejects. */
  async removeFile(path: string): Promise<ApplyResult> {
    try {
      this.own.remove(path);
      await rm(path, { force: true });
      return done;
    } catch (error) {
      this.own.forget(path);
      return { done: false, error: `${path} cannot be removed: ${describeFailure(error)}` };
    }
  }

  private async replace(folder: string, path: string, text: string): Promise<void> {
    // Not recursive: the folder of the objects is never created; if it is missing, its volume is not mounted.
    await makeFolder(this.folder);
    await makeFolder(folder);
    try {
      await replaceFile(path, text, {
        // Agents share the folder, and two may write the same file.
        temporary: join(folder, temporaryName()),
        mode: 0o644,
        onWritten: (stats) => this.own.put(path, stats),
      });
    } catch (error) {
      this.own.forget(path);
      throw error;
    }
  }
}

async function makeFolder(path: string): Promise<void> {
  await mkdir(path).catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error;
  });
}

const meanings: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left on its file system',
  EDQUOT: 'its disk quota is used up',
  EROFS: 'its file system is read-only',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOENT: 'the folder that it belongs to does not exist',
  ENOTDIR: 'one of its folders is a file',
};

/** The reason, in one line. */
function describeFailure(error: unknown): string {
  const code = errorCode(error);
  const message = error instanceof Error ? error.message : String(error);
  return (code === undefined ? undefined : meanings[code]) ?? message.split('\n')[0] ?? message;
}
