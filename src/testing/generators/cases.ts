import fc from 'fast-check';
import type { NodeSnapshot } from '../../domain/snapshot/node-snapshot.ts';
import type { Case } from '../case.ts';
import { describeCase } from '../describe-case.ts';
import { clusters } from './clusters.ts';
import { unnamedNodes } from './nodes.ts';
import { othersToo, withoutOtherProvider } from './provided-networks.ts';
import { settings } from './settings.ts';

/** Makes counterexamples readable: fast-check prints a case by this. Invisible to JSON, so that no law sees it. */
function readable(subject: Case): Case {
  return Object.defineProperty({ ...subject }, fc.toStringMethod, { value: () => `\n${describeCase(subject)}\n` });
}

type NodeFactory = (nodeName: string) => NodeSnapshot;

/** One node or two, and sometimes none. */
const nodeFactories: fc.Arbitrary<NodeFactory[]> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<NodeFactory[]>([]) },
  { weight: 15, arbitrary: fc.array(unnamedNodes, { minLength: 1, maxLength: 2 }) },
);

/** Whole cases: a cluster and snapshots of one or two of its nodes. */
export const cases: fc.Arbitrary<Case> = fc
  .record({ cluster: clusters, nodeFactories, settings, othersToo })
  .map(({ cluster, nodeFactories: named, settings: chosen, othersToo: areLeft }) => {
    const names = cluster.nodes.map(({ metadata }) => metadata.name);
    const nodes = named.flatMap((make, index) => {
      const name = names[index];
      return name === undefined ? [] : [withoutOtherProvider(make(name), chosen, areLeft)];
    });
    return readable({ cluster, nodes, settings: chosen });
  });
