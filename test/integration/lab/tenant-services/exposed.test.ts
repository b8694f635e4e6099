import { resolve } from 'node:path';
import { expect } from 'chai';
import { eventually } from '../../../unit/adapters/processes.ts';
import { ip } from '../commands.ts';
import type { LabNode } from '../node.ts';
import { WireCapture } from '../packets/capture.ts';
import { summary } from '../packets/clients.ts';
import { exchange } from '../packets/exchange.ts';
import { providerNamespace } from '../packets/provider.ts';
import { addressesOf, bridgeOf, common, hostInterfaceOf } from '../packets/tenant.ts';
import { namespaceOf } from '../whole-networks/lab-pod.ts';
import type { WholeCluster } from '../whole-networks/whole-cluster.ts';
import { answersFrom, type Asked, exposedService, slicesOf } from './exposed.ts';
import { bridgesOn, ExposedCluster, places, sharedUplinks, tenants, uplinkFor } from './exposed-cluster.ts';
import { healthChecks } from './health-checks.ts';
import { type LabService, untilApplied } from './served.ts';

const RESTART = resolve(import.meta.dirname, '../inside/restart.py');

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
  healthCheckNodePort: 32_000 + index,
}));

/** Of the rows of a bridge for replies of Services: the conntrack zone in which they are looked up, and how many were dropped. */
async function replyRows(node: LabNode, bridge: string): Promise<{ readonly zone: string; readonly dropped: number }> {
  const flows = await node.does(['ovs-ofctl', '-O', 'OpenFlow14', 'dump-flows', bridge]);
  const [, zone] = /ct\(table=26,zone=(\d+)\)/.exec(flows) ?? [];
  const [, dropped] = /table=26, n_packets=(\d+),[^\n]* priority=0 /.exec(flows) ?? [];
  if (zone === undefined || dropped === undefined)
    throw new Error(`bridge ${bridge} has no rows for replies of Services`);
  return { zone, dropped: Number(dropped) };
}

