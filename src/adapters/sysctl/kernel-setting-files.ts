import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { deviceSetting } from '../../domain/snapshot/device-settings.ts';
import type { ApplyResult } from '../../ports/apply-result.ts';
import { inFile, type Reading } from '../../ports/input-problem.ts';
import type { KernelSettings, KernelSnapshot, SettingOperation } from '../../ports/node/kernel-settings.ts';
import { fileError, isFileError } from '../file-system/file-error.ts';
import { allFields, allOf, mapReading, thenRead } from '../../ports/readings.ts';
import { readBootId } from '../procfs/boot-id.ts';
import { Watches } from '../file-system/watches.ts';
import { kernelReleaseIn } from '../procfs/kernel-release.ts';
import { OpenFiles } from '../procfs/open-files.ts';
import { readUptime } from '../procfs/uptime.ts';
import { setSetting } from './set-setting.ts';
import { SETTINGS_OF_DEVICES, SETTINGS_OF_SOCKETS } from './snapshot-settings.ts';

/** A setting and its file. */
interface SettingFile {
  readonly name: string;
  readonly path: string;
}

/** Names that have settings beside devices: for all devices, and for future ones. */
const NO_DEVICES = ['all', 'default'] as const;

/**
 * The kernel's settings in the files below /proc (proc(5)).
 *
 * Missing settings are left out: of a device that is removed meanwhile, or of a kernel without IPv6, without VRFs or without the setting.
 */
export class KernelSettingFiles implements KernelSettings {
  readonly #root: string;
  readonly #net: string;
  readonly #files = new OpenFiles();
  #watches: Watches | undefined;

  /**
   * @param root where proc is mounted
   * @param net its folder `sys/net`, if that is writable elsewhere: container runtimes mount it read-only
   */
  constructor(root = '/proc', net = join(root, 'sys/net')) {
    this.#root = root;
    this.#net = net;
  }

  read(devices: ReadonlySet<string>): Promise<Reading<KernelSnapshot>> {
    const files = this.#settingFiles([...NO_DEVICES, ...devices]);
    // Before reading, so that no change is missed.
    if (files.read) this.#watch(files.value);
    return Promise.resolve(thenRead(files, (each) => this.#snapshotOf(each)));
  }

  onChange(listener: () => void): void {
    // inotify(7) reports what programs write to files of proc, and nothing else there.
    this.#watches = new Watches(listener);
  }

  close(): Promise<void> {
    this.#watches?.close();
    this.#watches = undefined;
    this.#files.close();
    return Promise.resolve();
  }

  apply({ entity }: SettingOperation): Promise<ApplyResult> {
    return setSetting(this.#net, entity);
  }

  #watch(files: readonly SettingFile[]): void {
    this.#watches?.begin();
    for (const { path } of files) this.#watches?.add(dirname(path), basename(path));
    this.#watches?.end();
  }

  #settingFiles(devices: readonly string[]): Reading<readonly SettingFile[]> {
    const ofDevices = SETTINGS_OF_DEVICES.map(({ family, settings }): Reading<readonly SettingFile[]> => {
      const folder = join(this.#net, `ipv${family}/conf`);
      return mapReading(isThere(folder, family), (hasFamily) =>
        // Of a device that is gone nothing is kept open or watched.
        (hasFamily ? devices.filter((device) => existsSync(`${folder}/${device}`)) : []).flatMap((device) =>
          settings.map((setting) => ({
            name: deviceSetting(family, device, setting),
            path: `${folder}/${device}/${setting}`,
          })),
        ),
      );
    });
    const ofSockets = SETTINGS_OF_SOCKETS.map((setting) => ({
      name: `net.ipv4.${setting}`,
      path: join(this.#net, 'ipv4', setting),
    }));
    return mapReading(allOf(ofDevices), (files) => [...ofSockets, ...files.flat()]);
  }

  #snapshotOf(settings: readonly SettingFile[]): Reading<KernelSnapshot> {
    const bootIdFile = join(this.#root, 'sys/kernel/random/boot_id');
    const uptimeFile = join(this.#root, 'uptime');
    const ofKernel = [join(this.#root, 'sys/kernel/osrelease'), bootIdFile, uptimeFile];
    const [release, bootId, uptime, ...values] = this.#files.read([...ofKernel, ...settings.map(({ path }) => path)]);
    const read = allFields({
      bootId: lineOf(bootId, bootIdFile, readBootId),
      uptimeSeconds: lineOf(uptime, uptimeFile, readUptime),
      sysctls: mapReading(allOf(values), (texts) => byTheirNames(settings, texts)),
    });
    // Only a warning depends on the release.
    const kernelRelease = release?.read === true ? kernelReleaseIn(release.value ?? '') : undefined;
    return mapReading(read, (fields) => ({ ...fields, ...(kernelRelease !== undefined && { kernelRelease }) }));
  }
}

function lineOf<Value>(
  text: Reading<string | undefined> | undefined,
  file: string,
  parse: (text: string, file: string) => Reading<Value>,
): Reading<Value> {
  const missing: Reading<never> = {
    read: false,
    problems: [{ origin: inFile(file), message: 'is missing: is proc mounted there?' }],
  };
  return text === undefined ? missing : thenRead(text, (line) => (line === undefined ? missing : parse(line, file)));
}

/** Whether there are settings of devices; none of IPv6 if the kernel has no IPv6. */
function isThere(folder: string, family: 4 | 6): Reading<boolean> {
  try {
    statSync(folder);
    return { read: true, value: true };
  } catch (error) {
    if (family === 6 && isFileError(error, 'ENOENT')) return { read: true, value: false };
    return { read: false, problems: [{ origin: inFile(folder), message: `cannot be read: ${fileError(error)}` }] };
  }
}

/** The values of existing settings, by name. */
function byTheirNames(
  settings: readonly SettingFile[],
  values: readonly (string | undefined)[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    settings.flatMap(({ name }, index) => {
      const value = values[index];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}
