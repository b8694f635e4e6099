import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A unit of systemd, as far as the tests ask for it: each setting with its values in the order of the file (systemd.syntax(7)). */
export type UnitFile = ReadonlyMap<string, readonly string[]>;

/** Reads the unit of `docs` that has a name. */
export function unitFile(name: string): UnitFile {
  const text = readFileSync(join(import.meta.dirname, '../../../docs', name), 'utf8');
  const settings = new Map<string, readonly string[]>();
  for (const line of text.split('\n')) {
    const [, key, value] = /^([A-Za-z]+)=(.*)$/.exec(line) ?? [];
    if (key !== undefined && value !== undefined) settings.set(key, [...(settings.get(key) ?? []), value]);
  }
  return settings;
}

/** The value of a setting, where it has one value. */
export function settingOf(unit: UnitFile, name: string): string {
  return unit.get(name)?.join(' ') ?? '';
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** The paths that each value of ProtectSystem makes read-only (systemd.exec(5)). */
const READ_ONLY: Readonly<Record<string, (path: string) => boolean>> = {
  '': () => false,
  full: (path) => ['/usr', '/boot', '/efi', '/etc'].some((folder) => isBelow(path, folder)),
  strict: (path) => !['/dev', '/proc', '/sys'].some((folder) => isBelow(path, folder)),
};

/** Whether a service may write at a path of the machine, by the restrictions that these units use. */
export function mayWrite(unit: UnitFile, path: string): boolean {
  const isOn = (name: string) => settingOf(unit, name) === 'yes';
  const folders = (name: string, parent = '') =>
    settingOf(unit, name)
      .split(' ')
      .filter((word) => word !== '')
      .map((folder) => `${parent}${folder}`);
  const hidden = [
    ...(isOn('ProtectHome') ? ['/home', '/root', '/run/user'] : []),
    ...(isOn('PrivateTmp') ? ['/tmp', '/var/tmp'] : []),
    ...(isOn('ProtectKernelTunables') ? ['/proc/sys', '/sys'] : []),
  ];
  const opened = [...folders('ReadWritePaths'), ...folders('RuntimeDirectory', '/run/')];
  if (hidden.some((folder) => isBelow(path, folder))) return false;
  if (opened.some((folder) => isBelow(path, folder))) return true;
  const isReadOnly = READ_ONLY[settingOf(unit, 'ProtectSystem')];
  if (isReadOnly === undefined) throw new Error(`ProtectSystem=${settingOf(unit, 'ProtectSystem')} is not known here`);
  return !isReadOnly(path);
}
