import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The folder of one test. */
export interface TemporaryFolder {
  /** The absolute path of a name in the folder. */
  path(name: string): string;
  /** Writes a file with its parent folders, and returns its absolute path. */
  write(name: string, content: string | Uint8Array): string;
  /** Creates a symbolic link to a target, which is not changed. */
  link(name: string, target: string): string;
}

/** Creates a folder for each test of the suite. */
export function useTemporaryFolder(): TemporaryFolder {
  let root = '';
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'manifests-')));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));
  const path = (name: string) => join(root, name);
  const create = (name: string, write: (path: string) => void) => {
    mkdirSync(dirname(path(name)), { recursive: true });
    write(path(name));
    return path(name);
  };
  return {
    path,
    write: (name, content) => create(name, (file) => writeFileSync(file, content)),
    link: (name, target) => create(name, (file) => symlinkSync(target, file)),
  };
}
