import { expect } from 'chai';
import { accessVlanOf } from '../../../../src/domain/discovery/access-vlan.ts';
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
