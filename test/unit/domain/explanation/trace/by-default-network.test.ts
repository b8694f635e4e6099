import { expect } from 'chai';
import type { ClusterSnapshot, NodeSettings } from '../../../../../src/domain/index.ts';
import { traceByDefaultNetwork } from '../../../../../src/domain/explanation/trace/by-default-network.ts';
import { parsePacket } from '../../../../../src/domain/explanation/trace/packet-text/parse-packet.ts';
import type { TraceQuestion } from '../../../../../src/domain/explanation/trace/trace.ts';
import { podCluster, provided, web } from './pod-situation.ts';

const service = (namespace: string, name: string, clusterIPs: readonly string[], ports: readonly object[]) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { namespace, name },
  spec: { clusterIPs: [...clusterIPs], ports: ports as { port: number }[] },
});

const services = [
  service('default', 'kubernetes', ['10.96.0.1'], [{ port: 443 }]),
  service('kube-system', 'kube-dns', ['10.96.0.10', 'fd96::a'], [{ port: 53, protocol: 'UDP' }]),
  service('shop', 'registry', ['10.96.0.50'], [{ port: 5000 }]),
];

/** A cluster with pod `web`, which has routes to these Services. */
function clusterWith(defaultServices?: readonly string[]): ClusterSnapshot {
  const entry = { ip_addresses: ['10.20.0.5/24', 'fd20::5/64'], default_services: defaultServices };
  const cluster = podCluster([web], {}, { services });
  return {
    ...cluster,
    pods: cluster.pods.map((pod) => ({
      ...pod,
      metadata: {
        ...pod.metadata,
        annotations: { 'k8s.ovn.org/pod-networks': JSON.stringify({ 'demo/blue': entry }) },
      },
    })),
  };
}

const usual = clusterWith(['10.96.0.1', '10.96.0.10', 'fd96::a']);

/** The way of a packet by the default network; undefined where it goes another way. */
function traced(
  text: string,
  cluster = usual,
  more: Partial<TraceQuestion> & { readonly node?: string; readonly settings?: Partial<NodeSettings> } = {},
) {
  const reading = parsePacket(text);
  if ('problem' in reading) throw new Error(reading.problem);
  const { node = 'a', settings, ...question } = more;
  const outcome = traceByDefaultNetwork(
    cluster,
    node,
    { ...provided, ...settings },
    { network: 'blue', packet: reading.packet, ...question },
  );
  if (outcome === undefined) return undefined;
  if (!outcome.traced) throw new Error(outcome.problem);
  const { hops, verdict, assumptions } = outcome.trace;
  const end = verdict.kind === 'dropped' ? `dropped at ${verdict.where}` : verdict.kind;
  return [...hops.map(({ decidedBy }) => decidedBy), end, ...assumptions];
}

const locked = 'dropped at the lock of eth0';

describe('a packet of a pod to a Service', () => {
  for (const [text, expected] of [
    ['tcp 10.20.0.5:40000 > 10.96.0.1:443', ['route to 10.96.0.1/32', 'leaves']],
    ['udp 10.20.0.5:40000 > 10.96.0.10:53', ['route to 10.96.0.10/32', 'leaves']],
    ['udp [fd20::5]:40000 > [FD96:0::A]:53', ['route to fd96::a/128', 'leaves']],
    ['tcp 10.20.0.5:40000 > 10.96.0.1:80', ['route to 10.96.0.1/32', locked]],
    ['tcp 10.20.0.5:40000 > 10.96.0.10:53', ['route to 10.96.0.10/32', locked]],
    ['icmp 10.20.0.5 > 10.96.0.10', ['route to 10.96.0.10/32', locked]],
  ] as const) {
    it(`goes by the default network as far as its lock allows: ${text}`, () => {
      expect(traced(text)).to.deep.equal(expected);
    });
  }

  const toRegistry = 'tcp 10.20.0.5:40000 > 10.96.0.50:5000';

  it('goes by its network if it is none of DNS, the Kubernetes API and allowed Services', () => {
    expect(traced(toRegistry)).to.equal(undefined);
    expect(traced('tcp 10.20.0.5:40000 > 198.51.100.1:443')).to.equal(undefined);
  });

  it('goes by the default network to an allowed Service, but not from a pod that was created before', () => {
    const settings = { defaultServices: [{ namespace: 'shop', name: 'registry', port: 5000 }] };
    expect(traced(toRegistry, clusterWith(['10.96.0.50']), { settings })).to.deep.equal([
      'route to 10.96.0.50/32',
      'leaves',
    ]);
    expect(traced(toRegistry, usual, { settings })).to.equal(undefined);
  });

  it('does not pass the lock to a Service that is not allowed any more', () => {
    expect(traced(toRegistry, clusterWith(['10.96.0.50']))).to.deep.equal(['route to 10.96.0.50/32', locked]);
  });

  it('goes by the default network to addresses of DNS that are no Service’s', () => {
    const settings = { dnsAddresses: ['169.254.20.10'] };
    const cluster = clusterWith(['169.254.20.10']);
    expect(traced('udp 10.20.0.5:40000 > 169.254.20.10:53', cluster, { settings })?.at(-1)).to.equal('leaves');
  });

  it('goes by the default network to all Services from a pod that an older version has attached, where the lock drops most', () => {
    const older = clusterWith();
    expect(traced('udp 10.20.0.5:40000 > 10.96.0.10:53', older)).to.deep.equal(['route to 10.96.0.0/16', 'leaves']);
    expect(traced(toRegistry, older)).to.deep.equal(['route to 10.96.0.0/16', locked]);
  });

  it('goes as from a new pod where no pod is known that has its source', () => {
    expect(traced('tcp 10.20.0.77:40000 > 10.96.0.1:443')).to.deep.equal([
      'route to 10.96.0.1/32',
      'leaves',
      'the pod was created with the Services as they are',
    ]);
  });

  it('is not followed from elsewhere than a pod of the network on the node', () => {
    const text = 'tcp 10.20.0.5:40000 > 10.96.0.1:443';
    expect(traced(text, usual, { node: 'b' })).to.equal(undefined);
    expect(traced(text, usual, { from: 'host' })).to.equal(undefined);
    expect(traced(text, usual, { isReply: true })).to.equal(undefined);
    expect(traced(text, usual, { settings: { providedNetworks: 'none' } })).to.equal(undefined);
    expect(traced('tcp 198.51.100.1:40000 > 10.96.0.1:443')).to.equal(undefined);
  });
});
