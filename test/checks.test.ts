import { expect } from 'chai';
import { execa } from 'execa';

/** Minutes that a check may take: it has the time in which tests wait for machines. */
const MINUTES = 40;

/** In `scripts/test` only, which runs the others before, as tests read what they write. */
describe('the checks that read the whole checkout', function () {
  this.timeout(MINUTES * 60_000);

  for (const check of ['lint', 'unused', 'imports', 'format', 'scenarios', 'go']) {
    it(`find nothing: ${check}`, async () => {
      const { exitCode, all } = await execa('nice', ['-n', '19', 'npm', 'run', '--silent', `check:${check}`], {
        all: true,
        reject: false,
      });
      expect(exitCode, all).to.equal(0);
    });
  }
});
