import { execFileSync } from 'node:child_process';

/** Does something while an empty folder is a file system in memory of 64 KiB, which is soon full. Needs the superuser. */
export async function onSmallFileSystem(folder: string, test: () => Promise<void>): Promise<void> {
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'none', folder]);
  try {
    await test();
  } finally {
    execFileSync('umount', ['--lazy', folder]);
  }
}
