/**
 * Every exception of a law is used by a scenario, a story or generated cases. One that is not used has to be removed. The same cases have held networks with
 * entities of every kind.
 */
import { expect } from 'chai';
import { entityKinds } from '../../src/domain/entities/entity-kinds.ts';
import { engine, exceptions, type CaseLabels, laws } from '../../src/testing/index.ts';
import { readScenario, scenarioNames } from '../scenarios/scenario-folders.ts';
import { readStory, storyNames } from '../scenarios/story-folders.ts';
import { checkLawOnGenerated } from './laws.ts';

/** Kinds of which networks have no managed entities: those of other programs, those for other nodes, and the filter of all networks. */
const ofOthers: readonly string[] = [
  'next-hop-object',
  'neighbour-proxy',
  'remote-chassis',
  'remote-port',
  'interconnection',
  'filter-table',
];

/** Other labels that are as rare as exceptions, and must be reached too. */
const rare = [
  '3 owns only its own: displaced before',
  ...Object.keys(entityKinds)
    .filter((kind) => !ofOthers.includes(kind))
    .map((kind) => `5 symmetric: held ${kind}`),
];

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
    for (const law of laws) {
      if (!(law.name in exceptions)) continue;
      const missing = new Set(
        expected
          .filter((label) => label.startsWith(`${law.name}: `))
          .map((label) => label.slice(`${law.name}: `.length)),
      );
      // Whether scenarios and stories obey laws is for test/scenarios: here they are read until they have what is missing.
      const checks =
        law.about === 'stories'
          ? storyNames().map((name) => () => law.check(engine, readStory(name)))
          : scenarioNames().map((name) => () => law.check(engine, readScenario(name), 1));
      for (const check of checks) {
        if (missing.size === 0) break;
        const labels = check();
        add(law.name, labels);
        for (const label of labels) missing.delete(label);
      }
      // A fixed seed, for the same cases each time: as many as it takes.
      const { labels } = checkLawOnGenerated(law, engine, {
        numRuns: Math.ceil(law.runs / 3),
        seed: 7,
        isEnough: (reached) => [...missing].every((label) => reached.has(label)),
      });
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
