import { expect } from 'chai';
import { ExecaPrograms } from '../../src/adapters/execa/execa-programs.ts';
import { readSwitch } from '../../src/adapters/open-vswitch/switch.ts';
import { OfctlRunningBridges } from '../../src/adapters/ovs-ofctl-wrapper/ofctl-running-bridges.ts';
import { portNumbers, withNumbers } from '../../src/adapters/ovs-ofctl-wrapper/port-numbers.ts';
import { type Bridge, defaultSettings, planNode } from '../../src/domain/index.ts';
import { flowKey, parseFlowDump } from '../../src/domain/datapath/openflow/flow-entry.ts';
import { plannedFlows } from '../../src/domain/explanation/preview/planned-datapath.ts';
import { differences, expectedOf } from '../../src/domain/explanation/trace/switch-trace.ts';
import { eventually } from '../unit/adapters/processes.ts';
import { valueOf } from '../unit/adapters/readings.ts';
import { capturedSituation } from '../unit/cmd/captured-situation.ts';
import type { Situation } from '../unit/cmd/run-in-process.ts';
import { type Options, traced, withGateways } from '../unit/domain/explanation/trace/traced.ts';
import { OpenVSwitch } from './open-vswitch.ts';

/** The two uplink bridges of worker-a: physical port, host interface and network of each. */
const uplinks = [
  { bridge: 'br-red', physicalPort: 'eth2', hostPort: 'red0', vlan: 100, network: 'red', mac: '02:42:c0:00:03:06' },
  { bridge: 'br-blue', physicalPort: 'eth1', hostPort: 'br-blue', vlan: 0, network: 'blue', mac: '02:42:c0:00:02:06' },
] as const;

const patchOf = (bridge: string, network: string) => `patch-${bridge}_cluster_udn_${network}_worker-a-to-br-int`;

/** Packets of each kind: network, packet, and what is told of it. */
const packets: readonly (readonly [string, string, Options?])[] = [
  ['red', 'tcp 10.30.1.5:40000 > 172.20.0.9:443'],
  ['red', 'tcp 172.20.0.9:443 > 10.30.1.5:40000', { isReply: true }],
  ['red', 'icmp 10.30.1.5 > 172.20.0.9'],
  ['red', 'icmp 172.20.0.9 > 10.30.1.5', { isReply: true }],
  ['red', 'sctp 10.30.1.5:7 > 172.20.0.9:8'],
  ['red', 'udp 203.0.113.6:40000 > 203.0.113.9:53'],
  ['red', 'udp 203.0.113.9:53 > 203.0.113.6:40000', { isReply: true }],
  ['red', 'tcp 172.20.0.9:443 > 203.0.113.6:22'],
  ['red', 'tcp 172.20.0.9:443 > 203.0.113.6:22', { mark: 7 }],
  ['blue', 'udp 10.20.1.5:40000 > 172.20.0.9:53'],
  ['blue', 'udp 10.20.1.5:40000 > 172.20.0.9:53', { mark: 0x3f0 }],
  ['blue', 'tcp 172.20.0.9:40000 > 10.20.1.5:8080'],
  ['blue', 'icmp6 fd20:0:0:1::5 > 2001:db8:ff::9'],
  ['blue', 'tcp [2001:db8:b::6]:40000 > [2001:db8:ff::9]:443'],
  ['blue', 'tcp [2001:db8:ff::9]:443 > [2001:db8:b::6]:40000', { isReply: true }],
];

