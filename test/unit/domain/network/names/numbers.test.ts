import { expect } from 'chai';
import { isManagementPortIn } from '../../../../../src/domain/network/names/numbers.ts';

describe('a management port', () => {
  const rows = [
    [300, 'ovn-k8s-mp1', true],
    [100_701, 'ovn-k8s-mp701', true],
    [301, 'ovn-k8s-mp1', false],
    [300, 'ovn-k8s-mp01', false],
    [299, 'ovn-k8s-mp', false],
    [300, 'br-blue', false],
    [undefined, 'ovn-k8s-mp1', false],
  ] as const;
  for (const [table, device, expected] of rows) {
    it(`${expected ? 'is' : 'is not'} ${device} where the VRF has table ${table}`, () => {
      expect(isManagementPortIn(table, device)).to.equal(expected);
    });
  }
});
