/** A plan of a node that is made after others is the same as one that is made from nothing, and so is everything that follows from it. */
import { expect } from 'chai';
import fc from 'fast-check';
import { defaultSettings, type NodeSettings, type NodeSnapshot } from '../../src/domain/index.ts';
import { cases, stories } from '../../src/testing/index.ts';
import { caseCount } from '../case-count.ts';
import { Coverage } from '../coverage.ts';
import {
  type Observed,
  observedAfter,
  observedIn,
  observedWhile,
  type Planned,
  planned,
  type Planner,
  readingSteps,
} from './node-observations.ts';
import { numberedHistories } from './numbered-cluster.ts';

/** Nothing is known of such a cluster and node, nor of such settings. */
const fromNothing: Planner = (observed, settings) => planned(structuredClone(observed), structuredClone(settings));

/**
 * Checks plans that are made one after the other. All are made before the first one from nothing, which would change what is cached; and those from the last
 * to the first one, so that what a plan takes over from the one before would be something else.
 */
function check(planner: Planner, observations: readonly Observed[], { ...settings }: NodeSettings): readonly Planned[] {
  const made = observations.map((observed) => planner(observed, settings));
  for (const [index, observed] of [...observations.entries()].toReversed()) {
    const fresh = fromNothing(observed, settings);
    // Mostly they are equal, byte for byte; otherwise this finds the difference.
    if (JSON.stringify(made[index]) !== JSON.stringify(fresh)) expect(made[index]).to.deep.equal(fresh);
    expect(JSON.stringify(made[index])).to.equal(JSON.stringify(fresh));
  }
  return made;
}

/** A planner that is told of the changes of one part of a node a plan too late. */
function late(part: keyof NodeSnapshot): Planner {
  let former: NodeSnapshot | undefined;
  return ({ cluster, node }, settings) => {
    const known: NodeSnapshot = { ...node, ...(former && { [part]: former[part] }) };
    former = node;
    return planned({ cluster, node: known }, settings);
  };
}

const seeds = fc.nat();

describe('a plan of a node after any sequence of changes is the one made from nothing, with the same operations', function () {
  this.timeout(0);

  it('in stories', () => {
    fc.assert(
      fc.property(stories, seeds, (story, seed) => {
        check(planned, observedIn(story, seed), story.settings);
      }),
      { numRuns: caseCount(60) },
    );
  });

  it('in cases of which parts are lost, read again and restored', () => {
    const coverage = new Coverage();
    fc.assert(
      fc.property(cases, readingSteps, (subject, steps) => {
        const made = check(planned, observedAfter(subject, steps), subject.settings);
        const counts = made.map(({ operations }) => operations.length);
        coverage.count({
          'another plan': new Set(made.map((each) => JSON.stringify(each))).size > 1,
          'nothing to do after something': counts.some((count, at) => count === 0 && (counts[at - 1] ?? 0) > 0),
          'something to do after nothing': counts.some((count, at) => count > 0 && counts[at - 1] === 0),
        });
      }),
      { numRuns: caseCount(300) },
    );
    coverage.expect({
      'another plan': 0.3,
      'nothing to do after something': 0.1,
      'something to do after nothing': 0.05,
    });
  });

  for (const dynamicNetworks of [false, true]) {
    it(`where a cluster with ${dynamicNetworks ? 'dynamic' : 'static'} networks that are provided changes one object at a time`, () => {
      const settings: NodeSettings = { ...defaultSettings, providedNetworks: 'all', dynamicNetworks };
      let [all, programmed] = [0, 0];
      fc.assert(
        fc.property(numberedHistories, seeds, (history, seed) => {
          const observations = observedWhile(history, settings, seed);
          check(planned, observations, settings);
          programmed += observations.filter(({ node: { northbound } }) => northbound.length > 0).length;
          all += observations.length;
        }),
        { numRuns: caseCount(20) },
      );
      expect(programmed / all).to.be.greaterThan(0.6);
    });
  }

  for (const part of ['northbound', 'chassis', 'remotePorts'] as const) {
    it(`which finds that ${part} of networks that are provided are known a plan too late`, () => {
      const settings: NodeSettings = { ...defaultSettings, providedNetworks: 'all' };
      const { failed } = fc.check(
        fc.property(numberedHistories, seeds, (history, seed) => {
          check(late(part), observedWhile(history, settings, seed), settings);
        }),
        { numRuns: caseCount(20), endOnFailure: true },
      );
      expect(failed).to.be.true;
    });
  }

  for (const part of ['links', 'routes', 'rules', 'ledger', 'bridges', 'switchExternalIds', 'sysctls'] as const) {
    it(`which finds that ${part} are known a plan too late`, () => {
      const { failed } = fc.check(
        fc.property(stories, seeds, (story, seed) => {
          check(late(part), observedIn(story, seed), story.settings);
        }),
        { numRuns: caseCount(60), endOnFailure: true },
      );
      expect(failed).to.be.true;
    });
  }
});
