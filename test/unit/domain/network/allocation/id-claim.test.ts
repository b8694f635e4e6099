import { expect } from 'chai';
import { endsClaims, readClaims, withClaims } from '../../../../../src/domain/network/allocation/id-claim.ts';

const data = {
  'network-1': 'cluster_udn_blue 6f1c',
  'network-12': 'demo_red 8e01 released',
  'network-2': 'demo_green',
  'network-4': 'demo_released released',
  'node-2': 'worker-a 91d2',
  comment: 'not a claim',
  'network-x': 'not a claim',
  'network-03': 'not a claim',
};

const claims = {
  network: [
    { id: 1, name: 'cluster_udn_blue', uid: '6f1c' },
    { id: 2, name: 'demo_green', uid: '' },
    { id: 4, name: 'demo_released', uid: '', released: true as const },
    { id: 12, name: 'demo_red', uid: '8e01', released: true as const },
  ],
  node: [{ id: 2, name: 'worker-a', uid: '91d2' }],
};

describe('claims in the data of a ConfigMap', () => {
  it('are read, by id', () => {
    expect(readClaims(data)).to.deep.equal(claims);
  });

  it('are written in the place of those before, beside what is no claim', () => {
    const written = withClaims(data, { network: [{ id: 3, name: 'demo_red', uid: '8e01' }], node: [] });
    expect(written).to.deep.equal({
      comment: 'not a claim',
      'network-03': 'not a claim',
      'network-3': 'demo_red 8e01',
      'network-x': 'not a claim',
    });
  });

  it('are read as they were written', () => {
    expect(readClaims(withClaims({}, claims))).to.deep.equal(claims);
  });
});

describe('claims', () => {
  for (const [what, later, ends] of [
    ['are added', { ...data, 'network-3': 'demo_new 1' }, false],
    ['are released', { ...data, 'network-1': 'cluster_udn_blue 6f1c released' }, false],
    ['are taken up again', { ...data, 'network-12': 'demo_red 8e01' }, false],
    ['stay, and something else changes', { ...data, comment: 'still not a claim' }, false],
    ['are removed', { ...data, 'network-12': undefined }, true],
    ['are replaced by those of others', { ...data, 'network-12': 'demo_new 1' }, true],
    ['are replaced by those of another one of the name', { ...data, 'node-2': 'worker-a 5555' }, true],
  ] as const) {
    it(`${ends ? 'end' : 'do not end'} where they ${what}`, () => {
      const entries = Object.entries(later).filter((entry): entry is [string, string] => entry[1] !== undefined);
      expect(endsClaims(data, Object.fromEntries(entries))).to.equal(ends);
    });
  }
});
