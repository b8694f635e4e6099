import { expect } from 'chai';
import { wantedSysctls } from '../../../../src/domain/dataplane/sysctls.ts';
import { deviceSetting } from '../../../../src/domain/snapshot/device-settings.ts';
import type { LedgerEntry } from '../../../../src/domain/index.ts';
import { dataplaneInput, domains, type InputBrief } from './dataplane-input.ts';

const linesOf = (brief: InputBrief) =>
  wantedSysctls(dataplaneInput(brief)).map(({ name, value }) => `${name} = ${value}`);
const loose = 'net.ipv4.conf.br-blue.rp_filter = 2';
const kept = 'net.ipv6.conf.br-blue.keep_addr_on_down = 1';

function changed(name: string, before: string, value: string): LedgerEntry {
  return { kind: 'sysctl', device: 'br-blue', name, before, value };
}

describe('the name of a setting', () => {
  const names: readonly (readonly [device: string, name: string])[] = [
    ['br-blue', 'net.ipv4.conf.br-blue.rp_filter'],
    ['eth0.100', 'net.ipv4.conf.eth0/100.rp_filter'],
    ['a.b.c', 'net.ipv4.conf.a/b/c.rp_filter'],
    ['a#b', 'net.ipv4.conf.a#b.rp_filter'],
    ['-force', 'net.ipv4.conf.-force.rp_filter'],
    ['été', 'net.ipv4.conf.été.rp_filter'],
  ];
  for (const [device, name] of names) {
    it(`is ${name} for ${device}`, () => {
      expect(deviceSetting(4, device, 'rp_filter')).to.equal(name);
    });
  }

  it('is of its family', () => {
    expect(deviceSetting(6, 'br-blue', 'keep_addr_on_down')).to.equal('net.ipv6.conf.br-blue.keep_addr_on_down');
  });
});

describe('the reverse path filter of the interface', () => {
  const name = 'net.ipv4.conf.br-blue.rp_filter';

  /** The greater one of both values is in force; only the strict one, 1, keeps replies out. */
  const combinations: readonly (readonly [all: string | undefined, device: string | undefined, loosened: boolean])[] = [
    ['0', '0', false],
    ['0', '1', true],
    ['0', '2', false],
    ['1', '0', true],
    ['1', '1', true],
    ['1', '2', false],
    ['2', '0', false],
    ['2', '1', false],
    ['2', '2', false],
    [undefined, '0', false],
    [undefined, '1', true],
    [undefined, '2', false],
    ['0', undefined, false],
    ['1', undefined, false],
  ];
  const settingsOf = (all: string | undefined, device: string | undefined) => ({
    ...(all !== undefined && { 'net.ipv4.conf.all.rp_filter': all }),
    ...(device !== undefined && { [name]: device }),
  });

  for (const [where, domain] of Object.entries(domains)) {
    for (const [all, device, loosened] of combinations) {
      it(`is ${loosened ? 'made loose' : 'unchanged'} if all has ${all ?? 'no value'} and it has ${device ?? 'none'}, in ${where}`, () => {
        const lines = linesOf({ domain, node: { sysctls: settingsOf(all, device) } });
        expect(lines).to.deep.equal(loosened ? [loose] : []);
      });
    }
  }

  it('is unchanged for an IPv6 network: IPv6 has none', () => {
    expect(linesOf({ families: [6], node: { sysctls: settingsOf('1', '1') } })).to.deep.equal([]);
  });

  /** Once it is 2 by ovn-uplinks, what it was before goes on deciding. */
  const after: readonly (readonly [all: string, before: string, loosened: boolean, why: string])[] = [
    ['0', '1', true, 'it is still needed'],
    ['1', '0', true, 'all devices are strict'],
    ['2', '1', false, 'all devices have become loose'],
    ['0', '0', false, 'all devices were strict and are not any more'],
  ];
  for (const [all, before, loosened, why] of after) {
    it(`${loosened ? 'stays loose' : 'need not stay loose'} if ${why}`, () => {
      const node = { sysctls: settingsOf(all, '2'), ledger: [changed(name, before, '2')] };
      expect(linesOf({ node })).to.deep.equal(loosened ? [loose] : []);
    });
  }

  it('is judged by its own ledger entry', () => {
    const node = {
      sysctls: settingsOf('0', '2'),
      ledger: [changed('net.ipv4.conf.br-red.rp_filter', '1', '2')],
    };
    expect(linesOf({ node })).to.deep.equal([]);
  });

  it('is found by the name that sysctl prints, with a slash for a dot', () => {
    const sysctls = { 'net.ipv4.conf.eth0/100.rp_filter': '1' };
    expect(linesOf({ device: 'eth0.100', node: { sysctls } })).to.deep.equal(['net.ipv4.conf.eth0/100.rp_filter = 2']);
  });
});

