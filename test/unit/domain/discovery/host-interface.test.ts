import { expect } from 'chai';
import { hostInterface } from '../../../../src/domain/discovery/host-interface.ts';
import { discoveryInput, hostLink } from './discovery-input.ts';

describe('the host interface', () => {
  it('is the device of the name', () => {
    const input = discoveryInput({ links: [{ name: 'eth1' }, { name: 'br-blue' }] });
    expect(hostInterface.run(input, {})).to.deep.equal({ ok: true, found: { link: hostLink(input) } });
  });

  it('is not one with an alternative name: Open vSwitch and the settings do not know that', () => {
    const input = discoveryInput({ links: [{ name: 'eth1', alternativeNames: ['br-blue'] }] });
    expect(hostInterface.run(input, {})).to.deep.equal({
      ok: false,
      failure: { reason: 'HostInterfaceNotFound', cause: 'absent' },
    });
  });

  const failures: readonly (readonly [name: string, cause: string])[] = [
    ['br-blue', 'absent'],
    ['BR-BLUE', 'absent'],
    ['.', 'impossible-name'],
    ['à', 'impossible-name'],
    ['sixteen-bytes-xx', 'impossible-name'],
    ['if2', 'taken-for-number'],
    ['if2=x', 'taken-for-number'],
    ['a=b', 'equals-sign'],
  ];
  it('is reported as unsafe in commands although it exists', () => {
    for (const [name, cause] of [
      ['if2', 'taken-for-number'],
      ['if2.100', 'taken-for-number'],
      ['a=b', 'equals-sign'],
    ] as const) {
      const input = discoveryInput({ links: [{ name: 'eth1' }, { name }] }, { hostInterfaceName: name });
      expect(hostInterface.run(input, {})).to.deep.equal({
        ok: false,
        failure: { reason: 'HostInterfaceNotFound', cause },
      });
    }
  });

  for (const [name, cause] of failures) {
    it(`${name} is not found on a node without it: ${cause}`, () => {
      const input = discoveryInput({ links: [{ name: 'eth1' }] }, { hostInterfaceName: name });
      expect(hostInterface.run(input, {})).to.deep.equal({
        ok: false,
        failure: { reason: 'HostInterfaceNotFound', cause },
      });
    });
  }
});
