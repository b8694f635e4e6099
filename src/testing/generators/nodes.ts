/**
 * Nodes with two bridges, each with several interfaces, with and without faults.
 */
import fc from 'fast-check';
import type { NodeSnapshot } from '../../domain/snapshot/node-snapshot.ts';
import { type BriefBridge, type BriefLink, type BriefRoute, completeNode } from '../brief-node.ts';
import { datapathContents, datapathOf, interconnectionOf } from './datapath.ts';
import { populated } from './populated-node.ts';
import { nodeContents } from './node-contents.ts';
import { networkNames, someOf } from './names.ts';

/** Mostly healthy: faults come one at a time more often than all at once. */
const rarely = fc.nat({ max: 47 }).map((number) => number === 47);

function hostInterface(name: string, lastByte: number): fc.Arbitrary<BriefLink> {
  return fc
    .record({ down: rarely, narrow: rarely, bare: rarely, tentative: rarely, single: rarely, master: rarely })
    .map(({ down, narrow, bare, tentative, single, master }) => ({
      name,
      up: !down,
      // Detection that would end soon would end in the middle of a law: without a carrier it does not.
      operationalState: tentative ? 'down' : 'unknown',
      mtu: narrow ? 1280 : 9000,
      macAddress: `02:00:00:00:01:${lastByte.toString(16).padStart(2, '0')}`,
      ...(master && { master: 'corp' }),
      addresses: bare
        ? []
        : [
            { address: `192.0.2.${lastByte}`, prefixLength: 24 },
            { address: `192.0.2.${lastByte + 100}`, prefixLength: 24, flags: ['secondary'] },
            ...(!single
              ? [{ address: `2001:db8::${lastByte}`, prefixLength: 64, flags: tentative ? ['tentative'] : [] }]
              : []),
          ],
    }));
}

function bridge(name: string, internal: readonly string[], physical: string): fc.Arbitrary<BriefBridge> {
  return fc
    .record({
      missing: rarely,
      noPhysical: rarely,
      second: rarely,
      named: fc.boolean(),
      bond: rarely,
      tag: fc.constantFrom(undefined, 100),
      trunk: rarely,
    })
    .filter(({ missing }) => !missing)
    .map(({ noPhysical, second, named, bond, tag, trunk }) => ({
      name,
      ...(named && second && { externalIds: { 'bridge-uplink': physical } }),
      ports: [
        ...internal.map((port) => ({
          name: port,
          ...(tag !== undefined && { tag }),
          ...(trunk && { trunks: [100] }),
          interfaces: [{ name: port, type: 'internal' }],
        })),
        ...(noPhysical
          ? []
          : [{ name: physical, interfaces: [{ name: physical }, ...(bond ? [{ name: `${physical}-b` }] : [])] }]),
        ...(second ? [{ name: `${physical}-2` }] : []),
        { name: `patch-${name}`, interfaces: [{ name: `patch-${name}`, type: 'patch' }] },
      ],
    }));
}

function device(name: string): fc.Arbitrary<BriefLink> {
  return fc.record({ down: rarely }).map(({ down }) => ({ name, up: !down, mtu: 9000 }));
}

const managementPorts: fc.Arbitrary<BriefLink[]> = fc
  .oneof({ weight: 12, arbitrary: fc.constant([...networkNames]) }, { weight: 1, arbitrary: someOf(networkNames) })
  .map((names) => names.map((name) => ({ name: `ovn-k8s-mp${networkNames.indexOf(name) + 1}` })));

/** VRF devices that are there before anything is done: one of an administrator's, sometimes one of a network with another table. */
const vrfs: fc.Arbitrary<BriefLink[]> = fc
  .constantFrom([], ['corp'], [], ['corp'], [], ['corp'], [], ['corp', 'blue'])
  .map((names) => names.map((name) => ({ name, kind: 'vrf', vrfTable: name === 'corp' ? 500 : 501 })));

