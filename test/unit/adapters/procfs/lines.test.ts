import { expect } from 'chai';
import { readBootId } from '../../../../src/adapters/procfs/boot-id.ts';
import { readUptime } from '../../../../src/adapters/procfs/uptime.ts';
import { problemLines, valueOf } from '../readings.ts';

describe('the files of /proc', () => {
  it('have the boot id', () => {
    expect(valueOf(readBootId('5a1ff1fe-7a3c-4c3f-8f0a-3c3c1f6f0b3e\n', 'boot-id.txt'))).to.equal(
      '5a1ff1fe-7a3c-4c3f-8f0a-3c3c1f6f0b3e',
    );
  });

  for (const [text, found] of [
    ['', '""'],
    ['5a1ff1fe-7a3c-4c3f\n', '"5a1ff1fe-7a3c-4c3f"'],
    ['x5a1ff1fe-7a3c-4c3f-8f0a-3c3c1f6f0b3e', '"x5a1ff1fe-7a3c-4c3f-8f0a-3c3c1f6f0b3e"'],
  ] as const) {
    it(`are invalid with boot id ${found}`, () => {
      expect(problemLines(readBootId(text, 'boot-id.txt'))).to.deep.equal([
        `boot-id.txt: expected a UUID, found string ${found}`,
      ]);
    });
  }

  it('have the uptime', () => {
    expect(valueOf(readUptime('350735.47 234388.90\n', 'uptime.txt'))).to.equal(350735.47);
    expect(valueOf(readUptime('0.00 0.00\n', 'uptime.txt'))).to.equal(0);
  });

  for (const text of ['', '350735.47', '350735 234388', 'soon 1.00', '1.00 2.00 3.00', '-1.00 2.00']) {
    it(`are invalid with uptime "${text}"`, () => {
      expect(problemLines(readUptime(`${text}\n`, 'uptime.txt'))).to.deep.equal([
        `uptime.txt: expected two numbers of seconds, as in "1234.56 789.01", found string "${text}"`,
      ]);
    });
  }
});
