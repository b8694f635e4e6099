import { expect } from 'chai';
import { CHASSIS_SELECTION, readChassis } from '../../src/adapters/ovn/chassis-selection.ts';
import { OvnSouthbound } from '../../src/adapters/ovn/ovn-southbound.ts';
import { unixServer } from '../../src/adapters/ovsdb/server.ts';
import type { Chassis } from '../../src/domain/snapshot/chassis.ts';
import { describeSouthbound } from '../contract/southbound.ts';
import { valueOf } from '../unit/adapters/readings.ts';
import { NorthboundServer } from './northbound-server.ts';
import { SocketProxy } from './socket-proxy.ts';

/** Adds a chassis as ovn-sbctl does. */
function insert(server: NorthboundServer, { name, hostname, addresses, isRemote, node }: Chassis): void {
  const columns = [
    `hostname=${hostname}`,
    `other_config:is-remote=${String(isRemote)}`,
    ...(node === undefined ? [] : [`external_ids:ovn-uplinks-node=${node}`]),
  ];
  server.southbound('chassis-add', name, 'geneve', addresses[0] ?? '', '--', 'set', 'chassis', name, ...columns);
}

describeSouthbound('a real database server with the schema of OVN, and ovn-northd', async () => {
  const server = await NorthboundServer.start();
  await server.startNorthd();
  const path = `${server.southboundSocket}.between`;
  const between = new SocketProxy(path, server.southboundSocket);
  await between.start();
  return {
    southbound: new OvnSouthbound(unixServer(path, 'OVN')),
    insert: (chassis) => insert(server, chassis),
    fail: () => between.stop(),
    recover: () => between.start(),
    end: async () => {
      await between.stop();
      await server.stop();
    },
  };
});

describe('the Southbound database of a real server', () => {
  it('is read as by the selection of a capture', async () => {
    const server = await NorthboundServer.start();
    await server.startNorthd();
    const southbound = new OvnSouthbound(unixServer(server.southboundSocket, 'OVN'));
    try {
      const chassis: Chassis = {
        name: 'chassis-b',
        hostname: 'worker-b',
        addresses: ['172.30.0.2'],
        isRemote: true,
        node: 'worker-b',
      };
      insert(server, chassis);
      const printed = server.run('ovsdb-client', 'transact', `unix:${server.southboundSocket}`, CHASSIS_SELECTION);
      expect(valueOf(readChassis(printed, 'ovn-sb.json'))).to.deep.equal([chassis]);
      expect(valueOf(await southbound.read()).chassis).to.deep.equal([chassis]);
    } finally {
      await southbound.close();
      await server.stop();
    }
  });
});