const mappings = fc.subarray(
  networkNames.map((name) => `cluster_udn_${name}:br-one`),
  { maxLength: 2 },
);

/** Whether the kernel would have a route by a gateway in the subnet of the host interfaces. */
function reachesGateway({ up, addresses = [], master }: BriefLink): boolean {
  return up === true && addresses.length > 0 && master === undefined;
}

/** The default route by the default bridge, whose device may be down. */
function routeOfHost(isDown: boolean): BriefRoute {
  const hop = { device: 'br-ex', gateway: '198.51.100.1' };
  return { destination: '0.0.0.0/0', nextHops: [isDown ? { ...hop, down: true } : hop], metric: 48 };
}

/** Nodes without a name, with bridges `br-one` (whose ports one0 and one1 are host interfaces too) and `br-two`. */
export const unnamedNodes: fc.Arbitrary<(nodeName: string) => NodeSnapshot> = fc
  .record({
    hosts: fc.tuple(
      hostInterface('br-one', 1),
      hostInterface('one0', 2),
      hostInterface('one1', 3),
      hostInterface('br-two', 4),
      hostInterface('two0', 5),
      hostInterface('lonely', 6),
      hostInterface('a#b', 7),
    ),
    physical: fc.tuple(device('eth1'), device('eth1-2'), device('eth2'), device('eth2-2')),
    managementPorts,
    vrfs,
    one: fc.option(bridge('br-one', ['one0', 'one1', 'a#b'], 'eth1'), { freq: 30, nil: undefined }),
    two: fc.option(bridge('br-two', ['two0'], 'eth2'), { freq: 30, nil: undefined }),
    hostGateway: fc.constantFrom('none', 'down', 'down', 'up', 'up', 'up'),
    inHalves: fc.boolean(),
    gateway: fc.option(fc.constantFrom('br-one', 'one0', 'two0'), { nil: undefined }),
    own: mappings,
    content: nodeContents(['br-one', 'one0', 'br-two']),
    gatewayIsKnown: fc.boolean(),
    datapath: datapathContents,
  })
  .map(
    ({ hosts, physical, managementPorts: ports, vrfs: devices, gateway, hostGateway, own, content, ...rest }) =>
      (nodeName: string): NodeSnapshot => {
        const { one, two, gatewayIsKnown, datapath, inHalves } = rest;
        const plain = completeNode({
          nodeName,
          links: [...hosts, ...physical, ...ports, ...devices],
          bridges: [one, two].flatMap((made) => (made === undefined ? [] : [made])),
          routes: [
            ...(gateway !== undefined && hosts.some((host) => host.name === gateway && reachesGateway(host))
              ? (inHalves ? ['0.0.0.0/1', '128.0.0.0/1'] : ['0.0.0.0/0']).map((destination) => ({
                  destination,
                  nextHops: [{ device: gateway, gateway: '192.0.2.254' }],
                }))
              : []),
            ...(hostGateway === 'none' ? [] : [routeOfHost(hostGateway === 'down')]),
          ],
          // One that the kernel learned would be another after each link cycle.
          neighbours:
            gateway !== undefined && gatewayIsKnown
              ? [{ device: gateway, address: '192.0.2.254', macAddress: '02:00:00:00:fe:01' }]
              : [],
          switchExternalIds:
            own.length === 0
              ? {}
              : { 'ovn-bridge-mappings': own.join(','), 'ovn-uplinks-bridge-mappings': own.join(',') },
        });
        const node = populated(plain, content);
        const switchExternalIds = { ...node.switchExternalIds, ...interconnectionOf(datapath) };
        return { ...node, switchExternalIds, ...datapathOf(datapath, nodeName) };
      },
  );

/** Nodes with a given name. */
export function nodes(nodeName: string): fc.Arbitrary<NodeSnapshot> {
  return unnamedNodes.map((named) => named(nodeName));
}
