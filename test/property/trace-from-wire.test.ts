/**
 * Traces from the wire on two nodes with generated Services: a packet comes to a pod exactly where, by the objects alone, a Service has the port that it is for, and the pod is one of its
 * endpoints; then the answer leaves as that of the Service. Otherwise it comes to no pod.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import type { Service } from '../../src/domain/api/service.ts';
import { subnetContains } from '../../src/domain/basics/addresses/ip-address.ts';
import type { Trace } from '../../src/domain/explanation/trace/hop.ts';
import { trace } from '../../src/domain/explanation/trace/trace.ts';
import type { ClusterSnapshot, NodeSnapshot } from '../../src/domain/index.ts';
import { caseCount } from '../case-count.ts';
import { Coverage } from '../coverage.ts';
import { service } from '../unit/domain/brief-services.ts';
import {
  onWire,
  podsOnWire,
  sliceOf,
  withMirrors,
  wireSettings,
} from '../unit/domain/explanation/trace/wire-situation.ts';

const extent = { numRuns: caseCount(300) };

/** The addresses of node a in the tests, and those that may be asked for: two that are free, one that is not allowed as an external one, and others' own. */
const UPLINK = '192.0.2.6';
const NODE = '172.30.0.3';
const free = ['203.0.113.5', '198.51.100.200'] as const;
const addresses = [...free, '203.0.113.77', UPLINK, NODE] as const;

const SOURCES = ['198.51.100.10', '198.18.0.9'] as const;
const ranges = [undefined, undefined, ['198.51.100.0/24'], ['2001:db8::/32'], ['198.51.100.0/24', 'nonsense']] as const;

/** A Service as it is generated, with the pods behind it, of which some are ready. */
interface Generated {
  readonly namespace: 'demo' | 'red';
  readonly type: 'ClusterIP' | 'NodePort' | 'LoadBalancer';
  readonly policy: 'Cluster' | 'Local';
  readonly protocol: 'TCP' | 'UDP';
  readonly port: number;
  readonly ingress: readonly string[];
  readonly externalIPs: readonly string[];
  readonly ranges: (typeof ranges)[number];
  readonly ready: readonly string[];
  readonly age: number;
}

const generated: fc.Arbitrary<Generated> = fc.record({
  namespace: fc.constantFrom('demo', 'demo', 'demo', 'red'),
  type: fc.constantFrom('ClusterIP', 'NodePort', 'LoadBalancer', 'LoadBalancer'),
  policy: fc.constantFrom('Cluster', 'Local'),
  protocol: fc.constantFrom('TCP', 'TCP', 'TCP', 'UDP'),
  port: fc.constantFrom(80, 80, 80, 443),
  ingress: fc.subarray([...addresses], { minLength: 1, maxLength: 3 }),
  externalIPs: fc.subarray([...addresses], { maxLength: 1 }),
  ranges: fc.constantFrom(...ranges),
  ready: fc.subarray(podsOnWire.map(({ name }) => name)),
  age: fc.integer({ min: 1, max: 9 }),
});

const NODE_PORT = 30_080;

function objectOf(given: Generated, number: number): Service {
  const { namespace, type, policy, protocol, port, ingress, externalIPs, age } = given;
  return service(`s${String(number)}`, namespace, {
    uid: `uid-${String(number)}`,
    creationTimestamp: `2026-01-0${String(age)}T00:00:00Z`,
    clusterIPs: [`10.96.1.${String(number)}`],
    ports: [{ name: 'http', protocol, port, ...(type !== 'ClusterIP' && { nodePort: NODE_PORT + number }) }],
    type,
    externalTrafficPolicy: policy,
    externalIPs,
    ...(given.ranges && { loadBalancerSourceRanges: given.ranges }),
    ingress: ingress.map((ip) => ({ ip })),
  });
}

function clusterOf(all: readonly Generated[]): ClusterSnapshot {
  const endpointSlices = all.flatMap(({ namespace, ready }, number) =>
    namespace === 'demo'
      ? [
          sliceOf(
            `s${String(number)}`,
            'IPv4',
            podsOnWire.map(({ name }) => name),
            ready,
          ),
        ]
      : [],
  );
  return withMirrors({ ...onWire.cluster, services: all.map(objectOf), endpointSlices });
}

interface Packet {
  readonly protocol: 'tcp' | 'udp';
  readonly source: string;
  readonly destination: string;
  readonly port: number;
}

/** Any packet, and how it is aimed at a Service instead. */
interface Aimed {
  readonly any: Packet;
  readonly number: number;
  readonly at: 'anything' | 'node port' | 'address';
}

const anyPacket: fc.Arbitrary<Packet> = fc.record({
  protocol: fc.constantFrom('tcp', 'tcp', 'tcp', 'tcp', 'udp'),
  source: fc.constantFrom(...SOURCES),
  destination: fc.constantFrom(...addresses),
  port: fc.constantFrom(80, 80, 80, 443, NODE_PORT, NODE_PORT, NODE_PORT + 1),
});

