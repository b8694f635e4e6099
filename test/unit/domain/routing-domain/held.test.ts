import { expect } from 'chai';
import { isHeld, type Standing } from '../../../../src/domain/routing-domain/held.ts';

describe('a network', () => {
  const standings: readonly (readonly [uplink: Standing['uplink'], inConflict: boolean, held: boolean])[] = [
    ['ready', false, false],
    ['ready', true, true],
    ['not-ready', false, true],
    ['not-ready', true, true],
    ['not-selected', false, false],
    ['not-selected', true, false],
  ];
  for (const [uplink, inConflict, held] of standings) {
    it(`whose uplink is ${uplink}${inConflict ? ', in conflict,' : ''} is ${held ? 'held' : 'not held'}`, () => {
      expect(isHeld({ uplink, inConflict })).to.equal(held);
    });
  }
});
