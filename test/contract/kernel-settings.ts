import { clusterNetworkKey } from '../../src/domain/network/key.ts';
import { expect } from 'chai';
import type { ApplyResult } from '../../src/ports/apply-result.ts';
import type { Reading } from '../../src/ports/input-problem.ts';
import type { KernelSettings, KernelSnapshot, SettingOperation } from '../../src/ports/node/kernel-settings.ts';

/** Kernel settings, and the means to change them as an administrator would. */
export interface KernelSettingsUnderTest {
  readonly settings: KernelSettings;
  readonly change: (name: string, value: string) => void;
  /** Removes a device with all its settings. */
  readonly removeDevice: (device: string) => void;
}

/** Names of devices: dots, leading dots, characters that are special to shells and patterns, maximum length. */
const devices: ReadonlySet<string> = new Set(['lo', 'br-blue', 'eth1.100', 'a$(b)*&\'"', '..a', 'abcdefghijklmno']);

const inSettings = ['all', 'default', ...[...devices].map((device) => device.replaceAll('.', '/'))];

const snapshot: KernelSnapshot = {
  sysctls: {
    ...Object.fromEntries(
      inSettings.flatMap((device) => [
        [`net.ipv4.conf.${device}.forwarding`, '1'],
        [`net.ipv4.conf.${device}.rp_filter`, '0'],
        [`net.ipv6.conf.${device}.accept_ra`, '1'],
        [`net.ipv6.conf.${device}.disable_ipv6`, '0'],
        [`net.ipv6.conf.${device}.forwarding`, '0'],
        [`net.ipv6.conf.${device}.keep_addr_on_down`, '-1'],
      ]),
    ),
    'net.ipv4.raw_l3mdev_accept': '1',
    'net.ipv4.tcp_l3mdev_accept': '0',
    'net.ipv4.udp_l3mdev_accept': '0',
  },
  kernelRelease: '6.1.0-18-amd64',
  bootId: '5a1ff1fe-7a3c-4c3f-8f0a-3c3c1f6f0b3e',
  uptimeSeconds: 350735.47,
};

function withoutIpv6({ sysctls, ...more }: KernelSnapshot): KernelSnapshot {
  const ipv4 = Object.entries(sysctls).filter(([name]) => name.startsWith('net.ipv4.'));
  return { ...more, sysctls: Object.fromEntries(ipv4) };
}

function setting(device: string, name: string, value: string): SettingOperation {
  return { verb: 'add', networks: [clusterNetworkKey('blue')], entity: { kind: 'sysctl', device, name, value } };
}

function valueIn(reading: Reading<KernelSnapshot>): KernelSnapshot {
  if (reading.read) return reading.value;
  throw new Error(JSON.stringify(reading.problems));
}

/** The reason has to be one line, for a condition. */
function expectRefusal(applied: ApplyResult): void {
  expect(applied).to.have.property('done', false);
  expect(applied)
    .to.have.property('error')
    .which.matches(/^[^\n]+$/);
}

/**
 * Tests an implementation of KernelSettings.
 *
 * @param start returns one with the settings of a snapshot
 */
