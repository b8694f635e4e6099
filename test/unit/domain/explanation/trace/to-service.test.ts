import { expect } from 'chai';
import type { ClusterSnapshot, NodeSnapshot } from '../../../../../src/domain/index.ts';
import type { Trace, TraceVerdict } from '../../../../../src/domain/explanation/trace/hop.ts';
import { parsePacket } from '../../../../../src/domain/explanation/trace/packet-text/parse-packet.ts';
import { traceToService } from '../../../../../src/domain/explanation/trace/to-service/trace-to-service.ts';
import { planCluster } from '../../../../../src/domain/plan/cluster/plan-cluster.ts';
import { withWrittenSlices } from '../../../../property/service-changes.ts';
import { service, slice } from '../../brief-services.ts';
import { api, near, podCluster, podNode, provided, web } from './pod-situation.ts';
import { onWire, wireSettings } from './wire-situation.ts';

const pods = [web, near, api];
const nodeA = podNode('a', pods);
const nodeB = podNode('b', pods);

const ports = [{ name: 'http', port: 80 }];
const endpoint = (name: string) => ({
  addresses: ['10.244.0.5'],
  targetRef: { kind: 'Pod', namespace: 'demo', name },
});

/** The cluster with Services of these pods, and the mirrors that the cluster manager writes. */
function serving(behind: Readonly<Record<string, readonly string[]>>): ClusterSnapshot {
  const usual = podCluster(pods);
  const cluster = {
    ...usual,
    services: Object.keys(behind).map((name, index) =>
      service(name, 'demo', { clusterIPs: [`10.96.0.${String(10 + index)}`], ports }),
    ),
    endpointSlices: Object.entries(behind).map(([name, names]) =>
      slice(`${name}-1`, 'demo', name, {
        uid: `uid-${name}-1`,
        endpoints: names.map(endpoint),
        ports: [{ name: 'http', port: 8080 }],
      }),
    ),
  };
  const { services } = planCluster(cluster, provided).provision!;
  return { ...cluster, endpointSlices: withWrittenSlices(cluster.endpointSlices, services) };
}

const usual = serving({ far: ['api'], both: ['near', 'api'], self: ['web'], empty: [] });

function outcomeOf(text: string, cluster = usual, others: readonly NodeSnapshot[] = [nodeB]) {
  const reading = parsePacket(text);
  if ('problem' in reading) throw new Error(reading.problem);
  const question = { network: 'blue', packet: reading.packet };
  return traceToService(cluster, { from: nodeA, others }, provided, question);
}

/** On the nodes whose uplink Services are reached by. */
function outsideOutcome(text: string) {
  const reading = parsePacket(text);
  if ('problem' in reading) throw new Error(reading.problem);
  const [from, ...others] = onWire.nodes as [NodeSnapshot, NodeSnapshot];
  const question = { network: 'blue', packet: reading.packet };
  return traceToService(onWire.cluster, { from, others }, wireSettings, question);
}

function traced(text: string): Trace {
  const outcome = outcomeOf(text);
  if (outcome?.traced !== true) throw new Error(outcome?.problem ?? 'not to a Service');
  return outcome.trace;
}

const verdictText = (verdict: TraceVerdict) =>
  verdict.kind === 'dropped'
    ? `${verdict.where}: ${verdict.why}`
    : verdict.kind === 'arrives'
      ? verdict.at
      : verdict.by;

