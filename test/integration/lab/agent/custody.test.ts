import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { bridge, physicalPort } from '../bridge.ts';
import { clusterOf } from '../clusters.ts';
import { ip, ovsVsctl } from '../commands.ts';
import type { ArgumentVector, LabNode } from '../node.ts';
import { blue, blueBridge } from './blue.ts';
import { agentFixture } from './agent-fixture.ts';
import { leftovers } from './leftovers.ts';
import { DEADLINE, NodeAgent, ovnUplinks, readyNetwork, unreadyNetwork } from './node-agent.ts';

const withNetwork = (device: string) => clusterOf([{ ...blue, device }]);

function withoutNetwork(device: string) {
  return { ...withNetwork(device), clusterUserDefinedNetworks: [], routeAdvertisements: [] };
}

/** Routes and permanent neighbours of the administrator on an interface, a line each. */
async function lent(node: LabNode, device: string): Promise<readonly string[]> {
  const { routes, neighbours } = await node.snapshot();
  return [
    ...routes
      .filter(({ protocol, nextHops }) => ['static', 'boot'].includes(protocol) && nextHops[0]?.device === device)
      .map(({ destination, table, metric, nextHops }) => `${destination} ${table} ${metric} ${nextHops[0]?.gateway}`),
    ...neighbours
      .filter((each) => each.device === device && each.states.includes('permanent') && each.protocol !== '94')
      .map(({ address, macAddress }) => `${address} ${macAddress}`),
  ].sort();
}

async function eventually<Found>(look: () => Promise<Found>, expected: Found): Promise<void> {
  const deadline = performance.now() + DEADLINE;
  let found = await look();
  while (JSON.stringify(found) !== JSON.stringify(expected) && performance.now() < deadline) {
    // Without a pause the looks would keep the machine from the agent.
    await pause(200);
    found = await look();
  }
  expect(found).to.deep.equal(expected);
}

