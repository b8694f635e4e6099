import { expect } from 'chai';
import { isHeld, type Standing } from '../../../../src/domain/routing-domain/held.ts';

describe('a network', () => {
  const free = { inConflict: false, waiting: false };
  const standings: readonly (readonly [Standing, held: boolean])[] = [
    [{ uplink: 'ready', ...free }, false],
    [{ uplink: 'ready', ...free, inConflict: true }, true],
    [{ uplink: 'ready', ...free, waiting: true }, true],
    [{ uplink: 'not-ready', ...free }, true],
    [{ uplink: 'not-ready', inConflict: true, waiting: true }, true],
    [{ uplink: 'not-selected', ...free }, false],
    [{ uplink: 'not-selected', inConflict: true, waiting: false }, false],
    [{ uplink: 'not-selected', inConflict: false, waiting: true }, false],
  ];
  for (const [standing, held] of standings) {
    const { uplink, inConflict, waiting } = standing;
    const troubles = `${inConflict ? ', in conflict' : ''}${waiting ? ', waiting for something' : ''}`;
    it(`whose uplink is ${uplink}${troubles}, is ${held ? 'held' : 'not held'}`, () => {
      expect(isHeld(standing)).to.equal(held);
    });
  }
});
