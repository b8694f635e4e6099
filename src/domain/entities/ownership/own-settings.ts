import { deviceSetting } from '../../snapshot/device-settings.ts';
import type { ChangedSysctl } from '../../snapshot/ledger.ts';

/** A kernel setting of devices that this project changes. */
export interface OwnSetting {
  readonly family: 4 | 6;
  readonly setting: string;
}

const ownSettings: readonly OwnSetting[] = [
  { family: 4, setting: 'forwarding' },
  { family: 4, setting: 'rp_filter' },
  { family: 6, setting: 'accept_ra' },
  { family: 6, setting: 'disable_ipv6' },
  { family: 6, setting: 'force_forwarding' },
  { family: 6, setting: 'keep_addr_on_down' },
];

/**
 * The managed setting of a device that a name denotes; absent for others, whatever a ledger or an operation contains: a file may have been edited
 * by hand, and the name becomes the path of a kernel file. (docs/design/dataplane.md, "Desired state")
 */
export function ownSettingOf({ device, name }: Pick<ChangedSysctl, 'device' | 'name'>): OwnSetting | undefined {
  return ownSettings.find(({ family, setting }) => name === deviceSetting(family, device, setting));
}
