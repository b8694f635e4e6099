import { expect } from 'chai';
import { LabNetwork } from '../lab-network.ts';
import { Machine } from '../machine.ts';
import type { LabNode } from '../node.ts';
import { summary } from '../packets/clients.ts';
import { exchange } from '../packets/exchange.ts';
import { portsByOvn, portsByTrace, tracedSnapshot } from './ovn-trace.ts';
import {
  applyCluster,
  cleanUp,
  observed,
  podAddresses,
  podName,
  startPods,
  startZoneNode,
  tenants,
  zoneCluster,
  type ZoneContent,
  type ZonePlace,
  type ZonePod,
} from './zone-node.ts';

const [first, second]: readonly [ZonePlace, ZonePlace] = [
  { name: 'worker-a', id: 2, address: '198.51.100.10' },
  { name: 'worker-b', id: 3, address: '198.51.100.11' },
];
const places = [first, second];

/** The output of a plan that has no operations. */
const NOTHING = 'Nothing to do';

/** A pod of each tenant on each node, of the same address, and one that only the second tenant has. */
const pods: readonly ZonePod[] = [
  ...tenants.flatMap((tenant) => places.map((place) => ({ tenant, place, number: 5 }))),
  { tenant: 'red', place: second, number: 6 },
];

const podsOn = (place: ZonePlace) => pods.filter((pod) => pod.place === place);

const rowsOf = ({ northbound }: ZoneContent) => northbound.map(({ table, name }) => `${table} ${name}`).sort();

const remoteChassisOf = ({ chassis }: ZoneContent) => chassis.filter(({ isRemote }) => isRemote);

describe('two tenants with the same subnets on two nodes', () => {
  let network: LabNetwork;
  let machines: readonly Machine[];
  let nodes: readonly [LabNode, LabNode];
  let empty: ZoneContent;

  before(async () => {
    network = await LabNetwork.start();
    machines = await Promise.all(places.map(() => Machine.start({ network })));
    const [one, other] = await Promise.all(places.map((place, index) => startZoneNode(machines[index]!, place)));
    nodes = [one!, other!];
    empty = await observed(nodes[0]);
    const cluster = zoneCluster(places);
    await Promise.all(
      places.map(async (place, index) => {
        const node = nodes[index]!;
        expect(await applyCluster(node, cluster)).to.contain(NOTHING);
        await startPods(node, podsOn(place));
      }),
    );
  });
  after(async () => {
    await Promise.all(machines.map((machine) => machine.stop()));
    await network.stop();
  });

  /** The answers that a pod gets from another address. */
  async function answersTo(from: ZonePod, to: string, protocol: 'tcp' | 'udp' | 'icmp') {
    const node = nodes[places.indexOf(from.place)]!;
    const [answers] = await exchange(node, [{ from: podName(from), to, protocol }]);
    return summary(answers!);
  }

  for (const protocol of ['tcp', 'udp', 'icmp'] as const) {
    it(`reach their own pods on both nodes by ${protocol} in both families, and none of the other`, async () => {
      const pairs = pods.flatMap((from) =>
        pods.filter((to) => to !== from && to.tenant === from.tenant).map((to) => [from, to] as const),
      );
      expect(pairs.some(([from, to]) => from.place !== to.place)).to.equal(true);
      for (const place of places) {
        const cases = pairs
          .filter(([from]) => from.place === place)
          .flatMap(([from, to]) =>
            podAddresses(to).map((address, family) => ({
              asked: { from: podName(from), to: address, protocol },
              // The answer names the pod, and the address that it has seen.
              answer: protocol === 'icmp' ? 'reply' : `${podName(to)} ${podAddresses(from)[family]}`,
            })),
          );
        const found = await exchange(
          nodes[places.indexOf(place)]!,
          cases.map(({ asked }) => asked),
        );
        expect(cases.map(({ asked }, index) => [asked, summary(found[index]!)])).to.deep.equal(
          cases.map(({ asked, answer }) => [asked, { answers: { [answer]: 1 }, lost: 0 }]),
        );
      }
    });
  }

  it('do not reach an address that only the other tenant has', async () => {
    const [stranger] = pods.filter(({ number }) => number === 6);
    const [blue, red] = tenants.map((tenant) => pods.find((pod) => pod.tenant === tenant && pod.place === first)!);
    const [address] = podAddresses(stranger!);
    expect((await answersTo(red!, address, 'icmp')).answers).to.deep.equal({ reply: 1 });
    expect((await answersTo(blue!, address, 'icmp')).answers).to.deep.equal({});
  });

  it('are followed by trace as by the logical flows of OVN on both nodes, also to addresses of no pod', async () => {
    const cluster = zoneCluster(places);
    const [one, other] = await Promise.all(nodes.map(tracedSnapshot));
    const [pod, there] = [first, second].map((place) =>
      pods.find((each) => each.tenant === 'blue' && each.place === place)!,
    );
    const ofNoPod = podAddresses({ ...there!, number: 66 });
    const ofOtherTenant = podAddresses({ ...there!, number: 6 });
    for (const destination of [
      ...podAddresses(there!),
      ofNoPod[0],
      ofOtherTenant[0],
      podAddresses({ ...pod!, number: 66 })[0],
    ]) {
      const found = portsByTrace(cluster, [one!, other!], pod!, destination);
      expect(found, destination).to.deep.equal(await portsByOvn(nodes, pod!, destination));
    }
    expect(portsByTrace(cluster, [one!, other!], pod!, podAddresses(there!)[1])).to.deep.equal({
      sending: 'cluster_udn_blue_tstor-worker-b',
      receiving: podName(there!),
    });
  });

  it('have tunnels by a setting that is signed, and ports of the other node that are bound to its chassis', async () => {
    const { remotePorts, externalIds } = await observed(nodes[0]);
    expect(externalIds).to.contain('ovn-is-interconn="true"').and.contain('ovn-uplinks-is-interconn="true"');
    expect(remotePorts).to.deep.equal(
      tenants.map((tenant) => ({
        port: `cluster_udn_${tenant}_tstor-worker-b`,
        chassis: 'worker-b',
        network: `cluster_udn_${tenant}`,
      })),
    );
  });

  it('lose the other node when it leaves the cluster, and keep their own pods', async () => {
    expect(await applyCluster(nodes[0], zoneCluster([first]))).to.contain(NOTHING);
    expect(remoteChassisOf(await observed(nodes[0]))).to.deep.equal([]);
    const rows = rowsOf(await observed(nodes[0]));
    expect(rows.filter((row) => row.includes('tstor-worker-b') || row.includes('100.88.0.3'))).to.deep.equal([]);
    const red = pods.find((pod) => pod.tenant === 'red' && pod.place === first)!;
    const [there] = pods.filter((pod) => pod.tenant === 'red' && pod.place === second);
    expect((await answersTo(red, podAddresses(there!)[0], 'icmp')).answers).to.deep.equal({});
    expect((await answersTo(red, podAddresses({ ...red, number: 1 })[0], 'icmp')).answers).to.deep.equal({ reply: 1 });
  });

  it('leave nothing on a node when the agent is removed from it', async () => {
    await cleanUp(nodes[0]);
    const left = await observed(nodes[0]);
    expect(rowsOf(left)).to.deep.equal(rowsOf(empty));
    expect({ ...left, northbound: [] }).to.deep.equal({ ...empty, northbound: [] });
  });
});
