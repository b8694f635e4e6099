import { expect } from 'chai';
import { nearestName } from '../../../../../src/domain/basics/names/nearest-name.ts';

const known = ['nodeConfigs', 'nodeSelector', 'type', 'name', 'states', 'status'];

describe('the nearest name', () => {
  for (const [written, meant] of [
    ['nodeConfig', 'nodeConfigs'],
    ['nodeconfigs', 'nodeConfigs'],
    ['NodeSelectors', 'nodeSelector'],
    ['nodeSlector', 'nodeSelector'],
    ['typ', 'type'],
    ['types', 'type'],
    ['statuss', 'status'],
    ['stattes', 'states'],
    ['ypes', undefined],
    ['tpye', undefined],
    ['colour', undefined],
    ['', undefined],
    ['x'.repeat(1_000_000), undefined],
  ] as const) {
    it(`to ${JSON.stringify(written.slice(0, 20))} is ${meant ?? 'none'}`, () => {
      expect(nearestName(written, known)).to.equal(meant);
    });
  }
});
