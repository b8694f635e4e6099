import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A folder for one test. */
export interface TemporaryFolder {
  /** The full path of something in the folder. */
  path(name: string): string;
  /** Writes a file, with the folders on its way, and gives its full path. */
  write(name: string, content: string | Uint8Array): string;
  /** Makes a symbolic link; the target is taken as it is. */
  link(name: string, target: string): string;
}

/** Gives each test of a suite a folder of its own. */
export function useTemporaryFolder(): TemporaryFolder {
  let root = '';
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'manifests-')));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));
  const path = (name: string) => join(root, name);
  const inFolder = (name: string, make: (path: string) => void) => {
    mkdirSync(dirname(path(name)), { recursive: true });
    make(path(name));
    return path(name);
  };
  return {
    path,
    write: (name, content) => inFolder(name, (file) => writeFileSync(file, content)),
    link: (name, target) => inFolder(name, (file) => symlinkSync(target, file)),
  };
}
