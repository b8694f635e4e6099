/**
 * Every exception of a law is used by a scenario or by generated cases. One that is not used has to be removed.
 */
import { expect } from 'chai';
import { engine, exceptions, type CaseLabels, laws } from '../../src/testing/index.ts';
import { isBeginning } from '../scenarios/midway.ts';
import { readScenario, scenarioNames } from '../scenarios/scenario-folders.ts';
import { checkLawOnGenerated } from './laws.ts';

/** Other labels that are as rare as exceptions, and must be reached too. */
const rare = ['3 owns only its own: displaced before'];

const expected = [
  ...Object.entries(exceptions).flatMap(([law, reasons]) =>
    Object.keys(reasons).map((name) => `${law}: exception of ${law}: ${name}`),
  ),
  ...rare,
];

describe('exceptions of laws', function () {
  this.timeout(0);
  const count = new Map<string, number>();
  const add = (law: string, labels: CaseLabels, times = 1) => {
    for (const label of new Set(labels)) {
      count.set(`${law}: ${label}`, (count.get(`${law}: ${label}`) ?? 0) + times);
    }
  };

  before(() => {
    for (const subject of scenarioNames().map(readScenario)) {
      for (const law of laws) {
        if (law.about === 'stories' || (law.name === 'inverse' && !isBeginning(subject))) continue;
        if (law.name in exceptions || law.name.startsWith('3')) add(law.name, law.check(engine, subject, 1));
      }
    }
    // A fixed seed, for the same cases each time.
    for (const law of laws) {
      if (!(law.name in exceptions || law.name.startsWith('3'))) continue;
      const { labels } = checkLawOnGenerated(law, engine, { numRuns: Math.ceil(law.runs / 3), seed: 1 });
      for (const [label, times] of labels) add(law.name, [label], times);
    }
  });

  for (const label of expected) {
    it(`are used: ${label}`, function () {
      const times = count.get(label) ?? 0;
      process.stdout.write(`      ${times} times\n`);
      expect(times).to.be.above(0);
    });
  }
});