export function describeKernelSettings(start: (snapshot: KernelSnapshot) => KernelSettingsUnderTest): void {
  it('are read for all devices that are asked for', async () => {
    const { settings } = start(snapshot);
    expect(valueIn(await settings.read(devices))).to.deep.equal(snapshot);
  });

  it('are read without IPv6', async () => {
    const { settings } = start(withoutIpv6(snapshot));
    expect(valueIn(await settings.read(devices))).to.deep.equal(withoutIpv6(snapshot));
  });

  it('are read again each time', async () => {
    const { settings, change } = start(snapshot);
    await settings.read(devices);
    change('net.ipv4.conf.br-blue.rp_filter', '1');
    const { sysctls } = valueIn(await settings.read(devices));
    expect(sysctls['net.ipv4.conf.br-blue.rp_filter']).to.equal('1');
  });

  it('are read for no other devices, and for another one as soon as it is asked for', async () => {
    const { settings, change } = start(snapshot);
    const ofNoDevice = Object.entries(snapshot.sysctls).filter(([name]) => /\.conf\.(all|default)\.|l3mdev/.test(name));
    const withBlue = Object.entries(snapshot.sysctls).filter(([name]) => name.includes('.conf.br-blue.'));
    expect(valueIn(await settings.read(new Set())).sysctls).to.deep.equal(Object.fromEntries(ofNoDevice));
    change('net.ipv4.conf.br-blue.rp_filter', '1');
    expect(valueIn(await settings.read(new Set(['br-blue']))).sysctls).to.deep.equal({
      ...Object.fromEntries([...ofNoDevice, ...withBlue]),
      'net.ipv4.conf.br-blue.rp_filter': '1',
    });
    expect(valueIn(await settings.read(new Set())).sysctls).to.deep.equal(Object.fromEntries(ofNoDevice));
  });

  it('are read for the devices that there are', async () => {
    const { settings } = start(snapshot);
    expect(valueIn(await settings.read(new Set([...devices, 'eth9'])))).to.deep.equal(snapshot);
  });

  it('are read without those of a removed device', async () => {
    const { settings, removeDevice } = start(snapshot);
    await settings.read(devices);
    removeDevice('eth1.100');
    const left = Object.entries(snapshot.sysctls).filter(([name]) => !name.includes('.eth1/100.'));
    expect(valueIn(await settings.read(devices)).sysctls).to.deep.equal(Object.fromEntries(left));
  });

  for (const [what, name] of [
    ['a device', 'net.ipv6.conf.br-blue.keep_addr_on_down'],
    ['a device with a dot in its name', 'net.ipv4.conf.eth1/100.rp_filter'],
    ['all devices', 'net.ipv4.conf.all.rp_filter'],
    ['sockets', 'net.ipv4.tcp_l3mdev_accept'],
  ] as const) {
    it(`call the listener when a setting of ${what} changes`, async () => {
      const { settings, change } = start(snapshot);
      const called = new Promise<void>((resolve) => {
        settings.onChange(resolve);
      });
      await settings.read(devices);
      change(name, '1');
      await called;
      expect(valueIn(await settings.read(devices)).sysctls[name]).to.equal('1');
      await settings.close();
    });
  }

  it('call no listener when a setting of a device changes that was not read the last time', async () => {
    const { settings, change } = start(snapshot);
    let calls = 0;
    const called = new Promise<void>((resolve) => {
      settings.onChange(() => {
        calls += 1;
        resolve();
      });
    });
    await settings.read(devices);
    await settings.read(new Set(['lo']));
    change('net.ipv4.conf.br-blue.rp_filter', '1');
    // Reported after the change before it would have been.
    change('net.ipv4.conf.lo.rp_filter', '1');
    await called;
    expect(calls).to.equal(1);
    await settings.close();
  });

  for (const [device, name, value] of [
    ['br-blue', 'net.ipv4.conf.br-blue.forwarding', '0'],
    ['br-blue', 'net.ipv4.conf.br-blue.rp_filter', '2'],
    ['br-blue', 'net.ipv6.conf.br-blue.accept_ra', '0'],
    ['br-blue', 'net.ipv6.conf.br-blue.keep_addr_on_down', '1'],
    ['eth1.100', 'net.ipv4.conf.eth1/100.rp_filter', '2'],
    ['..a', 'net.ipv4.conf.//a.rp_filter', '2'],
    ['a$(b)*&\'"', 'net.ipv4.conf.a$(b)*&\'".rp_filter', '2'],
  ] as const) {
    it(`can be changed: ${name}`, async () => {
      const { settings } = start(snapshot);
      expect(await settings.apply(setting(device, name, value))).to.deep.equal({ done: true });
      expect(valueIn(await settings.read(devices)).sysctls).to.deep.equal({ ...snapshot.sysctls, [name]: value });
    });
  }

  for (const [what, device, name, value] of [
    ['of a device that does not exist', 'eth9', 'net.ipv4.conf.eth9.rp_filter', '2'],
    ['of another device', 'br-blue', 'net.ipv4.conf.lo.rp_filter', '2'],
    ['of all devices', 'all', 'net.ipv4.conf.all.rp_filter', '2'],
    ['of future devices', 'default', 'net.ipv6.conf.default.keep_addr_on_down', '1'],
    ['that is not managed by ovn-uplinks', 'br-blue', 'net.ipv6.conf.br-blue.forwarding', '1'],
    ['of sockets', 'br-blue', 'net.ipv4.tcp_l3mdev_accept', '1'],
    ['of a device called ".."', '..', 'net.ipv4.conf.//.rp_filter', '2'],
    ['of a device called "."', '.', 'net.ipv4.conf./.rp_filter', '2'],
    ['of a device without a name', '', 'net.ipv4.conf..rp_filter', '2'],
    ['of a device called as a path', '../../../br-blue', 'net.ipv4.conf./////////br-blue.rp_filter', '2'],
    ['to a value that is not a number', 'br-blue', 'net.ipv4.conf.br-blue.rp_filter', 'strict'],
    ['to several numbers', 'br-blue', 'net.ipv4.conf.br-blue.rp_filter', '2 3'],
    ['to an empty value', 'br-blue', 'net.ipv4.conf.br-blue.rp_filter', ''],
  ] as const) {
    it(`refuse to change a setting ${what}`, async () => {
      const { settings } = start(snapshot);
      expectRefusal(await settings.apply(setting(device, name, value)));
      expect(valueIn(await settings.read(devices))).to.deep.equal(snapshot);
    });
  }
}