const packets: fc.Arbitrary<Aimed> = fc.record({
  any: anyPacket,
  number: fc.nat(2),
  at: fc.constantFrom('anything', 'node port', 'address'),
});

function packetOf({ any, number, at }: Aimed, all: readonly Generated[]): Packet {
  const given = all[number];
  if (given === undefined || at === 'anything') return any;
  const { ingress, port } = given;
  const protocol = given.protocol === 'TCP' ? 'tcp' : 'udp';
  return at === 'node port'
    ? { ...any, protocol, destination: UPLINK, port: NODE_PORT + number }
    : { ...any, protocol, destination: ingress[0] ?? any.destination, port };
}

/** Whether a Service asks for the port that a packet is for, and has a right to the address. */
function asksFor(given: Generated, number: number, { protocol, destination, port }: Packet): boolean {
  if (given.protocol.toLowerCase() !== protocol) return false;
  if (destination === UPLINK) return given.type !== 'ClusterIP' && port === NODE_PORT + number;
  if (destination === NODE || given.port !== port) return false;
  const isGiven = given.type === 'LoadBalancer' && given.ingress.includes(destination);
  // One that a load balancer has given needs no permission, and is refused where ranges are no subnets.
  if (isGiven) return given.ranges?.some((range) => range === 'nonsense') !== true;
  return given.externalIPs.includes(destination) && subnetContains('198.51.100.128/25', destination);
}

/** Whether a packet may come from its source. */
function isInRanges({ type, ingress, ranges: given }: Generated, { source, destination }: Packet): boolean {
  const isGiven = destination !== UPLINK && type === 'LoadBalancer' && ingress.includes(destination);
  const own = (given ?? []).filter((range) => !range.includes(':'));
  return !isGiven || own.length === 0 || own.some((range) => subnetContains(range, source));
}

/** The pods to which a packet may lead; undefined where it leads to no Service of the network. */
function expected(all: readonly Generated[], packet: Packet): readonly string[] | undefined {
  const asking = all
    .map((given, number) => ({ given, number }))
    .filter(({ given, number }) => asksFor(given, number, packet))
    .sort((one, other) => one.given.age - other.given.age || one.number - other.number);
  const [holder] = asking;
  if (holder?.given.namespace !== 'demo' || !isInRanges(holder.given, packet)) return undefined;
  const { ready, policy } = holder.given;
  return podsOnWire
    .filter(({ name, node }) => ready.includes(name) && (policy === 'Cluster' || node === 'a'))
    .map(({ addresses: [address], node }) => `the pod with ${address!} on ${node}`);
}

function followed(cluster: ClusterSnapshot, { protocol, source, destination, port }: Packet): Trace {
  const [from, ...others] = onWire.nodes as [NodeSnapshot, NodeSnapshot];
  const ports = { source: 40_000, destination: port };
  const packet = { protocol, family: 4, source, destination, ports } as const;
  const outcome = trace(cluster, { from, others }, wireSettings, { network: 'blue', packet });
  if (!outcome.traced) throw new Error(outcome.problem);
  return outcome.trace;
}

describe('traces from the wire to generated Services', function () {
  this.timeout(0);

  it('end at a pod of the Service that has the port, and its answer leaves by the uplink, or at no pod', () => {
    const coverage = new Coverage();
    const some = { minLength: 1, maxLength: 3 };
    fc.assert(
      fc.property(fc.array(generated, some), fc.array(packets, { minLength: 1, maxLength: 6 }), (all, sent) => {
        const cluster = clusterOf(all);
        for (const packet of sent.map((aimed) => packetOf(aimed, all))) {
          const { verdict, reply } = followed(cluster, packet);
          const pods = expected(all, packet);
          const at = verdict.kind === 'arrives' ? verdict.at : '';
          coverage.count({ 'at a pod': at.startsWith('the pod'), 'no endpoint': pods?.length === 0 });
          if (pods === undefined || pods.length === 0) {
            expect(at).not.to.match(/pod/);
            expect(reply).to.equal(undefined);
            if (pods !== undefined) expect(verdict).to.include({ kind: 'dropped', where: 'GR_cluster_udn_blue_a' });
            continue;
          }
          expect(pods).to.include(at);
          const { protocol, source, destination, port } = packet;
          expect(reply?.verdict).to.deep.equal({ kind: 'leaves', by: 'eth1' });
          expect(reply?.hops.at(-1)?.change).to.equal(
            `leaves with VLAN 100 as ${protocol} ${destination}:${String(port)} > ${source}:40000 to 192.0.2.1`,
          );
        }
      }),
      extent,
    );
    coverage.expect({ 'at a pod': 0.05, 'no endpoint': 0.02 });
  });
});
