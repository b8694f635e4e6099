import { expect } from 'chai';
import { readSysctls } from '../../../../src/adapters/sysctl/settings.ts';
import { capturedText } from '../captured-text.ts';
import { problemLines, valueOf } from '../readings.ts';

describe('settings of `sysctl -a`', () => {
  it('are those of the captured node', () => {
    const settings = valueOf(readSysctls(capturedText('worker-a', 'sysctl.txt'), 'sysctl.txt'));
    expect(settings['net.ipv4.conf.all.rp_filter']).to.equal('1');
    expect(settings['net.ipv4.conf.br-blue.rp_filter']).to.equal('0');
    expect(settings['net.ipv4.tcp_l3mdev_accept']).to.equal('0');
    expect(settings['net.ipv6.conf.br-blue.keep_addr_on_down']).to.equal('0');
  });

  const lines: readonly (readonly [what: string, line: string, name: string, value: string])[] = [
    [
      'a dot in a device name printed as a slash',
      'net.ipv4.conf.eth1/100.rp_filter = 2',
      'net.ipv4.conf.eth1/100.rp_filter',
      '2',
    ],
    ['an equals sign in a device name', 'net.ipv4.conf.a=b.rp_filter = 2', 'net.ipv4.conf.a=b.rp_filter', '2'],
    [
      'a value of several words',
      'net.ipv4.tcp_rmem = 4096\t131072\t6291456',
      'net.ipv4.tcp_rmem',
      '4096\t131072\t6291456',
    ],
    ['an equals sign in the value', 'kernel.x = a = b', 'kernel.x', 'a = b'],
    ['no value', 'kernel.domainname = ', 'kernel.domainname', ''],
    ['a name of a built-in property', '__proto__ = 1', '__proto__', '1'],
  ];
  for (const [what, line, name, value] of lines) {
    it(`may have ${what}`, () => {
      expect(Object.entries(valueOf(readSysctls(`${line}\n`, 'sysctl.txt')))).to.deep.equal([[name, value]]);
    });
  }

  it('are sorted by name', () => {
    expect(Object.keys(valueOf(readSysctls('b = 1\n\na = 2', 'sysctl.txt')))).to.deep.equal(['a', 'b']);
  });

  it('are empty for an empty file', () => {
    expect(valueOf(readSysctls('', 'sysctl.txt'))).to.deep.equal({});
  });

  it('are invalid if a line is truncated, or not a setting', () => {
    expect(problemLines(readSysctls('a = 1\nnet.ipv4.co\n = 5\n', 'sysctl.txt'))).to.deep.equal([
      'sysctl.txt: line 2: expected "name = value", found "net.ipv4.co"',
      'sysctl.txt: line 3: expected "name = value", found " = 5"',
    ]);
  });
});
