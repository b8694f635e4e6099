import { expect } from 'chai';
import { idsText } from '../../../../../src/domain/network/allocation/node-report.ts';
import { idsWithMark } from '../../../../../src/domain/network/allocation/foreign-marks.ts';

describe('the ids of networks whose packet marks a mark matches', () => {
  const cases: readonly (readonly [mark: string, ids: string])[] = [
    ['0x200/0xf00', '512-767'],
    ['0x1258', '600'],
    ['0x1002/0xffffff0f', '2,18,34,50,66,82,98,114,130,146,162,178,194,210,226,242'],
    ['0x80/0xf80', '128-255'],
    ['0x0/0xf00', '1-255'],
    ['0x80000000/0x80000000', ''],
    ['0xca6c', ''],
    ['0x1000/0x1000', ''],
    ['0x0/0x0', ''],
    ['', ''],
    ['512', ''],
    ['0x200/0xf00,', ''],
  ];
  for (const [mark, ids] of cases) {
    it(`are ${ids === '' ? 'none' : ids} for ${JSON.stringify(mark)}`, () => {
      expect(idsText(idsWithMark(mark))).to.equal(ids);
    });
  }
});
