import { expect } from 'chai';
import type { Owner } from '../../../../src/domain/index.ts';
import { networksOfOwners } from '../../../../src/domain/plan/node-dataplane.ts';
import { dataplane, nodeOf } from '../diff/plans.ts';

describe('the networks of the owners of an entity', () => {
  const node = nodeOf();
  const programmed = [
    { ...dataplane(node), network: 'blue', uplink: 'first', bridge: 'br-one' },
    { ...dataplane(node), network: 'green', uplink: 'second', bridge: 'br-one' },
    { ...dataplane(node), network: 'red', uplink: 'third', bridge: 'br-two' },
  ];
  const rows: readonly (readonly [owners: readonly Owner[], networks: readonly string[]])[] = [
    [[], []],
    [[{ kind: 'network', name: 'blue' }], ['blue']],
    [[{ kind: 'bridge', name: 'br-one' }], ['blue', 'green']],
    [[{ kind: 'uplink', name: 'second' }], ['green']],
    [
      [
        { kind: 'uplink', name: 'third' },
        { kind: 'network', name: 'red' },
        { kind: 'bridge', name: 'br-one' },
      ],
      ['red', 'blue', 'green'],
    ],
    [[{ kind: 'bridge', name: 'blue' }], []],
    [[{ kind: 'uplink', name: 'br-one' }], []],
  ];
  for (const [owners, networks] of rows) {
    const names = owners.map(({ kind, name }) => `${kind} ${name}`);
    it(`are ${networks.join(', ') || 'none'} for ${names.join(', ') || 'no owner'}`, () => {
      expect(networksOfOwners(owners, programmed)).to.deep.equal(networks);
    });
  }
});