describe('the setting that keeps IPv6 addresses', () => {
  const name = 'net.ipv6.conf.br-blue.keep_addr_on_down';

  for (const value of ['-1', '0', '1', '2']) {
    it(`is 1 in a VRF where it was ${value}`, () => {
      const node = { sysctls: { [name]: value } };
      expect(linesOf({ domain: domains['its own VRF'], node })).to.deep.equal([kept]);
      expect(linesOf({ domain: domains['another existing VRF'], node })).to.deep.equal([kept]);
    });
  }

  it('is unchanged in the default domain', () => {
    expect(linesOf({ node: { sysctls: { [name]: '0' } } })).to.deep.equal([]);
    expect(linesOf({ node: { sysctls: { [name]: '1' }, ledger: [changed(name, '0', '1')] } })).to.deep.equal([]);
  });

  it('is unchanged if it was not read, as it may not exist', () => {
    expect(linesOf({ domain: domains['its own VRF'] })).to.deep.equal([]);
  });

  it('stays desired while its change is in the ledger', () => {
    const node = { sysctls: { [name]: '1' }, ledger: [changed(name, '0', '1')] };
    expect(linesOf({ domain: domains['its own VRF'], node })).to.deep.equal([kept]);
  });

  it('is set for an IPv4 network too: the administrator may have IPv6 addresses there', () => {
    const node = { sysctls: { [name]: '0' } };
    expect(linesOf({ domain: domains['its own VRF'], families: [4], node })).to.deep.equal([kept]);
  });
});

describe('forwarding of the interface', () => {
  const ipv4 = 'net.ipv4.conf.br-blue.forwarding';
  const ipv6 = 'net.ipv6.conf.br-blue.force_forwarding';

  for (const [where, domain] of Object.entries(domains)) {
    it(`is on in ${where}, whatever its former value`, () => {
      for (const value of ['0', '1']) {
        const node = { sysctls: { [ipv4]: value, [ipv6]: value } };
        expect(linesOf({ domain, node })).to.deep.equal([`${ipv4} = 1`, `${ipv6} = 1`]);
      }
    });
  }

  it('is set for the families of the network', () => {
    const node = { sysctls: { [ipv4]: '0', [ipv6]: '0' } };
    expect(linesOf({ families: [4], node })).to.deep.equal([`${ipv4} = 1`]);
    expect(linesOf({ families: [6], node })).to.deep.equal([`${ipv6} = 1`]);
  });

  it('is unchanged if the kernel does not have the setting', () => {
    expect(linesOf({ node: { sysctls: { 'net.ipv6.conf.br-blue.forwarding': '0' } } })).to.deep.equal([]);
  });

  it('stays desired while its change is in the ledger', () => {
    const node = { sysctls: { [ipv4]: '1' }, ledger: [changed(ipv4, '0', '1')] };
    expect(linesOf({ node })).to.deep.equal([`${ipv4} = 1`]);
  });
});

describe('IPv6 on the VRF', () => {
  const of = (device: string) => `net.ipv6.conf.${device}.disable_ipv6`;
  const enabled: readonly (readonly [where: keyof typeof domains, vrf: string, sysctls: Record<string, string>])[] = [
    ['its own VRF', 'blue', { [of('default')]: '1' }],
    ['its own VRF', 'blue', { [of('default')]: '1', [of('blue')]: '1' }],
    ['its own VRF', 'blue', { [of('default')]: '0', [of('blue')]: '2' }],
    ['another existing VRF', 'corp', { [of('default')]: '0', [of('corp')]: '1' }],
  ];
  for (const [where, vrf, sysctls] of enabled) {
    it(`is enabled in ${where} with ${JSON.stringify(sysctls)}`, () => {
      const domain = domains[where];
      expect(linesOf({ domain, node: { sysctls } })).to.deep.equal([`${of(vrf)} = 0`]);
      expect(linesOf({ domain, node: { sysctls }, families: [4] })).to.deep.equal([]);
    });
  }

  const unchanged: readonly (readonly [where: keyof typeof domains, sysctls: Record<string, string>])[] = [
    ['its own VRF', {}],
    ['its own VRF', { [of('default')]: '0' }],
    ['its own VRF', { [of('default')]: '1', [of('blue')]: '0' }],
    ['another existing VRF', { [of('default')]: '1', [of('corp')]: '0' }],
    ['the default routing domain', { [of('default')]: '1', [of('blue')]: '1' }],
  ];
  for (const [where, sysctls] of unchanged) {
    it(`is left as it is in ${where} with ${JSON.stringify(sysctls)}`, () => {
      expect(linesOf({ domain: domains[where], node: { sysctls } })).to.deep.equal([]);
    });
  }

  it('stays desired while its change is in the ledger', () => {
    const ledger = [{ kind: 'sysctl', device: 'blue', name: of('blue'), before: '1', value: '0' }] as const;
    const node = { sysctls: { [of('blue')]: '0' }, ledger };
    expect(linesOf({ domain: domains['its own VRF'], node })).to.deep.equal([`${of('blue')} = 0`]);
  });
});
