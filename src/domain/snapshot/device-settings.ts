import type { NodeSnapshot } from './node-snapshot.ts';

/** Matches the name of a setting of one device, of `all` or of `default`. */
const settingOfDevice = /^net\.ipv(?:4|6)\.conf\.([^.]+)\.[^.]+$/;

/** The device of a setting, as in the name of the setting, including `all` and `default`; undefined for settings of no device. */
export function deviceInSetting(name: string): string | undefined {
  return settingOfDevice.exec(name)?.[1];
}

/** A device's name, as names of settings have it: a dot is a slash. */
export function inSetting(device: string): string {
  return device.includes('.') ? device.replaceAll('.', '/') : device;
}

/** The name of a setting of one device, of `all` or of `default`, as sysctl(8) prints it: a dot in the device's name is a slash. */
export function deviceSetting(family: 4 | 6, device: string, setting: string): string {
  return `net.ipv${family}.conf.${inSetting(device)}.${setting}`;
}

/** The settings with those of a new device: copies of `default` (net/ipv4/devinet.c, inetdev_init; net/ipv6/addrconf.c, ipv6_add_dev). */
export function withDeviceSettings(sysctls: NodeSnapshot['sysctls'], device: string): NodeSnapshot['sysctls'] {
  const settings: Record<string, string> = { ...sysctls };
  for (const [name, value] of Object.entries(sysctls)) {
    if (deviceInSetting(name) === 'default')
      settings[name.replace('.default.', () => `.${inSetting(device)}.`)] = value;
  }
  return settings;
}

/** The settings without those of a removed device. */
export function withoutDeviceSettings(sysctls: NodeSnapshot['sysctls'], device: string): NodeSnapshot['sysctls'] {
  const name = inSetting(device);
  return Object.fromEntries(Object.entries(sysctls).filter(([setting]) => deviceInSetting(setting) !== name));
}
