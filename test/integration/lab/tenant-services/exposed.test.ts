import { expect } from 'chai';
import { emptyCluster } from '../../../../src/domain/index.ts';
import { eventually } from '../../../unit/adapters/processes.ts';
import { namespace } from '../../kubernetes/network-objects.ts';
import { clusterOf } from '../clusters.ts';
import { ip } from '../commands.ts';
import type { LabNode } from '../node.ts';
import { WireCapture } from '../packets/capture.ts';
import { startAnswering } from '../packets/exchange.ts';
import { providerNamespace } from '../packets/provider.ts';
import { addressesOf, bridgeOf, common, type LabUplink } from '../packets/tenant.ts';
import { connectedPlace, type ConnectedPlace, connectPods } from '../whole-networks/default-network.ts';
import { namespaceOf, type StartedPod } from '../whole-networks/lab-pod.ts';
import { WholeCluster } from '../whole-networks/whole-cluster.ts';
import { answersFrom, type Asked, exposedService, slicesOf } from './exposed.ts';
import { type LabService, untilApplied } from './served.ts';

/** A node with two uplinks. */
interface UplinkPlace extends ConnectedPlace {
  /** In the default routing domain, for two tenants. */
  readonly shared: LabUplink;
  /** In the VRF of a tenant. */
  readonly own: LabUplink;
}

const uplinkOf = (name: string, number: number, nodeSubnets: readonly string[]): LabUplink => ({
  name,
  macAddress: `02:00:00:00:0${name.length}:0${number}`,
  addresses: [`192.0.2.${number}`, `2001:db8:b::${number}`],
  nodeSubnets,
});

const places = ['worker-a', 'worker-b'].map((name, number): UplinkPlace => {
  const nodeSubnets = [`10.20.${number}.0/24`, number === 0 ? 'fd20::/64' : `fd20:0:0:${number}::/64`];
  const shared = uplinkOf('shared', 6 + number, nodeSubnets);
  const own = uplinkOf('red', 6 + number, nodeSubnets);
  return { ...connectedPlace(name, number), uplinks: [shared, own], shared, own };
});

/** The tenants, which have the same subnets: two by the shared uplink, and one in its VRF. */
const tenants = ['amber', 'green', 'red'] as const;
const [{ shared, own }] = places as [UplinkPlace];
const bridges = [shared, own].map(bridgeOf);
const isInVrf = (tenant: string) => tenant === own.name;

const { uplinks, clusterUserDefinedNetworks, routeAdvertisements, frrConfigurations } = clusterOf(
  tenants.map((name) => ({
    name,
    device: bridgeOf(isInVrf(name) ? own : shared),
    ...(isInVrf(name) && { targetVRF: 'auto' }),
  })),
  { devices: bridges },
);

const service = (number: number, tenant: string, name: string): LabService => ({
  tenant,
  name,
  addresses: [`10.96.20.${number}`, `fd96::20${String(number).padStart(2, '0')}`],
});

/** The port of Services. */
const PORT = 80;

/** Services with their node ports: one of each tenant for all nodes, and one that keeps the source. */
const everywhere = tenants.map((tenant, index) => ({
  service: service(index + 1, tenant, 'web'),
  nodePort: 30_080 + index,
}));
const local = tenants.map((tenant, index) => ({
  service: service(index + 11, tenant, 'local'),
  nodePort: 30_090 + index,
}));