describe('a packet to a Service of a network', () => {
  it('goes to an endpoint on another node, by both of them', () => {
    const { hops, verdict, packet } = traced('tcp 10.20.0.5:40000 > 10.96.0.10:80');
    expect(packet).to.equal('tcp 10.20.0.5:40000 > 10.96.0.10:80');
    expect(hops[0]).to.deep.equal({
      where: 'cluster_udn_blue_a',
      change: 'destination 10.96.0.10:80 → 10.20.1.6:8080',
      why: 'Service/demo/far: one of 1 endpoint, of which connections get any',
      decidedBy: 'load balancer cluster_udn_blue_Service_demo/far_TCP_switch',
    });
    expect(hops.length).to.equal(10);
    expect(verdictText(verdict)).to.equal('the pod with 10.20.1.6 on b');
  });

  it('names the number of endpoints of which it is one', () => {
    const { hops, verdict } = traced('tcp 10.20.0.5:40000 > 10.96.0.11:80');
    expect(hops[0]?.why).to.equal('Service/demo/both: one of 2 endpoints, of which connections get any');
    expect(verdictText(verdict)).to.equal('the pod with 10.20.0.7 on a');
  });

  it('comes back to a pod that is its endpoint, from another address', () => {
    const { hops, verdict } = traced('tcp 10.20.0.5:40000 > 10.96.0.12:80');
    expect(hops.map(({ change }) => change)).to.deep.equal([
      'destination 10.96.0.12:80 → 10.20.0.5:8080',
      'source 10.20.0.5 → 169.254.0.5',
    ]);
    expect(verdictText(verdict)).to.equal('the pod itself');
  });

  for (const [packet, expected] of [
    ['tcp 10.20.0.5:40000 > 10.96.0.13:80', 'Service/demo/empty has no endpoint for this node: it is refused'],
    ['tcp 10.20.0.5:40000 > 10.96.0.10:81', 'Service/demo/far does not have this port by tcp'],
    ['udp 10.20.0.5:40000 > 10.96.0.10:80', 'Service/demo/far does not have this port by udp'],
    [
      'tcp 10.20.0.5:40000 > 10.96.9.9:80',
      'no Service of network blue has this address: the ACL for 10.96.0.0/16 refuses it',
    ],
  ] as const)
    it(`is refused on the switch of the pod: ${packet}`, () => {
      expect(verdictText(traced(packet).verdict)).to.equal(`cluster_udn_blue_a: ${expected}`);
    });

  /** Packets of pods to addresses outside of Services of their own network. */
  const outside: readonly (readonly [title: string, packet: string, change: string, end: string])[] = [
    [
      'the node port at the address of the uplink of the node',
      'tcp 10.20.0.5:40000 > 192.0.2.6:30081',
      'destination 192.0.2.6:30081 → 10.20.1.6:8080',
      'the pod with 10.20.1.6 on b',
    ],
    [
      'a node port with policy Local, which leads to all endpoints from within',
      'tcp 10.20.0.5:40000 > 192.0.2.6:30083',
      'destination 192.0.2.6:30083 → 10.20.1.6:8080',
      'the pod with 10.20.1.6 on b',
    ],
    [
      'the address of a load balancer, whatever the ranges of sources are',
      'tcp [fd20::5]:40000 > [2001:db8:5::5]:80',
      'destination [2001:db8:5::5]:80 → [fd20::7]:8080',
      'the pod with fd20::7 on a',
    ],
  ];
  for (const [title, packet, change, end] of outside)
    it(`is followed by ${title}: ${packet}`, () => {
      const outcome = outsideOutcome(packet);
      if (outcome?.traced !== true) throw new Error(outcome?.problem ?? 'not to a Service');
      const { hops, verdict } = outcome.trace;
      expect(hops[0]).to.include({ where: 'cluster_udn_blue_a', change });
      expect(verdictText(verdict)).to.equal(end);
    });

  for (const [title, packet] of [
    ['another port of the address of a load balancer', 'tcp 10.20.0.5:40000 > 203.0.113.5:81'],
    ['the node port of another network', 'tcp 10.20.0.5:40000 > 192.0.2.6:30099'],
    ['the node port at the uplink of another node', 'tcp 10.20.0.5:40000 > 192.0.2.7:30081'],
  ] as const)
    it(`is none at ${title}: ${packet}`, () => {
      expect(outsideOutcome(packet)).to.equal(undefined);
    });

  it('is refused where several Services have the address', () => {
    const [first, ...others] = usual.services;
    const same = { ...first!, metadata: { ...first!.metadata, name: 'same' } };
    const outcome = outcomeOf('tcp 10.20.0.5:1 > 10.96.0.10:80', { ...usual, services: [first!, same, ...others] });
    expect(outcome?.traced === true && verdictText(outcome.trace.verdict)).to.equal(
      'cluster_udn_blue_a: several Services of network blue have this address, so that none is served there: the ACL for 10.96.0.0/16 refuses it',
    );
  });

  it('is refused if it is one of the default network', () => {
    const [first, ...others] = usual.services;
    const elsewhere = { ...first!, metadata: { ...first!.metadata, namespace: 'other' } };
    const outcome = outcomeOf('tcp 10.20.0.5:1 > 10.96.0.10:80', { ...usual, services: [elsewhere, ...others] });
    expect(outcome?.traced === true && verdictText(outcome.trace.verdict)).to.include('no Service of network blue');
  });

  it('is none where the destination is no address of Services', () => {
    expect(outcomeOf('tcp 10.20.0.5:40000 > 192.0.2.1:80')).to.equal(undefined);
  });

  it('is not sent by a pod of another node', () => {
    expect(outcomeOf('tcp 10.20.1.6:40000 > 10.96.0.10:80')).to.deep.equal({
      traced: false,
      problem: '10.20.1.6 is an address of b: expected one of a pod on a, in 10.20.0.0/24, fd20::/64',
    });
  });
});
