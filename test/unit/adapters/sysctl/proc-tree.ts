import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { KernelSnapshot } from '../../../../src/ports/node/kernel-settings.ts';

/** The file of a setting below a folder in place of /proc. Dots and slashes are exchanged (sysctl(8)). */
export function fileOfSetting(root: string, name: string): string {
  const parts = name.split('.').map((part) => part.replaceAll('/', '.'));
  return join(root, 'sys', ...parts);
}

/** Writes a file as in /proc, with its parent folders. */
export function writeLine(file: string, line: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${line}\n`);
}

/** Creates the files of /proc in a folder. */
export function writeProcTree(root: string, { sysctls, kernelRelease, bootId, uptimeSeconds }: KernelSnapshot): void {
  for (const [name, value] of Object.entries(sysctls)) writeLine(fileOfSetting(root, name), value);
  if (kernelRelease !== undefined) writeLine(join(root, 'sys/kernel/osrelease'), kernelRelease);
  if (bootId !== undefined) writeLine(join(root, 'sys/kernel/random/boot_id'), bootId);
  if (uptimeSeconds !== undefined) writeLine(join(root, 'uptime'), `${uptimeSeconds.toFixed(2)} 12.34`);
}

/** Removes the folders of a device. */
export function removeDeviceFrom(root: string, device: string): void {
  for (const family of ['ipv4', 'ipv6']) {
    rmSync(join(root, 'sys/net', family, 'conf', device), { recursive: true, force: true });
  }
}