describe('Services that are reached from the wire by the uplinks of nodes of Debian 12 and 13', () => {
  let cluster: WholeCluster;
  let nodes: readonly LabNode[];
  const pods: StartedPod[] = [];
  /** Those of the shared uplinks. */
  let wires: readonly WireCapture[];
  const podsOf = (tenant: string) => pods.filter((pod) => pod.namespace === tenant);
  const uplinkFor = (tenant: string, place: UplinkPlace) => (isInVrf(tenant) ? place.own : place.shared);

  /** The client behind the wire of a tenant's uplink on a node. */
  const clientOf = (tenant: string, index: number) => ({
    node: nodes[index]!,
    from: providerNamespace(uplinkFor(tenant, places[index]!)),
  });

  before(async () => {
    cluster = await WholeCluster.start({}, '--service-cidr=10.96.0.0/16', '--service-cidr=fd96::/112');
    nodes = await Promise.all(
      places.map((place, index) => cluster.startNode(place, index === 1 ? { userland: 'debian-13' as const } : {})),
    );
    for (const node of nodes) await connectPods(node, places);
    await cluster.register(...places);
    const { server } = cluster.lab;
    server.apply(...tenants.map((tenant) => namespace(tenant, tenant)));
    await cluster.lab.apply({
      ...emptyCluster,
      uplinks,
      routeAdvertisements,
      frrConfigurations,
      clusterUserDefinedNetworks,
    });
    for (const node of nodes) await cluster.startAgent(node);
    await cluster.untilReady(tenants, nodes);
    for (const tenant of tenants)
      server.kubectl(['wait', '--for=condition=UplinksReady', ...cluster.wordsFor(tenant), '--timeout=90s']);
    for (const node of nodes) {
      for (const tenant of tenants) pods.push(await cluster.newPod(node, tenant, `web-on-${node.name}`));
      await startAnswering(node, pods.filter((pod) => pod.node === node).map(namespaceOf));
    }
    wires = await Promise.all(nodes.map((node) => WireCapture.start(node, providerNamespace(shared))));
    for (const each of everywhere)
      server.apply(
        exposedService(each.service, each.nodePort, PORT),
        ...slicesOf(each.service, podsOf(each.service.tenant)),
      );
    for (const each of local)
      server.apply(
        exposedService(each.service, each.nodePort, PORT, { externalTrafficPolicy: 'Local' }),
        ...slicesOf(each.service, podsOf(each.service.tenant)),
      );
  });
  after(() => cluster.stop());

  /** Waits until a port is answered: its flow comes once OVN has confirmed all before it. */
  async function untilAnswered(asked: Asked): Promise<void> {
    let found: readonly string[] = [];
    await eventually('it is answered', async () => {
      found = await answersFrom({ ...asked, connections: 1, protocols: ['tcp'] });
      return found.every((text) => text.includes('web-on'));
    }).catch(() => expect(found).to.deep.equal(['an answer']));
    await untilApplied(nodes);
  }

  for (const family of [0, 1])
    it(`lead by a node port to pods on both nodes, in family ${family}, which see their gateway router`, async () => {
      for (const {
        service: { tenant },
        nodePort,
      } of everywhere)
        for (const [index, place] of places.entries()) {
          const asked = {
            ...clientOf(tenant, index),
            to: addressesOf(uplinkFor(tenant, place))[family]!,
            port: nodePort,
          };
          await untilAnswered(asked);
          const found = await answersFrom(asked);
          const router = family === 0 ? '100.65.0.' : 'fd99::';
          expect(
            found.map((text) => text.replace(/(100\.65\.0\.|fd99::).*$/, '$1')),
            `${tenant} on ${place.name}`,
          ).to.deep.equal(
            ['tcp', 'udp'].flatMap((protocol) =>
              podsOf(tenant)
                .map((pod) => `${protocol}: ${namespaceOf(pod)} ${router}`)
                .sort(),
            ),
          );
        }
    });

  for (const family of [0, 1])
    it(`lead by another one to pods of the node alone, in family ${family}, which see the client`, async () => {
      for (const {
        service: { tenant },
        nodePort,
      } of local)
        for (const [index, place] of places.entries()) {
          const asked = {
            ...clientOf(tenant, index),
            to: addressesOf(uplinkFor(tenant, place))[family]!,
            port: nodePort,
          };
          await untilAnswered(asked);
          const [pod] = podsOf(tenant).filter(({ node }) => node === nodes[index]);
          expect(await answersFrom(asked), `${tenant} on ${place.name}`).to.deep.equal(
            ['tcp', 'udp'].map((protocol) => `${protocol}: ${namespaceOf(pod!)} ${common.gateways[family]!}`),
          );
        }
    });

  /** Addresses that a load balancer gives a Service of each tenant. */
  const given = ['192.0.2.100', '2001:db8:b::100'] as const;
  const balanced = tenants.slice(1).map((tenant, index) => service(index + 21, tenant, 'balanced'));

  /** Says which addresses a load balancer has given a Service. */
  const give = ({ tenant, name }: LabService, addresses: readonly string[]) =>
    cluster.administrator.send({
      method: 'PATCH',
      path: `/api/v1/namespaces/${tenant}/services/${name}/status`,
      contentType: 'application/merge-patch+json',
      body: { status: { loadBalancer: { ingress: addresses.map((address) => ({ ip: address })) } } },
    });

  it('lead by an address of a load balancer, which the interface of the uplink has as kube-vip gives it, and by its own ports alone', async () => {
    const { server } = cluster.lab;
    const states = () => server.kubectl(['get', 'uplinkstates', '--output=jsonpath={.items[*].status.ipAddresses}']);
    const before = states();
    for (const each of balanced) {
      server.apply(
        exposedService(each, 30_070 + balanced.indexOf(each), PORT, { type: 'LoadBalancer' }),
        ...slicesOf(each, podsOf(each.tenant)),
      );
      await give(each, given);
      const device = bridgeOf(uplinkFor(each.tenant, places[0]!));
      await nodes[0]!.does(
        ip`address add ${`${given[0]}/32`} dev ${device}`,
        ip`address add ${`${given[1]}/128`} dev ${device} nodad`,
      );
    }
    for (const { tenant } of balanced)
      for (const [family, to] of given.entries()) {
        const asked = { ...clientOf(tenant, 0), to, port: PORT };
        await untilAnswered(asked);
        const found = await answersFrom(asked);
        const router = family === 0 ? '100.65.0.' : 'fd99::';
        expect(
          found.map((text) => text.replace(/(100\.65\.0\.|fd99::).*$/, '$1')),
          `${tenant} ${to}`,
        ).to.deep.equal(
          ['tcp', 'udp'].flatMap((protocol) =>
            podsOf(tenant)
              .map((pod) => `${protocol}: ${namespaceOf(pod)} ${router}`)
              .sort(),
          ),
        );
        const beside = await answersFrom({
          ...asked,
          port: PORT + 1,
          protocols: ['tcp'],
          connections: 1,
          unanswered: true,
        });
        expect(beside.join()).not.to.include('refused').and.not.to.include('web-on');
        const [pod] = podsOf(tenant);
        const within = await answersFrom({ node: nodes[0]!, from: namespaceOf(pod!), to, port: PORT });
        expect(new Set(within.map((text) => text.split(' ')[1]))).to.deep.equal(
          new Set(podsOf(tenant).map(namespaceOf)),
        );
      }
    expect(states()).to.equal(before);
  });

  it('are reached from the source ranges of a Service alone, as soon as it has some', async () => {
    const [each] = balanced as [LabService];
    const asked = {
      ...clientOf(each.tenant, 0),
      to: given[0],
      port: PORT,
      protocols: ['tcp' as const],
      connections: 1,
    };
    const range = (text: string) =>
      cluster.lab.server.kubectl([
        'patch',
        `service/${each.name}`,
        `--namespace=${each.tenant}`,
        '--type=merge',
        `--patch=${JSON.stringify({ spec: { loadBalancerSourceRanges: [text] } })}`,
      ]);
    for (const [text, isReached] of [
      ['203.0.113.0/24', false],
      ['192.0.2.0/25', true],
    ] as const) {
      range(text);
      let found = '';
      await eventually(`it is ${isReached ? '' : 'not '}reached from ${text}`, async () => {
        found = (await answersFrom({ ...asked, unanswered: true })).join();
        return found.includes('web-on') === isReached;
      }).catch(() => expect(found).to.equal(text));
    }
  });

  it('are not reached any more once they are deleted, and leave nothing on bridges and in OVN', async () => {
    const { server } = cluster.lab;
    for (const tenant of tenants) server.kubectl(['delete', 'services', '--all', `--namespace=${tenant}`]);
    await eventually('nothing is left', async () => {
      const left = await Promise.all(
        nodes.flatMap((node) => [
          ...bridges.map((bridge) =>
            node.does(['ovs-ofctl', '-O', 'OpenFlow14', 'dump-flows', bridge, 'cookie=0x75706c6d/-1']),
          ),
          node.does(['ovn-nbctl', '--bare', '--columns=name', 'list', 'Load_Balancer']),
        ]),
      );
      return left.every((text) => !/actions=|Service_/.test(text));
    });
    const [{ service: first, nodePort }] = everywhere as [(typeof everywhere)[number]];
    const to = addressesOf(places[0]!.shared)[0]!;
    const asked = {
      ...clientOf(first.tenant, 0),
      to,
      port: nodePort,
      protocols: ['tcp' as const],
      connections: 1,
      unanswered: true,
    };
    expect((await answersFrom(asked)).join()).not.to.include('web-on');
  });

  it('have sent nothing of their own by the shared wires: no address of pods, routers or Services', async () => {
    await Promise.all(wires.map((wire) => wire.stop()));
    for (const wire of wires) {
      expect(await wire.packets('tcp port 30080')).not.to.deep.equal([]);
      const inside = [
        '10.20.0.0/16',
        'fd20::/48',
        '169.254.0.0/16',
        'fd69::/112',
        '100.64.0.0/10',
        'fd99::/64',
        '10.96.0.0/16',
        'fd96::/112',
      ];
      expect(await wire.packets(inside.map((net) => `net ${net}`).join(' or '))).to.deep.equal([]);
    }
  });
});