describe('Services that are reached from the wire by the uplinks of nodes of Debian 12 and 13', () => {
  let exposed: ExposedCluster;
  let cluster: WholeCluster;
  let nodes: readonly LabNode[];
  /** Those of uplinks in the default routing domain, on each node. */
  let wires: readonly WireCapture[];
  const podsOf = (tenant: string) => exposed.podsOf(tenant);
  const clientOf = (tenant: string, index: number) => exposed.clientOf(tenant, index);

  before(async () => {
    exposed = await ExposedCluster.start();
    ({ cluster, nodes } = exposed);
    const { server } = cluster.lab;
    wires = await Promise.all(
      nodes.flatMap((node, index) =>
        sharedUplinks(places[index]!).map((uplink) => WireCapture.start(node, providerNamespace(uplink))),
      ),
    );
    for (const each of everywhere)
      server.apply(
        exposedService(each.service, each.nodePort, PORT),
        ...slicesOf(each.service, podsOf(each.service.tenant)),
      );
    for (const each of local)
      server.apply(
        exposedService(each.service, each.nodePort, PORT, {
          type: 'LoadBalancer',
          externalTrafficPolicy: 'Local',
          healthCheckNodePort: each.healthCheckNodePort,
        }),
        ...slicesOf(each.service, podsOf(each.service.tenant)),
      );
  });
  after(() => exposed.stop());

  /** Waits until a port is answered: its flow comes once OVN has confirmed all before it. */
  async function untilAnswered(asked: Asked): Promise<void> {
    let found: readonly string[] = [];
    await eventually('it is answered', async () => {
      found = await answersFrom({ ...asked, connections: 1, protocols: ['tcp'] });
      return found.every((text) => text.includes('web-on'));
    }).catch(() => expect(found).to.deep.equal(['an answer']));
    await untilApplied([asked.node]);
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
      const device = hostInterfaceOf(uplinkFor(each.tenant, places[0]!));
      await nodes[0]!.does(
        ip`address add ${`${given[0]}/32`} dev ${device}`,
        ip`address add ${`${given[1]}/128`} dev ${device} nodad preferred_lft 0`,
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

  healthChecks(() => ({ exposed, services: local }));

  it('take nothing of what pods and hosts have begun, from the number of their own node ports', async () => {
    const [{ service: first, nodePort }] = everywhere as [(typeof everywhere)[number]];
    for (const [index, place] of places.entries()) {
      const [pod] = podsOf(first.tenant).filter(({ node }) => node === nodes[index]);
      const uplink = uplinkFor(first.tenant, place);
      const from = [{ from: namespaceOf(pod!) }, { device: hostInterfaceOf(uplink) }];
      const asked = from.flatMap((client) =>
        (['tcp', 'udp'] as const).flatMap((protocol) =>
          common.outside.map((to) => ({ ...client, protocol, to, sourcePort: nodePort })),
        ),
      );
      // One after the other: pod and host have the same address and port outside.
      for (const each of asked) {
        const [found] = await exchange(nodes[index]!, [each]);
        expect(Object.keys(summary(found!).answers), JSON.stringify(each)).to.deep.equal([
          `${providerNamespace(uplink)} ${addressesOf(uplink)[each.to.includes(':') ? 1 : 0]!}`,
        ]);
      }
    }
  });

  it('carry datagrams in fragments, and associations of SCTP', async () => {
    for (const { service: each, nodePort } of everywhere)
      for (const [index, place] of places.entries()) {
        const client = clientOf(each.tenant, index);
        for (const to of addressesOf(uplinkFor(each.tenant, place))) {
          const asked = { from: client.from, to, port: nodePort };
          const found = await exchange(client.node, [
            { ...asked, protocol: 'udp', size: 5000, rounds: 4 },
            { ...asked, protocol: 'sctp' },
          ]);
          expect(
            found.map(({ lost, error }) => ({ lost, error })),
            `${each.tenant} ${to}`,
          ).to.deep.equal([
            { lost: 0, error: undefined },
            { lost: 0, error: undefined },
          ]);
        }
      }
  });

  it('send no answer of which the uplink knows no connection, though the address and the port are theirs', async () => {
    const [{ service: first, nodePort }] = local as [(typeof local)[number]];
    for (const [index, place] of places.entries()) {
      const [node, uplink] = [nodes[index]!, uplinkFor(first.tenant, place)];
      for (const to of addressesOf(uplink))
        await untilAnswered({ ...clientOf(first.tenant, index), to, port: nodePort });
      const replies = await replyRows(node, bridgeOf(uplink));
      const answering = exposed.answering[index]!;
      const forget = () => node.does(['ovs-appctl', 'dpctl/flush-conntrack', `zone=${replies.zone}`]);
      await forget();
      await answering.signal('SIGSTOP');
      const { from } = clientOf(first.tenant, index);
      const asked = addressesOf(uplink).map((to) => ({
        from,
        to,
        port: nodePort,
        protocol: 'udp' as const,
        unanswered: true,
      }));
      const answers = exchange(node, asked);
      await eventually('the requests have come in', async () => {
        const known = await node.does(['ovs-appctl', 'dpctl/dump-conntrack', `zone=${replies.zone}`]);
        return known.split('\n').filter((line) => /^udp.*mark=/.test(line)).length === asked.length;
      });
      await forget();
      await answering.signal('SIGCONT');
      expect(
        (await answers).map((each) => each.answers),
        place.name,
      ).to.deep.equal([{}, {}]);
      let dropped = 0;
      await eventually('they are counted', async () => {
        ({ dropped } = await replyRows(node, bridgeOf(uplink)));
        return dropped - replies.dropped === asked.length;
      }).catch(() => expect(dropped - replies.dropped, place.name).to.equal(asked.length));
    }
  });

  it('are reached again after restarts of ovs-vswitchd, and of the agent', async () => {
    // One after the other: each leads to pods on both.
    for (const [index, node] of nodes.entries()) {
      await node.does([RESTART, 'ovs-vswitchd']);
      await cluster.agentOf(node).stop('SIGKILL');
      await cluster.restartAgent(node);
      for (const { service: each, nodePort } of everywhere)
        for (const to of addressesOf(uplinkFor(each.tenant, places[index]!)))
          await untilAnswered({ ...clientOf(each.tenant, index), to, port: nodePort });
    }
  });

  it('are not reached any more once they are deleted, and leave nothing on bridges and in OVN', async () => {
    const { server } = cluster.lab;
    for (const tenant of tenants) server.kubectl(['delete', 'services', '--all', `--namespace=${tenant}`]);
    await eventually('nothing is left', async () => {
      const left = await Promise.all(
        nodes.flatMap((node, index) => [
          ...bridgesOn(places[index]!).map((bridge) =>
            node.does(['ovs-ofctl', '-O', 'OpenFlow14', 'dump-flows', bridge, 'cookie=0x75706c6d/-1']),
          ),
          node.does(['ovn-nbctl', '--bare', '--columns=name', 'list', 'Load_Balancer']),
        ]),
      );
      return left.every((text) => !/actions=|Service_/.test(text));
    });
    const [{ service: first, nodePort }] = everywhere as [(typeof everywhere)[number]];
    const to = addressesOf(uplinkFor(first.tenant, places[0]!))[0]!;
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

  it('have sent nothing of their own by wires of the default routing domain: no address of pods, routers or Services', async () => {
    await Promise.all(wires.map((wire) => wire.stop()));
    for (const wire of wires) {
      expect(await wire.packets('tcp portrange 30080-30083')).not.to.deep.equal([]);
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
