/**
 * Every law finds its seeded faults, within its usual number of cases, and reports a counterexample before a person stops waiting.
 */
import { expect } from 'chai';
import { type Engine, type LawName, laws, seededFaults } from '../../src/testing/index.ts';
import { BrokenLaw, type RunOptions } from './hold.ts';
import { holdLaw } from './laws.ts';

/** Checks a law on an engine that breaks it. */
function refuted(engine: Engine, name: LawName, extent: Partial<RunOptions> = {}): BrokenLaw {
  const law = laws.find((each) => each.name === name);
  if (law === undefined) throw new Error(`there is no law ${name}`);
  try {
    holdLaw(law, engine, { numRuns: law.runs, seed: 1, ...extent });
  } catch (error) {
    if (error instanceof BrokenLaw) return error;
    throw error;
  }
  throw new Error(`${law.runs} cases do not refute the engine`);
}

describe('seeded faults', function () {
  this.timeout(0);

  for (const { law, fault, engine } of seededFaults) {
    it(`${law} finds: ${fault}`, () => {
      expect(refuted(engine, law, { reduceMs: 0 }).violation?.law).to.equal(law);
    });
  }

  it('are three at least for each law with a number', () => {
    const count = (name: LawName) => seededFaults.filter(({ law }) => law === name).length;
    const few = laws.filter(({ name }) => /^\d/.test(name) && count(name) < 3);
    expect(few.map(({ name }) => name)).to.deep.equal([]);
    expect(laws.filter(({ name }) => count(name) === 0).map(({ name }) => name)).to.deep.equal([]);
  });

  it('are reported within a minute', function () {
    const adding = seededFaults.find(({ fault }) => fault.startsWith('Every route of ours is removed and added again'));
    if (adding === undefined) throw new Error('the fault is not seeded any more');
    for (const law of ['7 crash-safe', '8 no bounce'] as const) {
      const begin = performance.now();
      const { message, numRuns } = refuted(adding.engine, law);
      const seconds = (performance.now() - begin) / 1000;
      process.stdout.write(
        `      ${law}: case ${numRuns}, ${seconds.toFixed(1)} s, ${message.split('\n').length} lines\n`,
      );
      // Half a minute of reduction, and a machine that is busy.
      expect(seconds).to.be.below(120);
    }
  });
});
