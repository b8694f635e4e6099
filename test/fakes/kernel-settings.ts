import type { SysctlEntity } from '../../src/domain/entities/kernel/sysctl.ts';
import { deviceInSetting, inSetting } from '../../src/domain/snapshot/device-settings.ts';
import { ownSettingOf } from '../../src/domain/entities/ownership/own-settings.ts';
import type { ApplyResult } from '../../src/ports/apply-result.ts';
import { inFile, type Reading } from '../../src/ports/input-problem.ts';
import type { KernelSettings, KernelSnapshot, SettingOperation } from '../../src/ports/node/kernel-settings.ts';

/** Kernel settings in memory, which can be made to fail. */
export class FakeKernelSettings implements KernelSettings {
  /** The current settings. Tests change them as an administrator or the kernel would. */
  snapshot: KernelSnapshot;
  #failure: string | undefined;
  #listener: (() => void) | undefined;
  /** The devices that were read last, as names of settings have them; undefined for settings of no device. */
  #watched: ReadonlySet<string | undefined> = new Set();

  constructor(snapshot: KernelSnapshot) {
    this.snapshot = snapshot;
  }

  /** Makes reads and changes fail until `recover`. */
  fail(reason: string): void {
    this.#failure = reason;
  }

  recover(): void {
    this.#failure = undefined;
  }

  read(devices: ReadonlySet<string>): Promise<Reading<KernelSnapshot>> {
    this.#watched = new Set([undefined, 'all', 'default', ...[...devices].map(inSetting)]);
    const sysctls = Object.entries(this.snapshot.sysctls).filter(([name]) => this.#watched.has(deviceInSetting(name)));
    const reading: Reading<KernelSnapshot> =
      this.#failure === undefined
        ? { read: true, value: { ...this.snapshot, sysctls: Object.fromEntries(sysctls) } }
        : { read: false, problems: [{ origin: inFile('/proc/sys'), message: this.#failure }] };
    return Promise.resolve(reading);
  }

  onChange(listener: () => void): void {
    this.#listener = listener;
  }

  close(): Promise<void> {
    this.#listener = undefined;
    return Promise.resolve();
  }

  /** Changes a setting, as an administrator would. */
  change(name: string, value: string): void {
    const { sysctls } = this.snapshot;
    this.snapshot = { ...this.snapshot, sysctls: { ...sysctls, [name]: value } };
    if (this.#watched.has(deviceInSetting(name))) this.#listener?.();
  }

  apply({ entity }: SettingOperation): Promise<ApplyResult> {
    const error = this.#failure ?? this.#refusalOf(entity);
    if (error !== undefined) return Promise.resolve({ done: false, error });
    this.change(entity.name, entity.value);
    return Promise.resolve({ done: true });
  }

  #refusalOf(setting: SysctlEntity): string | undefined {
    const { device, name, value } = setting;
    const isForAll = device === 'all' || device === 'default';
    if (ownSettingOf(setting) === undefined || isForAll) return `${name} is not a managed setting`;
    if (!/^-?\d+$/.test(value)) return `${name} = ${value}: expected a whole number`;
    return Object.hasOwn(this.snapshot.sysctls, name) ? undefined : `${name}: ${device} does not exist`;
  }
}
