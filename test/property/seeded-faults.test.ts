/**
 * Every law finds its seeded faults within its usual number of cases, and reports a counterexample within a minute of processor time.
 */
import { expect } from 'chai';
import { type Engine, type LawName, laws, seededFaults } from '../../src/testing/index.ts';
import { BrokenLaw, type RunOptions } from './check-property.ts';
import { checkLawOnGenerated } from './laws.ts';

/** Checks a law on an engine that violates it. */
function violationBy(engine: Engine, name: LawName, extent: Partial<RunOptions> = {}): BrokenLaw {
  const law = laws.find((each) => each.name === name);
  if (law === undefined) throw new Error(`there is no law ${name}`);
  try {
    checkLawOnGenerated(law, engine, { numRuns: law.runs, seed: 7, ...extent });
  } catch (error) {
    if (error instanceof BrokenLaw) return error;
    throw error;
  }
  throw new Error(`no violation in ${law.runs} cases`);
}

describe('seeded faults', function () {
  this.timeout(0);

  for (const { law, fault, engine } of seededFaults) {
    it(`${law} finds: ${fault}`, () => {
      expect(violationBy(engine, law, { reduceMs: 0 }).violation?.law).to.equal(law);
    });
  }

  it('are at least three for each law', () => {
    const count = (name: LawName) => seededFaults.filter(({ law }) => law === name).length;
    expect(laws.filter(({ name }) => count(name) < 3).map(({ name }) => name)).to.deep.equal([]);
  });

  it('are reported within a minute of processor time', function () {
    const seeded = seededFaults.find(({ fault }) => fault.startsWith('Every route of ours is removed and added again'));
    if (seeded === undefined) throw new Error('there is no such fault');
    for (const law of ['7 crash-safe', '8 no bounce'] as const) {
      const begin = process.cpuUsage();
      const { message, numRuns } = violationBy(seeded.engine, law);
      const { user, system } = process.cpuUsage(begin);
      const seconds = (user + system) / 1e6;
      process.stdout.write(
        `      ${law}: case ${numRuns}, ${seconds.toFixed(1)} s, ${message.split('\n').length} lines\n`,
      );
      // What other programs use of a busy machine does not count.
      expect(seconds).to.be.below(60);
    }
  });
});
