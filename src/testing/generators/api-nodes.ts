/**
 * Nodes as the API has them, with the label that selectors are about.
 */
import fc from 'fast-check';
import type { Node } from '../../domain/api/node.ts';
import { racks } from './names.ts';

/** InternalIPs of a node: none, usually that of the default bridge, or one of an uplink's interface. */
const internalIps: fc.Arbitrary<readonly string[]> = fc.oneof(
  { withCrossShrink: true },
  { weight: 2, arbitrary: fc.constant([]) },
  { weight: 12, arbitrary: fc.constant(['198.51.100.10']) },
  { weight: 1, arbitrary: fc.constantFrom(['192.0.2.1'], ['192.0.2.4', '2001:db8::4'], ['2001:db8::2']) },
);

/** A Node in one of the racks or in none. */
export function apiNode(name: string): fc.Arbitrary<Node> {
  return fc
    .record({ rack: fc.option(fc.constantFrom(...racks), { nil: undefined }), addresses: internalIps })
    .map(({ rack, addresses }) => ({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name, labels: rack === undefined ? {} : { rack } },
      ...(addresses.length > 0 && {
        status: { addresses: addresses.map((address) => ({ type: 'InternalIP', address })) },
      }),
    }));
}
