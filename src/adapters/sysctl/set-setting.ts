import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { SysctlEntity } from '../../domain/entities/kernel/sysctl.ts';
import { ownSettingOf } from '../../domain/entities/ownership/own-settings.ts';
import { isInterfaceName } from '../../domain/basics/names/interface-name.ts';
import type { ApplyResult } from '../../ports/apply-result.ts';
import { fileError, isFileError } from '../file-system/file-error.ts';

/** Names below conf that are not devices: writing there changes every device. */
const NOT_DEVICES: readonly string[] = ['all', 'default'];

/**
 * The file of a managed setting of a device. The path stays below the device's folder: the kernel allows no slash in a device name.
 */
function fileOf(net: string, setting: Pick<SysctlEntity, 'device' | 'name'>): string | undefined {
  const { device } = setting;
  const own = ownSettingOf(setting);
  if (own === undefined || !isInterfaceName(device) || NOT_DEVICES.includes(device)) return undefined;
  return join(net, `ipv${own.family}`, 'conf', device, own.setting);
}

/**
 * Changes a setting of a device.
 *
 * Only writes whole numbers: the kernel accepts a text that begins with one, and ignores an empty one (kernel/sysctl.c, do_proc_dointvec).
 *
 * @param net the folder `sys/net` of proc
 */
export async function setSetting(net: string, setting: Omit<SysctlEntity, 'kind'>): Promise<ApplyResult> {
  const { device, name, value } = setting;
  const refused = (error: string): ApplyResult => ({ done: false, error: `${name} = ${value}: ${error}` });
  const file = fileOf(net, setting);
  if (file === undefined) return refused(`not a managed setting of ${JSON.stringify(device)}`);
  if (!/^-?\d+$/.test(value)) return refused('expected a whole number');
  try {
    // Never created. The kernel ignores the truncation, which matters for a file on a disk.
    const opened = await open(file, constants.O_WRONLY | constants.O_TRUNC);
    try {
      await opened.writeFile(value);
    } finally {
      await opened.close();
    }
    return { done: true };
  } catch (error) {
    if (isFileError(error, 'ENOENT')) return refused(`${device}, or its setting, does not exist`);
    return refused(`${file} cannot be written: ${fileError(error)}`);
  }
}
