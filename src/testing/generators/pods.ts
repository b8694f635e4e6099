import fc from 'fast-check';
import type { Pod } from '../../domain/api/pod.ts';
import { networkNames, nodeNames } from './names.ts';

/** Pods of the networks' namespaces, on any node, in the node's own network or not. */
export const pods: fc.Arbitrary<Pod[]> = fc.uniqueArray(
  fc
    .record({
      namespace: fc.constantFrom(...networkNames),
      nodeName: fc.constantFrom(...nodeNames),
      hostNetwork: fc.boolean(),
      phase: fc.constantFrom('Running', 'Pending', 'Succeeded'),
    })
    .map(({ namespace, nodeName, hostNetwork, phase }) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: `pod-${nodeName.length}-${hostNetwork}-${phase.toLowerCase()}`, namespace },
      spec: { nodeName, hostNetwork },
      status: { phase },
    })),
  { maxLength: 12, selector: ({ metadata }) => `${metadata.namespace}/${metadata.name}` },
);
