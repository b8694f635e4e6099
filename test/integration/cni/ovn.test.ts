/** Pods in a network of a real OVN: the plugin, the agent with its adapters, Open vSwitch and the kernel are real; the objects of the cluster are in memory. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { OvsdbSwitchPorts } from '../../../src/adapters/open-vswitch/ovsdb-switch-ports.ts';
import { OvnLogicalPorts } from '../../../src/adapters/ovn/ovn-logical-ports.ts';
import { unixServer } from '../../../src/adapters/ovsdb/server.ts';
import { eventually } from '../../unit/adapters/processes.ts';
import { valueOf } from '../../unit/adapters/readings.ts';
import { NODE_SWITCH, OvnOnHost, configureNetwork } from './ovn.ts';
import { PodHost } from './pod-host.ts';
import { ROUTER, ServedPods } from './served-pods.ts';

describe('pods in a network of OVN', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ovn-uplinks-test-'));
  const socket = join(folder, 'cni.sock');
  let host: PodHost;
  let ovn: OvnOnHost;
  let logicalPorts: OvnLogicalPorts;
  let switchPorts: OvsdbSwitchPorts;
  let served: ServedPods;
  before(async () => {
    host = await PodHost.start(socket);
    ovn = await OvnOnHost.start(host);
    logicalPorts = new OvnLogicalPorts(unixServer(ovn.northboundSocket, 'OVN'));
    switchPorts = new OvsdbSwitchPorts(ovn.switchSocket);
    served = new ServedPods(socket, { logicalPorts, switchPorts });
    await served.start(host);
    await configureNetwork(host, ovn);
  });
  after(async () => {
    await served.stop();
    logicalPorts.close();
    switchPorts.close();
    await ovn.stop();
    await host.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const call = async (command: string, pod: string, environment: Readonly<Record<string, string>>) => {
    const { status, stdout, stderr } = await host.cnitool(command, 'cluster_udn_blue', pod, environment);
    expect(status, stderr).to.equal(0);
    return stdout;
  };

  const ping = async (pod: string, to: string, ...words: readonly string[]) =>
    (await host.run('ip', ['netns', 'exec', pod, 'ping', '-c', '2', '-i', '0.2', '-W', '1', ...words, to])).status ===
    0;

  const names = async () => {
    const [logical, inSwitch] = [valueOf(await logicalPorts.read()).ports, valueOf(await switchPorts.read())];
    return [logical.map(({ pod }) => pod.name).sort(), inSwitch.map(({ pod }) => pod.name).sort()];
  };

  it('reach each other and their router as soon as ADD is answered, and no one by another’s address', async () => {
    const environments = [await served.create('first'), await served.create('second')] as const;
    await call('add', 'first', environments[0]);
    await call('add', 'second', environments[1]);
    expect(await names()).to.deep.equal([
      ['first', 'second'],
      ['first', 'second'],
    ]);
    for (const to of [ROUTER[4], ROUTER[6], '10.20.1.3', 'fd20:0:0:1::3']) {
      expect(await ping('second', to), to).to.equal(true);
    }
    await call('check', 'second', environments[1]);

    await host.does('ip -netns second address add 10.20.1.99/24 dev net1');
    expect(await ping('second', '10.20.1.3', '-I', '10.20.1.99')).to.equal(false);
    expect(await ping('second', '10.20.1.3')).to.equal(true);

    for (const [index, name] of ['first', 'second'].entries()) await call('del', name, environments[index] ?? {});
    expect(await names()).to.deep.equal([[], []]);
    expect(valueOf(await logicalPorts.read()).released.map(({ address }) => address)).to.include('10.20.1.3');
  });

  it('leave what a repair removes, if they are deleted without an agent', async () => {
    const environment = await served.create('third');
    await call('add', 'third', environment);
    await host.does('ip netns delete third');
    await eventually('Open vSwitch has no device', async () =>
      valueOf(await switchPorts.read()).every(({ hasDevice }) => !hasDevice),
    );
    expect((await served.repair()).ok).to.equal(true);
    expect(await names()).to.deep.equal([[], []]);
  });

  it('have their logical ports again after the Northbound database has lost them', async () => {
    const environment = await served.create('fourth');
    await call('add', 'fourth', environment);
    const before = valueOf(await logicalPorts.read()).ports;
    await ovn.does('ovn-nbctl lsp-del demo.blue_demo_fourth');
    await eventually('the port is gone', async () => valueOf(await logicalPorts.read()).ports.length === 0);
    expect((await served.repair()).ok).to.equal(true);
    expect(valueOf(await logicalPorts.read()).ports).to.deep.equal(before);
    await eventually('packets pass again', () => ping('fourth', ROUTER[4]));
    await call('del', 'fourth', environment);
  });

  for (const [database, problem] of [
    ['nb', 'the logical switch port of the pod cannot be created'],
    ['db', 'the interface cannot be added to Open vSwitch'],
  ] as const) {
    it(`are refused while the disk with the database ${database} is full, and leave nothing`, async () => {
      const name = `full-${database}`;
      const environment = await served.create(name);
      await ovn.setWritable(database, false);
      const { status, stderr } = await host.cnitool('add', 'cluster_udn_blue', name, environment);
      await ovn.setWritable(database, true);
      expect(status).not.to.equal(0);
      expect(stderr).to.include(problem);
      expect(stderr).to.include('write failed; the disk of the database may be full');
      expect(await names()).to.deep.equal([[], []]);
      await call('del', name, environment);
      await call('add', name, environment);
      await call('del', name, environment);
    });
  }

  it('are refused as long as the network is not on the node, and leave nothing', async () => {
    await ovn.does(`ovn-nbctl ls-del ${NODE_SWITCH}`);
    await served.stop();
    await served.start(host, { objects: 500 });
    const environment = await served.create('fifth');
    const { status, stderr } = await host.cnitool('add', 'cluster_udn_blue', 'fifth', environment);
    expect(status).not.to.equal(0);
    expect(stderr).to.include(
      `network cluster_udn_blue is not programmed on this node yet: OVN has no Logical_Switch ${NODE_SWITCH}`,
    );
    expect(await names()).to.deep.equal([[], []]);
  });
});
