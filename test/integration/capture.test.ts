import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { networkInterfaces, release } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect } from 'chai';
import { captureNode } from '../../src/adapters/capture/capture-node.ts';
import { CapturedNode } from '../../src/adapters/capture/captured-node.ts';
import { type CapturedFile, northboundDump } from '../../src/adapters/capture/layout.ts';
import { ExecaPrograms } from '../../src/adapters/execa/execa-programs.ts';
import { OvnNorthbound } from '../../src/adapters/ovn/ovn-northbound.ts';
import { unixServer } from '../../src/adapters/ovsdb/server.ts';
import { OfctlFlowTables } from '../../src/adapters/ovs-ofctl-wrapper/ofctl-flow-tables.ts';
import { gatewayRouterRows } from '../../src/domain/dataplane/gateway-router/gateway-router-rows.ts';
import { emptyLedger } from '../../src/domain/snapshot/ledger.ts';
import type { NodeSnapshot } from '../../src/domain/snapshot/node-snapshot.ts';
import { describeProblem } from '../../src/ports/input-problem.ts';
import type { Programs } from '../../src/ports/node/programs.ts';
import { gatewayRouter, ownHalf } from '../contract/northbound-examples.ts';
import { withShortDeadline } from '../unit/adapters/short-deadline.ts';
import { eventually, runs } from '../unit/adapters/processes.ts';
import { valueOf } from '../unit/adapters/readings.ts';
import { temporaryFolders } from '../unit/adapters/temporary-folders.ts';
import { NorthboundServer } from './northbound-server.ts';
import { OpenVSwitch } from './open-vswitch.ts';

