import { expect } from 'chai';
import { accessVlanOf, carries, untaggedVlanOf } from '../../../../src/domain/discovery/port-vlans.ts';
import type { SwitchPort } from '../../../../src/domain/snapshot/node-snapshot.ts';

describe('the access VLAN of a port', () => {
  const ports: readonly (readonly [what: string, port: Partial<SwitchPort>, vlan: number | undefined])[] = [
    ['with a tag', { tag: 100 }, 100],
    ['with a tag in mode access', { tag: 100, vlanMode: 'access' }, 100],
    ['without a tag', {}, undefined],
    ['in mode access without a tag', { vlanMode: 'access' }, undefined],
    ['with tag 0, which is priority alone', { tag: 0 }, undefined],
    ['in mode trunk', { tag: 100, vlanMode: 'trunk' }, undefined],
    ['in mode native-tagged', { tag: 100, vlanMode: 'native-tagged' }, undefined],
    ['in mode native-untagged', { tag: 100, vlanMode: 'native-untagged' }, 100],
  ];
  for (const [what, port, vlan] of ports) {
    it(`${what} is ${vlan ?? 'none'}`, () => {
      expect(accessVlanOf({ name: 'p', externalIds: {}, interfaces: [], ...port })).to.equal(vlan);
    });
  }
});

describe('the VLAN whose frames a port has without a tag', () => {
  const ports: readonly (readonly [what: string, port: Partial<SwitchPort>, vlan: number | undefined])[] = [
    ['of an access port', { tag: 100 }, 100],
    ['of a port without any setting', {}, 0],
    ['of a trunk of VLANs with 0', { trunks: [0, 100] }, 0],
    ['of a trunk of VLANs without 0', { trunks: [100] }, undefined],
    ['of a trunk in mode native-tagged', { vlanMode: 'native-tagged', tag: 100 }, undefined],
    ['of a trunk in mode native-untagged', { vlanMode: 'native-untagged', tag: 100, trunks: [200] }, 100],
    ['of a tunnel of VLANs', { vlanMode: 'dot1q-tunnel', tag: 100 }, undefined],
  ];
  for (const [what, port, vlan] of ports) {
    it(`${what} is ${vlan ?? 'none'}`, () => {
      expect(untaggedVlanOf({ name: 'p', externalIds: {}, interfaces: [], ...port })).to.equal(vlan);
    });
  }
});

describe('a port that carries frames of a VLAN as they are on the wire', () => {
  const carriesAsIs = (port: Partial<SwitchPort>, vlan: number) =>
    carries({ name: 'p', externalIds: {}, interfaces: [], ...port }, vlan);

  it('is a trunk of that VLAN', () => {
    expect(carriesAsIs({}, 100)).to.equal(true);
    expect(carriesAsIs({ trunks: [100, 200] }, 100)).to.equal(true);
    expect(carriesAsIs({ trunks: [200] }, 100)).to.equal(false);
    expect(carriesAsIs({ trunks: [200] }, 0)).to.equal(false);
  });

  it('is no access port, except of frames that have no VLAN', () => {
    expect(carriesAsIs({ tag: 100 }, 100)).to.equal(false);
    expect(carriesAsIs({ tag: 100 }, 0)).to.equal(false);
    expect(carriesAsIs({ vlanMode: 'access' }, 0)).to.equal(true);
  });

  it('tags the frames of its native VLAN', () => {
    const port = { tag: 100, trunks: [200] };
    expect(carriesAsIs({ ...port, vlanMode: 'native-tagged' }, 100)).to.equal(true);
    expect(carriesAsIs({ ...port, vlanMode: 'native-untagged' }, 100)).to.equal(false);
    expect(carriesAsIs({ ...port, vlanMode: 'native-untagged' }, 200)).to.equal(true);
    expect(carriesAsIs({ ...port, vlanMode: 'native-untagged' }, 0)).to.equal(false);
  });
});
