import fc from 'fast-check';
import type { Case } from '../case.ts';
import { describeCase } from '../describe-case.ts';
import { clusters } from './clusters.ts';
import { namelessNodes } from './nodes.ts';
import { settings } from './settings.ts';

/** Makes counterexamples readable: fast-check prints a case by this. Invisible to JSON, so that no law sees it. */
function readable(subject: Case): Case {
  return Object.defineProperty({ ...subject }, fc.toStringMethod, { value: () => `\n${describeCase(subject)}\n` });
}

/** Whole cases: a cluster and snapshots of one or two of its nodes. */
export const cases: fc.Arbitrary<Case> = fc
  .record({ cluster: clusters, shapes: fc.array(namelessNodes, { maxLength: 2 }), settings })
  .map(({ cluster, shapes, settings: chosen }) => {
    const names = cluster.nodes.map(({ metadata }) => metadata.name);
    const nodes = shapes.flatMap((named, index) => {
      const name = names[index];
      return name === undefined ? [] : [named(name)];
    });
    return readable({ cluster, nodes, settings: chosen });
  });