describe('the capture of this machine, with an Open vSwitch of its own', () => {
  const newFolder = temporaryFolders();
  let openVSwitch: OpenVSwitch;
  let stop = (): Promise<void> => Promise.resolve();

  before(async () => {
    openVSwitch = await OpenVSwitch.start();
    stop = () => openVSwitch.stop();
    openVSwitch.configure(
      'set',
      'Open_vSwitch',
      '.',
      'external_ids:system-id=here',
      'external_ids:ovn-bridge-mappings=physnet:br-blue',
    );
    openVSwitch.configure(
      'add-br',
      'br-blue',
      '--',
      'set',
      'Bridge',
      'br-blue',
      'external_ids:bridge-uplink=blue-phys',
    );
    openVSwitch.configure(
      'add-port',
      'br-blue',
      'blue-phys',
      '--',
      'set',
      'Interface',
      'blue-phys',
      'ofport_request=1',
      'mtu_request=9000',
    );
    openVSwitch.configure(
      'add-port',
      'br-blue',
      'blue-host',
      'tag=100',
      '--',
      'set',
      'Interface',
      'blue-host',
      'type=internal',
      'ofport_request=2',
    );
    openVSwitch.configure('add-bond', 'br-blue', 'blue-bond', 'leg-a', 'leg-b');
    openVSwitch.configure('--', 'add-br', 'a#b é');
    openVSwitch.configure('--', 'add-br', '-force');
    openVSwitch.configure('add-port', '-force', 'refused', '--', 'set', 'Interface', 'refused', 'type=unknown');
    openVSwitch.configure('add-br', 'fake', 'br-blue', '7');
    openVSwitch.addFlow('br-blue', 'priority=77,tcp,in_port=1,actions=output:2,LOCAL');
    openVSwitch.addFlow('a#b é', 'cookie=0x75706c6b,table=3,actions=drop');
    openVSwitch.setNoFlood('br-blue', '2');
    openVSwitch.setNoFlood('a#b é', '65534');
    openVSwitch.control('fdb/add', 'br-blue', 'blue-host', '100', '02:42:c0:00:02:06');
    openVSwitch.control('fdb/add', '-force', '-force', '0', '02:42:c0:00:02:07');
  });

  after(async () => {
    await stop();
  });

  /** The programs of this machine on that switch. */
  function programsWith(environment: Readonly<Record<string, string>> = {}): Programs {
    return new ExecaPrograms({ ...openVSwitch.environment, ...environment });
  }

  async function capture(programs = programsWith(), northbound?: CapturedFile) {
    const parent = newFolder();
    const { problems } = await captureNode(join(parent, 'node'), programs, {
      limits: { deadline: 60_000 },
      ...(northbound && { databases: [northbound] }),
    });
    return {
      parent,
      directory: join(parent, 'node'),
      lines: problems.map((problem) => describeProblem(problem).replaceAll(`${parent}/`, '')),
    };
  }

  async function captured(northbound?: CapturedFile): Promise<NodeSnapshot> {
    const { directory, lines } = await capture(programsWith(), northbound);
    expect(lines).to.deep.equal([]);
    return valueOf(await new CapturedNode('here', directory).read());
  }

  it('reads back the switch as it was configured', async () => {
    const { bridges, switchExternalIds } = await captured();
    expect(switchExternalIds).to.include({ 'system-id': 'here', 'ovn-bridge-mappings': 'physnet:br-blue' });
    expect(bridges.map(({ name }) => name)).to.deep.equal(['-force', 'a#b é', 'br-blue']);
    const blue = bridges.find(({ name }) => name === 'br-blue');
    expect(blue?.externalIds).to.deep.equal({ 'bridge-uplink': 'blue-phys' });
    expect(
      blue?.ports.map(({ name, tag, interfaces }) => [name, tag, interfaces.map((member) => member.name)]),
    ).to.deep.equal([
      ['blue-bond', undefined, ['leg-a', 'leg-b']],
      ['blue-host', 100, ['blue-host']],
      ['blue-phys', undefined, ['blue-phys']],
      ['br-blue', undefined, ['br-blue']],
      ['fake', 7, ['fake']],
    ]);
    const members = new Map(blue?.ports.flatMap(({ interfaces }) => interfaces).map((member) => [member.name, member]));
    expect(members.get('br-blue')).to.include({ type: 'internal', openFlowPort: 65534, linkState: 'up' });
    expect(members.get('blue-phys')).to.include({ type: '', openFlowPort: 1, mtu: 9000 });
    expect(members.get('blue-host')).to.include({ type: 'internal', openFlowPort: 2 });
  });

  it('reads the error of a port that the switch could not add', async () => {
    const { bridges } = await captured();
    const ports = bridges.flatMap((bridge) => bridge.ports);
    const [refused] = ports.find(({ name }) => name === 'refused')?.interfaces ?? [];
    expect(refused?.error).to.match(/^could not open network device refused \(.+\)$/);
    expect(refused).to.not.have.property('openFlowPort');
    expect(ports.flatMap(({ interfaces }) => interfaces).filter(({ error }) => error !== undefined)).to.have.length(1);
  });

  it('reads back the entities of the bridges, as the switch itself does', async () => {
    const { flows, noFloodPorts, fdbEntries, ...node } = await captured();
    expect(
      flows.filter(({ cookie, table, priority }) => `${cookie} ${String(table)} ${String(priority)}` !== '0x0 0 0'),
    ).to.have.deep.members([
      { bridge: 'a#b é', cookie: '0x75706c6b', table: 3, priority: 32_768, match: '', actions: 'drop' },
      {
        bridge: 'br-blue',
        cookie: '0x0',
        table: 0,
        priority: 77,
        match: 'tcp,in_port=blue-phys',
        actions: 'output:blue-host,LOCAL',
      },
    ]);
    expect(noFloodPorts).to.deep.equal([
      { bridge: 'a#b é', port: 'a#b é' },
      { bridge: 'br-blue', port: 'blue-host' },
    ]);
    expect(fdbEntries).to.deep.equal([
      { bridge: '-force', port: '-force', vlan: 0, macAddress: '02:42:c0:00:02:07' },
      { bridge: 'br-blue', port: 'blue-host', vlan: 100, macAddress: '02:42:c0:00:02:06' },
    ]);
    const tables = new OfctlFlowTables(programsWith(), openVSwitch.runDirectory);
    const live = valueOf(await tables.read(node));
    await tables.close();
    expect(live).to.deep.equal({ flows, noFloodPorts, fdbEntries });
  });

  it('reads back the Northbound database, as the server itself does', async () => {
    const server = await NorthboundServer.start();
    stop = () => Promise.all([openVSwitch.stop(), server.stop()]).then(() => undefined);
    const blue = gatewayRouter('blue');
    server.insert(...ownHalf(blue), ...gatewayRouterRows(blue));
    const database = unixServer(server.socket, 'OVN');
    const { isNorthboundRead, missingNorthboundColumns, northbound } = await captured(
      northboundDump(database, 'fatal'),
    );
    const ovn = new OvnNorthbound(database);
    const live = valueOf(await ovn.read());
    await ovn.close();
    expect({ isNorthboundRead, missingNorthboundColumns }).to.deep.equal({
      isNorthboundRead: true,
      missingNorthboundColumns: undefined,
    });
    expect(live.northbound).to.have.length(ownHalf(blue).length + gatewayRouterRows(blue).length);
    expect(northbound).to.have.deep.members(live.northbound);
  });

  it('has no Northbound database without its file', async () => {
    const { isNorthboundRead, northbound } = await captured();
    expect({ isNorthboundRead, northbound }).to.deep.equal({ isNorthboundRead: undefined, northbound: [] });
  });

  it('reads back the devices and addresses that this process has', async () => {
    const { links } = await captured();
    const loopback = links.find(({ name }) => name === 'lo');
    expect(loopback).to.include({
      type: 'loopback',
      up: true,
      mtu: Number(readFileSync('/sys/class/net/lo/mtu', 'utf8')),
    });
    for (const [name, addresses = []] of Object.entries(networkInterfaces())) {
      const link = links.find((found) => found.name === name);
      expect(link?.macAddress, name).to.equal(addresses[0]?.mac);
      expect(
        link?.addresses.map(({ address, prefixLength }) => `${address}/${prefixLength}`),
        name,
      ).to.include.members(addresses.map(({ cidr }) => cidr));
    }
  });

  it('reads back routes and settings of this kernel', async () => {
    const { routes, sysctls, rules } = await captured();
    expect(routes.find(({ destination }) => destination === '127.0.0.1/32')).to.deep.equal({
      family: 4,
      type: 'local',
      destination: '127.0.0.1/32',
      table: 255,
      protocol: 'kernel',
      metric: 0,
      nextHops: [{ device: 'lo' }],
      scope: 'host',
      preferredSource: '127.0.0.1',
    });
    expect(rules).to.deep.include({ family: 4, priority: 32766, table: 254, protocol: 'kernel', others: {} });
    expect(sysctls['net.ipv4.conf.lo.rp_filter']).to.equal(
      readFileSync('/proc/sys/net/ipv4/conf/lo/rp_filter', 'utf8').trim(),
    );
    expect(Object.keys(sysctls).filter((name) => !name.startsWith('net.'))).to.deep.equal([]);
  });

  it('reads back the release of the kernel, the boot id, the uptime and an empty ledger', async () => {
    const { kernelRelease, bootId, uptimeSeconds, ledger } = await captured();
    expect(kernelRelease).to.equal(release());
    expect(bootId).to.equal(readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
    expect(uptimeSeconds).to.be.within(1, Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]));
    expect(ledger).to.deep.equal(emptyLedger);
  });

  it('has flows, port descriptions and MAC tables of every real bridge', async () => {
    const { directory } = await capture();
    for (const folder of ['flows', 'ports', 'fdb']) {
      expect(readdirSync(join(directory, folder)).sort()).to.deep.equal(['-force.txt', 'a#b é.txt', 'br-blue.txt']);
    }
    expect(readFileSync(join(directory, 'flows', 'br-blue.txt'), 'utf8')).to.include(
      'priority=77,tcp,in_port=1 actions=output:2,LOCAL',
    );
    expect(readFileSync(join(directory, 'ports', 'br-blue.txt'), 'utf8')).to.include('1(blue-phys)');
    expect(readFileSync(join(directory, 'fdb', 'br-blue.txt'), 'utf8')).to.include('port  VLAN  MAC');
    expect(readFileSync(join(directory, 'kernel.txt'), 'utf8')).to.equal(
      readFileSync('/proc/sys/kernel/osrelease', 'utf8'),
    );
  });

  it('reports a missing program, and leaves nothing behind', async () => {
    const { parent, lines } = await capture(programsWith({ PATH: newFolder() }));
    expect(lines).to.include('node/ip-link.json: "ip -json -details link show" is not installed, or not in PATH');
    expect(lines).to.include('node: "ovs-vsctl -- --real list-br" is not installed, or not in PATH');
    expect(readdirSync(parent)).to.deep.equal([]);
  });

  it('kills a program that hangs, with its children, and leaves nothing behind', async () => {
    const folder = newFolder();
    const file = join(folder, 'pid');
    writeFileSync(join(folder, 'devlink'), `#!/bin/sh\nsleep 1000 & echo $! > '${file}'; wait\n`);
    chmodSync(join(folder, 'devlink'), 0o755);
    const programs = programsWith({ PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}` });
    const { parent, lines } = await capture(withShortDeadline(programs, 'devlink', 2000));
    expect(lines).to.deep.equal([
      'node/devlink-port.json: "devlink port show -j" did not finish within 2 s and was killed',
    ]);
    expect(readdirSync(parent)).to.deep.equal([]);
    await eventually('the child of devlink has ended', () => !runs(Number(readFileSync(file, 'utf8'))));
  });

  // Last: it takes the switch down.
  it('is refused while the switch is down, and leaves nothing behind', async () => {
    await openVSwitch.stopLast();
    const withoutDaemon = await capture();
    expect(withoutDaemon.lines.find((line) => line.startsWith('node/flows/br-blue.txt: '))).to.include(
      '"ovs-ofctl -O OpenFlow14 --no-stats --no-names dump-flows -- br-blue" exited with status 1 and printed: ovs-ofctl: ',
    );
    expect(readdirSync(withoutDaemon.parent)).to.deep.equal([]);
    await openVSwitch.stopLast();
    const withoutDatabase = await capture();
    expect(withoutDatabase.lines.find((line) => line.startsWith('node/ovsdb.json: '))).to.include(
      '"ovsdb-client --format=json dump Open_vSwitch" exited with status 1 and printed: ovsdb-client: failed to connect',
    );
    expect(readdirSync(withoutDatabase.parent)).to.deep.equal([]);
  });
});
