import fc from 'fast-check';
import { defaultSettings } from '../../domain/snapshot/settings.ts';
import type { Case } from '../case.ts';
import { clusters } from './clusters.ts';
import { nodes } from './nodes.ts';

const settings = fc
  .record({ dynamicNetworks: fc.boolean(), local: fc.integer({ min: 0, max: 31 }) })
  .map(({ dynamicNetworks, local }) => ({
    ...defaultSettings,
    dynamicNetworks,
    gatewayMode: local === 31 ? ('local' as const) : ('shared' as const),
  }));

/** Whole cases: a cluster and snapshots of one or two of its nodes. */
export const cases: fc.Arbitrary<Case> = clusters.chain((cluster) =>
  fc.record({
    cluster: fc.constant(cluster),
    nodes: fc.tuple(...cluster.nodes.slice(0, 2).map(({ metadata }) => nodes(metadata.name))),
    settings,
  }),
);
