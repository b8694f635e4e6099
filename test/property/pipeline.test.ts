/**
 * Checks the properties of the flows of uplink bridges, with generated bridges and packets, and that each property finds its seeded faults.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { pipeline, pipelineFaults, pipelineProperties, traffic } from '../../src/testing/index.ts';
import { caseCount } from '../case-count.ts';
import { Coverage } from '../coverage.ts';

/** Enough to find every seeded fault. */
const RUNS = 1000;

const extent = { numRuns: caseCount(RUNS) };

describe('the flows of a bridge', function () {
  this.timeout(0);

  for (const { name, promise, cover, check } of pipelineProperties) {
    it(`${name}: ${promise}`, () => {
      const coverage = new Coverage();
      fc.assert(
        fc.property(traffic, (each) => {
          coverage.count(Object.fromEntries(check(pipeline, each).map((label) => [label, true])));
        }),
        { ...extent, interruptAfterTimeLimit: 600_000, markInterruptAsFailure: true },
      );
      // With few cases the shares mean nothing.
      if (caseCount(RUNS) >= RUNS) coverage.expect(cover);
    });
  }
});

describe('a pipeline with a fault', function () {
  this.timeout(0);

  it('is there for each property, and for nothing else', () => {
    const faulty = new Set<string>(pipelineFaults.map(({ property }) => property));
    expect([...faulty]).to.have.members(pipelineProperties.map(({ name }) => name));
  });

  for (const { property, fault, pipeline: faulty } of pipelineFaults) {
    it(`violates "${property}": ${fault}`, () => {
      const found = pipelineProperties.find(({ name }) => name === property);
      const { failed, errorInstance } = fc.check(
        fc.property(traffic, (each) => {
          found?.check(faulty, each);
        }),
        // A fixed seed, so that the result is the same each time.
        { numRuns: RUNS, seed: 1, endOnFailure: true },
      );
      expect(failed).to.equal(true);
      expect(errorInstance).to.have.property('name', 'PipelineViolation');
    });
  }
});