describe('custody of an interface in a VRF', () => {
  const { givenNode } = agentFixture();

  async function started(node: LabNode, device: string): Promise<NodeAgent> {
    await NodeAgent.prepare(node, withNetwork(device));
    const agent = await NodeAgent.start(node);
    await agent.until([], 'uplink-0', readyNetwork('blue'));
    return agent;
  }

  it('is restored after the interface is released by hand, except for what its owner removed', async () => {
    const node = await givenNode(...blueBridge);
    const before = await node.snapshot();
    const agent = await started(node, 'br-blue');
    await node.does(ip`route delete 203.0.113.128/25 table 1011`);
    const programmed = await node.snapshot();
    const kept = await lent(node, 'br-blue');
    expect(kept).to.include.members(['0.0.0.0/0 1011 100 192.0.2.1', '::/0 1011 100 2001:db8:b::1']);

    // Until the route is forgotten the agent cannot know that it was removed by hand.
    await node.until([], '/run/ovn-uplinks/ledger.json', '\\A(?!.*203.0.113.128)', DEADLINE);
    await node.does(ip`link set br-blue nomaster`);
    await eventually(() => lent(node, 'br-blue'), kept);
    await eventually(async () => leftovers(programmed, await node.snapshot()), []);

    await NodeAgent.save(node, withoutNetwork('br-blue'));
    await agent.forgets();
    const isRemoved = (line: string) => line.startsWith('- ') && line.includes('203.0.113.128/25');
    const differences = async () => leftovers(before, await node.snapshot());
    await eventually(async () => (await differences()).filter((line) => !isRemoved(line)), []);
    expect(await differences()).to.have.length(1);
  });

  const addresses = ['192.0.2.6/24', '2001:db8:b::6/64'];
  const administratorConfig = (device: string): readonly ArgumentVector[] => [
    ip`route replace default via 192.0.2.1 dev ${device} metric 100`,
    ip`route replace default via 2001:db8:b::1 dev ${device} metric 100`,
    ip`route replace 198.51.104.0/24 via 192.0.2.1 dev ${device} table 77`,
    ip`neighbour replace 192.0.2.77 lladdr 02:00:00:00:77:77 dev ${device} nud permanent`,
  ];
  const addressed = (device: string) => [
    ip`link set ${device} up`,
    ...addresses.map((address) => ip`address add ${address} dev ${device}`),
  ];
  const internalPort = [
    ovsVsctl`add-port br-blue ten30 -- set Interface ten30 type=internal ${'mac="02:00:00:00:30:30"'}`,
    ...addressed('ten30'),
  ];
  const macAddress = '02:00:00:00:01:06';
  const localPort = [...bridge('br-blue', { macAddress }), ovsVsctl`add-port br-blue eth1`, ...addressed('br-blue')];

  const cases = [
    {
      what: 'an internal port was deleted and made again',
      device: 'ten30',
      prepared: [...bridge('br-blue', { physicalPort: 'eth1' }), ...internalPort],
      deleted: ovsVsctl`del-port br-blue ten30`,
      made: internalPort,
    },
    {
      what: 'the bridge was deleted and made again',
      device: 'br-blue',
      prepared: [
        ...bridge('br-blue', { macAddress }),
        ...physicalPort('br-blue', 'eth1', macAddress),
        ...addressed('br-blue'),
      ],
      deleted: ovsVsctl`del-br br-blue`,
      made: localPort,
    },
  ];
  for (const { what, device, prepared, deleted, made } of cases) {
    it(`is back after ${what}, and its addresses were given again; what its owner makes again is there once`, async () => {
      const node = await givenNode(...prepared, ...administratorConfig(device));
      const before = await lent(node, device);
      const agent = await started(node, device);
      const kept = await lent(node, device);
      expect(kept).to.have.length(before.length);

      await agent.until([deleted], 'uplink-0', unreadyNetwork('blue', 'UplinkNotReadyForNode'));
      await node.does(...made);
      await eventually(() => lent(node, device), kept);

      // Its routes of the main table are in that of the VRF by now.
      await node.does(...administratorConfig(device));
      expect(await lent(node, device)).to.have.length(kept.length + 2);
      await NodeAgent.save(node, withoutNetwork(device));
      await agent.forgets();
      expect(await lent(node, device)).to.deep.equal(before);
    });
  }

  it('is reported and kept as long as another default route has the place of its own', async () => {
    const node = await givenNode(...blueBridge);
    const [before, own] = [await node.snapshot(), await lent(node, 'br-blue')];
    const agent = await started(node, 'br-blue');
    await node.does(ip`route add default via 198.51.100.1 dev br-ex metric 100`);
    await NodeAgent.save(node, withoutNetwork('br-blue'));
    const report =
      'route default via 192.0.2.1 dev br-blue metric 100 is not restored: route default via 198.51.100.1 dev br-ex metric 100 has its place';
    await agent.says(report);
    await eventually(
      () => lent(node, 'br-blue'),
      own.filter((line) => line !== '0.0.0.0/0 254 100 192.0.2.1'),
    );
    await agent.stop();

    const cleanup = await node.run(ovnUplinks('node', '--cleanup', '--listen', 'none'));
    expect(cleanup.exitCode, cleanup.stderr).to.equal(0);
    expect(cleanup.stderr)
      .to.include(report)
      .and.include('delete that route to have it restored, or the ledger after --cleanup to give it up');

    const next = await NodeAgent.start(node);
    await next.says('nothing to do');
    await node.does(ip`route delete default via 198.51.100.1 dev br-ex metric 100`);
    await next.forgets();
    expect(leftovers(before, await node.snapshot())).to.deep.equal([]);
  });

  it('is forgotten if the network is removed while the interface is missing', async () => {
    const node = await givenNode(...blueBridge);
    const agent = await started(node, 'br-blue');
    await agent.until([ovsVsctl`del-br br-blue`], 'uplink-0', unreadyNetwork('blue', 'UplinkNotReadyForNode'));
    await NodeAgent.save(node, withoutNetwork('br-blue'));
    await agent.forgets();
  });
});
