import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { SysctlEntity } from '../../domain/entities/sysctl.ts';
import { ownSettingOf } from '../../domain/ownership/own-settings.ts';
import { isInterfaceName } from '../../domain/interface-name.ts';
import type { ApplyResult } from '../../ports/apply-result.ts';
import { fileError, isFileError } from '../file-system/file-error.ts';

/** Names below conf that are of no device: what is written there changes every device. */
const NOT_DEVICES: readonly string[] = ['all', 'default'];

/**
 * The file of a setting that may be changed; absent where it is none of the device's own. Neither name can lead out of the device's folder:
 * the kernel takes no name of a device that could, and the setting's own name is ours.
 */
function fileOf(root: string, setting: Pick<SysctlEntity, 'device' | 'name'>): string | undefined {
  const { device } = setting;
  const own = ownSettingOf(setting);
  if (own === undefined || !isInterfaceName(device) || NOT_DEVICES.includes(device)) return undefined;
  return join(root, 'sys/net', `ipv${own.family}`, 'conf', device, own.setting);
}

/**
 * Changes a setting of a device.
 *
 * Only a whole number is written: the kernel takes a text that merely begins with one, and an empty one without doing anything
 * (kernel/sysctl.c, do_proc_dointvec).
 *
 * @param root where proc is mounted
 */
export async function setSetting(root: string, setting: Omit<SysctlEntity, 'kind'>): Promise<ApplyResult> {
  const { device, name, value } = setting;
  const refused = (error: string): ApplyResult => ({ done: false, error: `${name} = ${value}: ${error}` });
  const file = fileOf(root, setting);
  if (file === undefined) return refused(`no setting of ${JSON.stringify(device)} that this program changes`);
  if (!/^-?\d+$/.test(value)) return refused('expected a whole number');
  try {
    // Never made where it is not there. The kernel does not care for the truncation, as of a file on a disk the old value must not show behind.
    const opened = await open(file, constants.O_WRONLY | constants.O_TRUNC);
    try {
      await opened.writeFile(value);
    } finally {
      await opened.close();
    }
    return { done: true };
  } catch (error) {
    if (isFileError(error, 'ENOENT')) return refused(`${device}, or this setting of it, is gone`);
    return refused(`${file} cannot be written: ${fileError(error)}`);
  }
}
