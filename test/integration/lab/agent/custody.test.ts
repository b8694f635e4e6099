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

/** The administrator's routes and permanent neighbours on an interface, as lines. */
async function configurationOn(node: LabNode, device: string): Promise<readonly string[]> {
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

async function eventually<Value>(read: () => Promise<Value>, expected: Value): Promise<void> {
  const deadline = performance.now() + DEADLINE;
  let value = await read();
  while (JSON.stringify(value) !== JSON.stringify(expected) && performance.now() < deadline) {
    // Without a pause, reading would take the machine's processor from the agent.
    await pause(200);
    value = await read();
  }
  expect(value).to.deep.equal(expected);
}

describe('custody of an interface in a VRF', () => {
  const { newNode } = agentFixture();

  async function startAgent(node: LabNode, device: string): Promise<NodeAgent> {
    await NodeAgent.prepare(node, withNetwork(device));
    const agent = await NodeAgent.start(node);
    await agent.until([], 'uplink-0', readyNetwork('blue'));
    return agent;
  }

  it('is restored after an administrator releases the interface, except for what the administrator removed', async () => {
    const node = await newNode(...blueBridge);
    const before = await node.snapshot();
    const agent = await startAgent(node, 'br-blue');
    await node.does(ip`route delete 203.0.113.128/25 table 1011`);
    const programmed = await node.snapshot();
    const kept = await configurationOn(node, 'br-blue');
    expect(kept).to.include.members(['0.0.0.0/0 1011 100 192.0.2.1', '::/0 1011 100 2001:db8:b::1']);

    // While the route is in the ledger, the agent does not know yet that it was removed by the administrator.
    await node.until([], '/run/ovn-uplinks/ledger.json', '\\A(?!.*203.0.113.128)', DEADLINE);
    await node.does(ip`link set br-blue nomaster`);
    await eventually(() => configurationOn(node, 'br-blue'), kept);
    await eventually(async () => leftovers(programmed, await node.snapshot()), []);

    await NodeAgent.save(node, withoutNetwork('br-blue'));
    await agent.untilForgotten();
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
  const addressesOn = (device: string) => [
    ip`link set ${device} up`,
    ...addresses.map((address) => ip`address add ${address} dev ${device}`),
  ];
  const internalPort = [
    ovsVsctl`add-port br-blue ten30 -- set Interface ten30 type=internal ${'mac="02:00:00:00:30:30"'}`,
    ...addressesOn('ten30'),
  ];
  const macAddress = '02:00:00:00:01:06';
  const localPort = [...bridge('br-blue', { macAddress }), ovsVsctl`add-port br-blue eth1`, ...addressesOn('br-blue')];

  const cases = [
    {
      what: 'an internal port is deleted and created again',
      device: 'ten30',
      prepared: [...bridge('br-blue', { physicalPort: 'eth1' }), ...internalPort],
      deletion: ovsVsctl`del-port br-blue ten30`,
      creation: internalPort,
    },
    {
      what: 'the bridge is deleted and created again',
      device: 'br-blue',
      prepared: [
        ...bridge('br-blue', { macAddress }),
        ...physicalPort('br-blue', 'eth1', macAddress),
        ...addressesOn('br-blue'),
      ],
      deletion: ovsVsctl`del-br br-blue`,
      creation: localPort,
    },
  ];
  for (const { what, device, prepared, deletion, creation } of cases) {
    it(`is restored after ${what} with its addresses; what the administrator adds again exists once`, async () => {
      const node = await newNode(...prepared, ...administratorConfig(device));
      const before = await configurationOn(node, device);
      const agent = await startAgent(node, device);
      const kept = await configurationOn(node, device);
      expect(kept).to.have.length(before.length);

      await agent.until([deletion], 'uplink-0', unreadyNetwork('blue', 'UplinkNotReadyForNode'));
      await node.does(...creation);
      await eventually(() => configurationOn(node, device), kept);

      // The former routes of the main table are in that of the VRF, and their default routes are moved there again.
      await node.does(...administratorConfig(device));
      await eventually(() => configurationOn(node, device), kept);
      await NodeAgent.save(node, withoutNetwork(device));
      await agent.untilForgotten();
      expect(await configurationOn(node, device)).to.deep.equal(before);
    });
  }

  it('is reported and kept while another default route conflicts with one of its routes', async () => {
    const node = await newNode(...blueBridge);
    const [before, own] = [await node.snapshot(), await configurationOn(node, 'br-blue')];
    const agent = await startAgent(node, 'br-blue');
    await node.does(ip`route add default via 198.51.100.1 dev br-ex metric 100`);
    await NodeAgent.save(node, withoutNetwork('br-blue'));
    const report =
      'route default via 192.0.2.1 dev br-blue metric 100 is not restored: route default via 198.51.100.1 dev br-ex metric 100 has its place';
    await agent.untilLogged(report);
    await eventually(
      () => configurationOn(node, 'br-blue'),
      own.filter((line) => line !== '0.0.0.0/0 254 100 192.0.2.1'),
    );
    await agent.stop();

    const cleanup = await node.run(ovnUplinks('node', '--cleanup', '--listen', 'none'));
    expect(cleanup.exitCode, cleanup.stderr).to.equal(0);
    expect(cleanup.stderr)
      .to.include(report)
      .and.include('delete that route to have it restored, or the ledger after --cleanup to give it up');

    const next = await NodeAgent.start(node);
    await next.untilLogged('nothing to do');
    await node.does(ip`route delete default via 198.51.100.1 dev br-ex metric 100`);
    await next.untilForgotten();
    expect(leftovers(before, await node.snapshot())).to.deep.equal([]);
  });

  it('ends if the network is removed while the interface is missing', async () => {
    const node = await newNode(...blueBridge);
    const agent = await startAgent(node, 'br-blue');
    await agent.until([ovsVsctl`del-br br-blue`], 'uplink-0', unreadyNetwork('blue', 'UplinkNotReadyForNode'));
    await NodeAgent.save(node, withoutNetwork('br-blue'));
    await agent.untilForgotten();
  });
});