for (const userland of ['host', 'debian-13'] as const) {
  describe(`the running bridges of Open vSwitch of ${userland}`, () => {
    let openVSwitch: OpenVSwitch;
    let situation: Situation;
    let running: OfctlRunningBridges;

    before(async () => {
      situation = await capturedSituation();
      openVSwitch = await OpenVSwitch.start(userland);
      running = new OfctlRunningBridges(new ExecaPrograms(openVSwitch.environment), openVSwitch.runDirectory);
      openVSwitch.configure('add-br', 'br-int', ...uplinks.flatMap(({ bridge }) => ['--', 'add-br', bridge]));
      for (const uplink of uplinks) addPorts(uplink);
      const [node] = withGateways(situation).nodes;
      const flows = plannedFlows(planNode(situation.cluster, node!, defaultSettings));
      for (const bridge of bridges().filter(({ name }) => flows.has(name))) {
        const lines = (flows.get(bridge.name) ?? []).map(({ flow }) => {
          const text = withNumbers(
            `cookie=${flow.cookie},${flowKey(flow)},actions=${flow.actions}`,
            portNumbers(bridge),
          );
          if ('missing' in text) throw new Error(`there is no port ${text.missing}`);
          return text.text;
        });
        openVSwitch.replaceFlows(bridge.name, lines.join('\n'));
      }
    });

    after(async () => {
      await openVSwitch.stop();
    });

    function addPorts({ bridge, physicalPort, hostPort, vlan, network, mac }: (typeof uplinks)[number]): void {
      const [patch, peer] = [patchOf(bridge, network), `patch-br-int-to-${network}`];
      const dummies = [physicalPort, ...(hostPort === bridge ? [] : [hostPort])];
      openVSwitch.configure(
        ...dummies.flatMap((port) => ['--', 'add-port', bridge, port, '--', 'set', 'interface', port, 'type=dummy']),
        ...['--', 'add-port', bridge, patch, '--', 'set', 'interface', patch, 'type=patch', `options:peer=${peer}`],
        ...['--', 'add-port', 'br-int', peer, '--', 'set', 'interface', peer, 'type=patch', `options:peer=${patch}`],
      );
      if (hostPort !== bridge) openVSwitch.configure('set', 'port', hostPort, `tag=${String(vlan)}`);
      const number = portNumbers(bridges().find(({ name }) => name === bridge)!).numbers.get(patch);
      openVSwitch.setNoFlood(bridge, String(number));
      openVSwitch.control('fdb/add', bridge, hostPort, String(vlan), mac);
    }

    const bridges = (): readonly Bridge[] => valueOf(readSwitch(openVSwitch.dump(), 'dump')).bridges;

    /** Where the switch differs from what `trace` follows, for each frame of a packet. */
    async function differ(network: string, text: string, options?: Options): Promise<readonly string[]> {
      const outcome = traced(situation, network, text, options);
      if (!outcome.traced) throw new Error(outcome.problem);
      expect(outcome.passes).not.to.be.empty;
      const found: string[] = [];
      for (const pass of outcome.passes) {
        const { frame, expected } = expectedOf(pass);
        const bridge = bridges().find(({ name }) => name === frame.bridge);
        found.push(...differences(expected, valueOf(await running.trace(bridge!, frame))));
      }
      return found;
    }

    for (const [network, text, options = {}] of packets) {
      it(`handle ${text} of ${network} ${JSON.stringify(options)} as traced`, async () => {
        expect(await differ(network, text, options)).to.deep.equal([]);
      });
    }

    it('ask for a neighbour as traced, without learning it', async () => {
      expect(await differ('red', 'udp 10.30.1.5:40000 > 203.0.113.9:53')).to.deep.equal([
        'expected waitingNetworks 100, the switch has waitingNetworks without a flow',
        `expected to leave by ${patchOf('br-red', 'red')} as VLAN 100, 00:00:5e:00:53:01 > 02:42:c0:00:03:06, 203.0.113.9 > 203.0.113.6 and red0 as VLAN none, 00:00:5e:00:53:01 > 02:42:c0:00:03:06, 203.0.113.9 > 203.0.113.6, the switch has red0 as VLAN none, 00:00:5e:00:53:01 > 02:42:c0:00:03:06, 203.0.113.9 > 203.0.113.6`,
        'expected nextHop 90, the switch has nextHop 10',
        'expected to leave by eth2 as VLAN 100, 02:42:c0:00:03:06 > 00:00:5e:00:53:01, 203.0.113.6 40000:53 > 203.0.113.9, the switch has no port',
      ]);
    });

    it('differ if another program has deleted a flow', async () => {
      const egress = parseFlowDump(openVSwitch.dumpFlows('br-blue')).find(
        ({ priority, match }) => priority === 104 && match.includes('nw_src='),
      )!;
      openVSwitch.deleteFlow('br-blue', flowKey(egress));
      try {
        expect(await differ('blue', 'udp 10.20.1.5:40000 > 172.20.0.9:53')).to.deep.equal([
          'expected classify 104, the switch has classify 9',
          'expected to leave by eth1 as VLAN none, 02:42:c0:00:02:06 > 02:00:00:00:00:b1, 10.20.1.5 40000:53 > 172.20.0.9, the switch has no port',
        ]);
      } finally {
        openVSwitch.addFlow('br-blue', `cookie=${egress.cookie},${flowKey(egress)},actions=${egress.actions}`);
      }
      expect(await differ('blue', 'udp 10.20.1.5:40000 > 172.20.0.9:53')).to.deep.equal([]);
    });

    it('are a problem if the bridge or the port does not exist', async () => {
      const [bridge] = bridges();
      const frame = { bridge: 'br-none', words: 'tcp,in_port=1', states: [] };
      const none = await running.trace({ ...bridge!, name: 'br-none', ports: [] }, frame);
      expect(!none.read && none.problems[0]?.message).to.match(/ofproto\/trace|Unknown bridge|no bridge/i);
      const port = await running.trace(bridge!, { ...frame, words: 'tcp,in_port=eth9' });
      expect(!port.read && port.problems[0]?.message).to.equal(
        `port eth9 of bridge ${bridge!.name} does not exist yet`,
      );
      expect((await running.packets({ ...bridge!, name: 'br-none', ports: [] })).read).to.equal(false);
    });

    it('count the packets of each flow', async () => {
      const red = bridges().find(({ name }) => name === 'br-red')!;
      const arp = 'table=0, priority=11,arp,in_port=eth2';
      expect(valueOf(await running.packets(red)).get(arp)).to.equal(0);
      openVSwitch.control(
        'netdev-dummy/receive',
        'eth2',
        'in_port(1),eth(src=50:54:00:00:00:05,dst=ff:ff:ff:ff:ff:ff),eth_type(0x8100),vlan(vid=100,pcp=0),encap(eth_type(0x0806),arp(sip=203.0.113.9,tip=203.0.113.10,op=1,sha=50:54:00:00:00:05,tha=00:00:00:00:00:00))',
      );
      await eventually('the packet is counted', async () => valueOf(await running.packets(red)).get(arp) === 1);
    });
  });
}
