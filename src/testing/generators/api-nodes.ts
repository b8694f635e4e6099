/**
 * Nodes as the API has them, with the label that selectors are about.
 */
import fc from 'fast-check';
import type { Node } from '../../domain/api/node.ts';
import {
  CHASSIS_ID_ANNOTATION,
  ENCAPSULATION_IPS_ANNOTATION,
  NODE_ID_ANNOTATION,
  NODE_REPORT_ANNOTATION,
  NODE_SUBNETS_ANNOTATION,
} from '../../domain/basics/conventions.ts';
import { nodeReportName } from '../../domain/network/allocation/node-report.ts';
import { networkNames, racks } from './names.ts';

/** InternalIPs of a node: none, usually that of the default bridge, or one of an uplink's interface. */
const internalIps: fc.Arbitrary<readonly string[]> = fc.oneof(
  { withCrossShrink: true },
  { weight: 2, arbitrary: fc.constant([]) },
  { weight: 12, arbitrary: fc.constant(['198.51.100.10']) },
  { weight: 2, arbitrary: fc.constantFrom(['192.0.2.1'], ['192.0.2.4', '2001:db8::4'], ['2001:db8::2']) },
);

/** Annotations of OVN-Kubernetes about the networks on the node; sometimes it has not said it yet, and often all networks have the same subnets. */
const annotations: fc.Arbitrary<Readonly<Record<string, string>>> = fc
  .nat({ max: 15 })
  .map((number): Readonly<Record<string, string>> => {
    const subnets = networkNames.map((name, at) => [
      `cluster_udn_${name}`,
      [20 + (number % 2 === 0 ? 0 : at)].flatMap((part) => [`10.${part}.1.0/24`, `fd${part}:0:0:1::/64`]),
    ]);
    if (number === 15) return {};
    return {
      ...(number < 14 && { [NODE_ID_ANNOTATION]: '2' }),
      [NODE_SUBNETS_ANNOTATION]: JSON.stringify(Object.fromEntries(subnets)),
    };
  });

/** Most nodes have published their chassis, and some have another one since. */
const chassisPrefix = fc.constantFrom('chassis', 'chassis', 'chassis', 'another', undefined);

/** Publications of a node: its chassis, and mostly where its tunnels end. */
function published(name: string, prefix: string): Readonly<Record<string, string>> {
  const addresses = { [ENCAPSULATION_IPS_ANNOTATION]: JSON.stringify([`172.30.0.${name.length % 250}`]) };
  return { [CHASSIS_ID_ANNOTATION]: `${prefix}-${name}`, ...(prefix === 'another' ? {} : addresses) };
}

/** A Node in one of the racks or in none. */
export function apiNode(name: string): fc.Arbitrary<Node> {
  return fc
    .record({
      annotations,
      chassis: chassisPrefix,
      // One in eight does not report which ids it uses.
      reporting: fc.nat({ max: 7 }).map((number) => number < 7),
      rack: fc.option(fc.constantFrom(...racks), { nil: undefined }),
      addresses: internalIps,
    })
    .map(({ annotations: said, chassis: prefix, reporting, rack, addresses }) => ({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: {
        name,
        labels: rack === undefined ? {} : { rack },
        annotations: {
          ...said,
          ...(prefix !== undefined && published(name, prefix)),
          ...(reporting && { [NODE_REPORT_ANNOTATION]: nodeReportName(name) }),
        },
      },
      ...(addresses.length > 0 && {
        status: { addresses: addresses.map((address) => ({ type: 'InternalIP', address })) },
      }),
    }));
}
