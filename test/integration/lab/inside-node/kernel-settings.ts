/**
 * The effects of kernel settings, held against the kernel of the node that this runs on: it is run inside one, by host-network.test.ts.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { release } from 'node:os';
import { expect } from 'chai';
import { KernelSettingFiles } from '../../../../src/adapters/sysctl/kernel-setting-files.ts';
import type { KernelSettings, KernelSnapshot } from '../../../../src/ports/node/kernel-settings.ts';
import { describeKernelSettings } from '../../../contract/kernel-settings.ts';
import { fileOfSetting } from '../../../unit/adapters/sysctl/proc-tree.ts';

const IPV6 = '/proc/sys/net/ipv6';

function does(program: string, ...words: readonly string[]): void {
  execFileSync(program, words, { stdio: ['ignore', 'pipe', 'pipe'] });
}

function write(name: string, value: string): void {
  writeFileSync(fileOfSetting('/proc', name), value);
}

/** Names of devices that have settings of their own, as settings name them. */
function devicesIn({ sysctls }: KernelSnapshot): ReadonlySet<string> {
  const names = Object.keys(sysctls).map((name) => /^net\.ipv4\.conf\.(.*)\.rp_filter$/.exec(name)?.[1]);
  return new Set(names.filter((name) => name !== undefined && !['all', 'default', 'lo'].includes(name))) as Set<string>;
}

/** Adds the devices of a snapshot that an earlier test has not left, and IPv6. */
function prepare(snapshot: KernelSnapshot): void {
  if (!existsSync(`${IPV6}/conf`)) does('umount', IPV6);
  const present = new Set(readdirSync('/sys/class/net'));
  const wanted = [...devicesIn(snapshot)].map((name) => name.replaceAll('/', '.'));
  for (const name of wanted) if (!present.has(name)) does('ip', 'link', 'add', 'name', name, 'type', 'dummy');
}

/** Settings that say the release, the boot id and the uptime of a snapshot, where they have said those of this machine: no test can choose them. */
function inPlaceOfOwn(settings: KernelSettings, snapshot: KernelSnapshot): KernelSettings {
  return {
    apply: (operation) => settings.apply(operation),
    onChange: (listener) => {
      settings.onChange(listener);
    },
    close: () => settings.close(),
    read: async (devices) => {
      const uptime = () => Number.parseFloat(readFileSync('/proc/uptime', 'utf8'));
      const before = uptime();
      const reading = await settings.read(devices);
      if (!reading.read) return reading;
      expect(reading.value.bootId).to.equal(readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
      expect(reading.value.kernelRelease).to.equal(release());
      expect(reading.value.uptimeSeconds).to.be.within(before, uptime());
      return { read: true, value: { ...snapshot, sysctls: reading.value.sysctls } };
    },
  };
}

describe('the settings of a real kernel', () => {
  describeKernelSettings((snapshot) => {
    prepare(snapshot);
    // What is written for all devices is written for each of them; their own come after that.
    const isOfAll = (name: string) => name.includes('.conf.all.');
    const names = Object.keys(snapshot.sysctls);
    for (const name of [...names.filter(isOfAll), ...names.filter((each) => !isOfAll(each))]) {
      write(name, snapshot.sysctls[name] ?? '');
    }
    // As it is on a kernel without IPv6.
    if (!names.some((name) => name.startsWith('net.ipv6.'))) does('mount', '-t', 'tmpfs', 'tmpfs', IPV6);
    return {
      settings: inPlaceOfOwn(new KernelSettingFiles(), snapshot),
      change: write,
      removeDevice: (device) => {
        does('ip', 'link', 'delete', 'dev', device);
      },
    };
  });
});
