import { expect } from 'chai';
import { eventually } from '../../../unit/adapters/processes.ts';
import { NodeAgent, readyNetwork, unreadyNetwork } from '../agent/node-agent.ts';
import { ip, ovsVsctl } from '../commands.ts';
import type { ArgumentVector, LabNode } from '../node.ts';
import { prepare } from '../prepare.ts';
import { expectAnswers, summary } from './clients.ts';
import { WireCapture } from './capture.ts';
import { exchange, startAnswering } from './exchange.ts';
import { podNamespace } from './own-half.ts';
import { carrying, preparedNode } from './packet-node.ts';
import { providerInVlan, providerNamespace, secondGateway, wireOf } from './provider.ts';
import { SteadyTraffic } from './steady.ts';
import { blue, clusterWith, common, hostInterfaceOf, type LabUplink, type Tenant } from './tenant.ts';

const green: Tenant = {
  name: 'green',
  networkId: 2,
  uplink: { name: 'green', macAddress: '02:00:00:00:10:06', access: { bridge: 'br-vlans', vlan: 10 } },
};
/** A second network on the uplink of green, and one that conflicts with blue. Both are added later. */
const olive: Tenant = { ...green, name: 'olive', networkId: 3 };
const rival: Tenant = { ...blue, name: 'rival', networkId: 4 };

/** One whose pods keep their addresses wherever its interface is. */
const amber: Tenant = {
  name: 'amber',
  networkId: 5,
  targetVRF: 'default',
  uplink: { name: 'amber', macAddress: '02:00:00:00:11:06' },
};

/** Where green's provider moves. */
const moved: LabUplink = { ...green.uplink, name: 'moved', access: { bridge: 'br-vlans', vlan: 30 } };

/** Another router on its link there. */
const second = { name: 'second', macAddress: '02:00:00:00:30:02', addresses: ['192.0.2.2', '2001:db8:b::2'] } as const;

/** Addresses that green's uplink has in the end. */
const newAddresses = ['192.0.2.7', '2001:db8:b::7'] as const;

const device = hostInterfaceOf(green.uplink);

/** The state of the uplink of green. */
const UPLINK = 'uplink-1';

/** Number of requests of pods and host while their packets are captured. */
const ROUNDS = 20;

/** Number of connections of a pod in each family that use both of two gateways: all of them use one by a chance of 1 in 8 million. */
const CONNECTIONS = 24;

/** Milliseconds in which packets must follow a change. An idle node needs less than a second; the lab is busy. */
const DEADLINE = 90_000;

/** Requests of green's pods, and of the host by its uplink. */
const questions = [{ from: podNamespace(green) }, { device }].flatMap((from) =>
  common.outside.map((to) => ({ ...from, to })),
);

/** The pattern of answers to all requests, from a provider that has seen one of some addresses. */
function allAnswered(uplink: Pick<LabUplink, 'name'>, addresses: readonly string[]): string {
  const answers = questions.map((_, number) => {
    const address = addresses[number % addresses.length]!.replaceAll('.', '\\.');
    return `(?=.*${String(number)} answers ${providerNamespace(uplink)} ${address}\\n)`;
  });
  return `\\A${answers.join('')}`;
}

function report(what: string, milliseconds: number): void {
  console.log(`      ${what}: ${milliseconds.toFixed(0)} ms`);
}

