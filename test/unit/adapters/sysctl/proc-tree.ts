import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { KernelSnapshot } from '../../../../src/ports/kernel-settings.ts';

/** The file of a setting below a folder that stands for /proc: dots and slashes have changed places (sysctl(8)). */
export function fileOfSetting(root: string, name: string): string {
  const parts = name.split('.').map((part) => part.replaceAll('/', '.'));
  return join(root, 'sys', ...parts);
}

/** Writes a file as /proc shows one, with the folders on its way. */
export function writeLine(file: string, line: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${line}\n`);
}

/** Fills a folder so that it stands for /proc. */
export function writeProcTree(root: string, { sysctls, bootId, uptimeSeconds }: KernelSnapshot): void {
  for (const [name, value] of Object.entries(sysctls)) writeLine(fileOfSetting(root, name), value);
  if (bootId !== undefined) writeLine(join(root, 'sys/kernel/random/boot_id'), bootId);
  if (uptimeSeconds !== undefined) writeLine(join(root, 'uptime'), `${uptimeSeconds.toFixed(2)} 12.34`);
}

/** Takes a device's folders away. */
export function removeDeviceFrom(root: string, device: string): void {
  for (const family of ['ipv4', 'ipv6']) {
    rmSync(join(root, 'sys/net', family, 'conf', device), { recursive: true, force: true });
  }
}