describe('networks while something changes', () => {
  let node: LabNode;
  let agent: NodeAgent;
  before(async () => {
    node = await preparedNode([blue, green, amber, olive, rival]);
    await prepare(node, providerInVlan(moved));
    await prepare(node, secondGateway(moved, second, second.addresses));
    await startAnswering(node, [providerNamespace(moved), providerNamespace(second)]);
    await NodeAgent.save(node, clusterWith([blue, green, amber]));
    ({ agent } = await carrying(node, [blue, green, amber]));
  });
  after(() => node.end());

  describe('one of which carries 1,000 packets a second', () => {
    let steady: SteadyTraffic;
    before(async () => {
      steady = await SteadyTraffic.start(
        node,
        common.outside.map((to) => ({ from: podNamespace(blue), to, rate: 500 })),
      );
    });

    it('carry packets when they are added', async () => {
      await NodeAgent.save(node, clusterWith([blue, green, amber, olive]));
      await agent.until([], UPLINK, readyNetwork(olive.name));
      await expectAnswers(node, [{ tenant: olive, kind: 'pod' }], { protocol: 'udp', rounds: 10 });
    });

    it('get no packets when they conflict with it, and both report the conflict', async () => {
      await NodeAgent.save(node, clusterWith([blue, green, amber, olive, rival]));
      for (const { name } of [blue, rival])
        await agent.until([], 'uplink-0', unreadyNetwork(name, 'UplinkConfigurationConflict'));
      const answers = await exchange(
        node,
        common.outside.map((to) => ({ from: podNamespace(rival), protocol: 'udp', to })),
      );
      expect(answers.map(({ lost }) => lost)).to.deep.equal([1, 1]);
    });

    it('lose none of them', () => steady.expectNothingLost());
  });

  it('lose no packet while their interface moves into a VRF, where its neighbours are unknown at first', async () => {
    const steady = await SteadyTraffic.start(
      node,
      common.outside.map((to) => ({ from: podNamespace(amber), to, rate: 500 })),
    );
    await NodeAgent.save(node, clusterWith([blue, green, { ...amber, targetVRF: 'auto' }, olive, rival]));
    await agent.untilLogged('br-amber into VRF amber.*settled');
    await steady.expectNothingLost();
  });

  it('follow a gateway that announces other MAC addresses while their interface moves into a VRF', async () => {
    const namespace = providerNamespace(amber.uplink);
    const announce = (number: number) => ip`-n ${namespace} link set eth0 address 02:00:00:00:11:${`f${number}`}`;
    const log = async (event: string, commands: readonly ArgumentVector[], { length }: Buffer) =>
      await agent.untilLogged(`\\A.{${length}}.*${event}`, commands);
    const logged = async () => Buffer.from(await agent.log());
    const settings = ['ipv4.conf.eth0.arp_notify', 'ipv6.conf.eth0.ndisc_notify'].map((name) => `net.${name}=1`);
    await node.does(['ip', 'netns', 'exec', namespace, 'sysctl', '--quiet', ...settings]);
    const clusters = [amber, { ...amber, targetVRF: 'auto' }].map((each) =>
      clusterWith([blue, green, each, olive, rival]),
    );
    const [back, again] = [await NodeAgent.saveCommand(node, clusters[0]!), clusters[1]!];
    await log('br-amber out of VRF amber.*settled', [back], await logged());

    const streams = common.outside.map((to) => ({ from: podNamespace(amber), to, rate: 50 }));
    const steady = await SteadyTraffic.start(node, streams);
    const before = await logged();
    await log('br-amber into VRF amber', [announce(1), await NodeAgent.saveCommand(node, again)], before);
    await log('settled', [announce(2)], before);
    const later = await SteadyTraffic.start(node, streams);
    report('gateway’s MAC address, longest silence', Math.max(...(await steady.stop()).map(({ silence }) => silence)));
    expect((await later.stop()).map(({ lost }) => lost)).to.deep.equal([0, 0]);
  });

  describe('whose uplink changes', () => {
    /** The packets on the wire of green while pods and host send requests, also those of older connections. */
    const captured = async (): Promise<WireCapture> => {
      const wire = await WireCapture.startAtNode(node, wireOf(green.uplink));
      const answers = await exchange(
        node,
        questions.map((words) => ({ ...words, protocol: 'udp', rounds: ROUNDS })),
      );
      await wire.stop();
      expect(answers.map(({ lost }) => lost)).to.deep.equal([0, 0, 0, 0]);
      return wire;
    };

    /** Changes green's uplink while pods and host send requests to its provider, and returns the packets on the wire once they have followed. */
    const follows = async (what: string, change: (traffic: SteadyTraffic) => Promise<number>): Promise<WireCapture> => {
      const traffic = await SteadyTraffic.start(
        node,
        questions.map((words) => ({ ...words, rate: 20 })),
      );
      const milliseconds = await change(traffic);
      const wire = await captured();
      const summaries = await traffic.stop();
      report(`${what}, followed after`, milliseconds);
      report(`${what}, longest silence`, Math.max(...summaries.map(({ silence }) => silence)));
      expect(milliseconds).to.be.at.most(DEADLINE);
      return wire;
    };

    it('send frames of pods and host into the new VLAN when an administrator has changed it', async () => {
      const { vlan } = moved.access!;
      const wire = await follows('VLAN', (traffic) =>
        traffic.until([ovsVsctl`set Port ${device} tag=${vlan}`], allAnswered(moved, common.uplink)),
      );
      expect(await wire.packets(`vlan ${vlan} and udp port 8080`)).to.have.length.of.at.least(
        2 * ROUNDS * questions.length,
      );
      expect(await wire.packets('udp port 8080')).to.deep.equal([]);
      expect(await wire.packets(`vlan 10 and ether src ${green.uplink.macAddress}`)).to.deep.equal([]);
    });

    it('have their flows again in secure fail mode, beside an administrator’s own flow, and stay in the native VLAN of a trunk', async () => {
      const { length } = Buffer.from(await agent.log());
      const own = ['ovs-ofctl', 'add-flow', 'br-vlans', 'cookie=0xa,priority=40000,udp,tp_dst=9999,actions=drop'];
      const wire = await follows('flows', () =>
        agent.untilLogged(`\\A.{${length}}.*settled`, [
          ovsVsctl`set Port ${device} vlan_mode=native-untagged`,
          ovsVsctl`set-fail-mode br-vlans secure`,
          own,
        ]),
      );
      expect(await wire.packets('udp port 8080')).to.deep.equal([]);
      expect(await node.does(['ovs-ofctl', 'dump-flows', 'br-vlans', 'cookie=0xa/-1'])).to.include('tp_dst=9999');
    });

    it('carry packets again after the MAC address of the host interface has changed', async () => {
      const macAddress = '02:00:00:00:10:07';
      const wire = await follows('MAC address', () =>
        agent.untilLogged(`${macAddress}.*settled`, [[...ovsVsctl`set Interface ${device}`, `mac="${macAddress}"`]]),
      );
      expect(await wire.packets(`ether host ${macAddress}`)).not.to.deep.equal([]);
      expect(await wire.packets(`ether src ${green.uplink.macAddress}`)).to.deep.equal([]);
    });

    it('use only the new addresses, also for connections that continue', async () => {
      const cidrs = (of: readonly string[]) =>
        of.map((address, index) => `${address}/${common.linkPrefixLengths[index]!}`);
      const wire = await follows('addresses', (traffic) =>
        traffic.until(
          [
            ...cidrs(common.uplink).map((cidr) => ip`address del ${cidr} dev ${device}`),
            ...cidrs(newAddresses).map((cidr) => ip`address add ${cidr} dev ${device} nodad`),
            ip`route replace default via ${common.gateways[0]} dev ${device} metric 102`,
          ],
          allAnswered(moved, newAddresses),
        ),
      );
      for (const address of common.uplink) expect(await wire.packets(`vlan and src host ${address}`)).to.deep.equal([]);
    });

    describe('its default gateways', () => {
      /** Makes default routes by gateways of each family those of the uplink. */
      const routesBy = (gateways: readonly (readonly string[])[]): readonly ArgumentVector[] =>
        common.gateways.map((_, family) => {
          const hops = gateways.flatMap((each) => ['nexthop', 'via', each[family]!, 'dev', device]);
          return [...ip`${family === 0 ? '-4' : '-6'} route replace default metric 102`, ...hops];
        });
      /** Changes default routes, and waits until OVN and the agent follow. The agent may settle between a family and the other one. */
      const untilFollowed = async (commands: readonly ArgumentVector[], routes: number): Promise<void> => {
        const { length } = Buffer.from(await agent.log());
        await node.does(...commands);
        const listing = ['ovn-nbctl', 'lr-route-list', `GR_cluster_udn_${green.name}_${node.name}`];
        await eventually(`each family has ${routes} default routes in OVN`, async () => {
          const lines = (await node.does(listing)).split('\n').map((line) => line.trim());
          return ['0.0.0.0/0', '::/0'].every(
            (prefix) => lines.filter((line) => line.startsWith(`${prefix} `)).length === routes,
          );
        });
        await agent.untilLogged(`\\A.{${length}}.*change-northbound(?!.*change-northbound).*settled`);
      };

      it('use another one', async () => {
        const wire = await follows('another gateway', (traffic) =>
          traffic.until(routesBy([second.addresses]), allAnswered(second, newAddresses)),
        );
        const sent = `vlan ${moved.access!.vlan} and dst port 8080`;
        expect(await wire.packets(`ether dst ${second.macAddress} and ${sent}`)).not.to.deep.equal([]);
        expect((await wire.packets(sent)).filter((packet) => !packet.includes(`> ${second.macAddress}`))).to.deep.equal(
          [],
        );
      });

      it('use two for different connections', async () => {
        await untilFollowed(routesBy([common.gateways, second.addresses]), 2);
        const answers = await exchange(
          node,
          common.outside.flatMap((to) =>
            Array.from({ length: CONNECTIONS }, () => ({ from: podNamespace(green), protocol: 'udp', to }) as const),
          ),
        );
        expect(answers.filter(({ lost }) => lost > 0)).to.deep.equal([]);
        for (const family of common.outside.keys()) {
          const ofFamily = answers.slice(family * CONNECTIONS, (family + 1) * CONNECTIONS);
          const routers = ofFamily.flatMap((each) => Object.keys(each.answers).map((text) => text.split(' ')[0]!));
          expect([...new Set(routers)].sort()).to.deep.equal([providerNamespace(moved), providerNamespace(second)]);
        }
      });

      it('let no packet of pods leave without one', async () => {
        await untilFollowed(
          ['-4', '-6'].map((family) => ip`${family} route delete default dev ${device} metric 102`),
          0,
        );
        const wire = await WireCapture.startAtNode(node, wireOf(green.uplink));
        const answers = await exchange(
          node,
          common.outside.map((to) => ({ from: podNamespace(green), protocol: 'udp', to })),
        );
        await wire.stop();
        expect(answers.map((each) => each.answers)).to.deep.equal([{}, {}]);
        expect(await wire.packets('port 8080 or (vlan and port 8080)')).to.deep.equal([]);
      });

      it('use the first one again', async () => {
        await untilFollowed(routesBy([common.gateways]), 1);
        const answers = await exchange(
          node,
          questions.map((words) => ({ ...words, protocol: 'udp', rounds: 3 })),
        );
        expect(answers.map(summary)).to.deep.equal(
          questions.map((_, number) => ({
            answers: { [`${providerNamespace(moved)} ${newAddresses[number % newAddresses.length]!}`]: 3 },
            lost: 0,
          })),
        );
      });
    });
  });
});
