import { expect } from 'chai';
import { SOUTHBOUND_SELECTION, readSouthbound } from '../../src/adapters/ovn/southbound-selection.ts';
import { OvnSouthbound } from '../../src/adapters/ovn/ovn-southbound.ts';
import { unixServer } from '../../src/adapters/ovsdb/server.ts';
import { remoteChassisEntity } from '../../src/domain/entities/ovn/remote-chassis.ts';
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

/** Adds a port of another node to a switch of the Northbound database, which ovn-northd adds to the Southbound database. */
function addPort(server: NorthboundServer, port: string, network: string | undefined): void {
  const db = `--db=unix:${server.socket}`;
  const signature = network === undefined ? [] : [`external_ids:ovn-uplinks-zone=${network}`];
  server.run(
    'ovn-nbctl',
    ...[db, '--timeout=10', '--wait=sb', '--may-exist', 'ls-add', 'transit', '--', 'lsp-add', 'transit', port],
    ...['--', 'set', 'Logical_Switch_Port', port, 'type=remote', ...signature],
  );
}

const confirmed = () => Promise.resolve({ done: true } as const);

describeSouthbound('a real database server with the schema of OVN, and ovn-northd', async () => {
  const server = await NorthboundServer.start();
  await server.startNorthd();
  const path = `${server.southboundSocket}.between`;
  const between = new SocketProxy(path, server.southboundSocket);
  await between.start();
  return {
    southbound: new OvnSouthbound(unixServer(path, 'OVN'), confirmed),
    insert: (chassis) => insert(server, chassis),
    addPort: (port, network) => addPort(server, port, network),
    fail: () => between.stop(),
    recover: () => between.start(),
    end: async () => {
      await between.stop();
      await server.stop();
    },
  };
});

describe('the Southbound database of a real server', () => {
  it('has no chassis at an address while ovn-controller removes the tunnel to the one that was there, and then the next one', async () => {
    const server = await NorthboundServer.start();
    await server.startNorthd();
    const seen: string[] = [];
    const chassisNames = () => server.southbound('--bare', '--columns=name', 'list', 'Chassis').split(/\s+/).join(' ');
    const southbound = new OvnSouthbound(unixServer(server.southboundSocket, 'OVN'), () => {
      seen.push(chassisNames().trim());
      return confirmed();
    });
    const changeOf = (verb: 'add' | 'remove', name: string, address: string) => {
      const chassis = { name, hostname: 'worker-b', addresses: [address], isRemote: true, node: 'worker-b' };
      return { verb, networks: [], entity: remoteChassisEntity(chassis) } as const;
    };
    const apply = async (...changes: readonly ReturnType<typeof changeOf>[]) => {
      const operation = { verb: 'change', networks: [], kind: 'remote-chassis', set: 'southbound', changes } as const;
      expect(await southbound.apply(operation)).to.deep.equal({ done: true });
    };
    try {
      await apply(changeOf('add', 'former', '172.30.0.2'), changeOf('add', 'other', '172.30.0.3'));
      await apply(changeOf('add', 'next', '172.30.0.2'), changeOf('remove', 'former', '172.30.0.2'));
      expect(seen).to.deep.equal(['other']);
      expect(chassisNames().trim().split(' ').sort()).to.deep.equal(['next', 'other']);
      await apply(changeOf('add', 'elsewhere', '172.30.0.4'), changeOf('remove', 'other', '172.30.0.3'));
      expect(seen).to.have.lengthOf(1);
    } finally {
      await southbound.close();
      await server.stop();
    }
  });

  it('is read as by the selection of a capture, and says which ports are not confirmed', async () => {
    const server = await NorthboundServer.start();
    await server.startNorthd();
    const confirmations: string[] = [];
    let isConfirming = true;
    const southbound = new OvnSouthbound(unixServer(server.southboundSocket, 'OVN'), () => {
      confirmations.push('asked');
      return isConfirming ? confirmed() : Promise.resolve({ done: false, error: 'not confirmed' });
    });
    try {
      const chassis: Chassis = {
        name: 'chassis-b',
        hostname: 'worker-b',
        addresses: ['172.30.0.2'],
        isRemote: true,
        node: 'worker-b',
      };
      insert(server, chassis);
      addPort(server, 'blue-b', 'cluster_udn_blue');
      const entity = {
        kind: 'remote-port',
        port: 'blue-b',
        chassis: 'chassis-b',
        network: 'cluster_udn_blue',
      } as const;
      for (const verb of ['add', 'add', 'remove', 'add'] as const) {
        expect(await southbound.apply({ verb, networks: [], entity })).to.deep.equal({ done: true });
      }
      expect(confirmations, 'ports that were bound are confirmed').to.have.lengthOf(2);
      const printed = server.run('ovsdb-client', 'transact', `unix:${server.southboundSocket}`, SOUTHBOUND_SELECTION);
      const { kind: _, ...port } = entity;
      const expected = { chassis: [chassis], remotePorts: [port] };
      expect(valueOf(readSouthbound(printed, 'ovn-sb.json'))).to.deep.equal(expected);
      expect(valueOf(await southbound.read())).to.deep.equal(expected);

      isConfirming = false;
      const bind = { verb: 'add', networks: [], entity } as const;
      expect(await southbound.apply({ ...bind, verb: 'remove' })).to.deep.equal({ done: true });
      for (let times = 0; times < 2; times += 1) {
        expect(await southbound.apply(bind)).to.deep.equal({ done: false, error: 'not confirmed' });
        const { remotePorts } = valueOf(await southbound.read());
        expect(remotePorts).to.deep.equal([{ ...port, isUnconfirmed: true }]);
      }
      isConfirming = true;
      expect(await southbound.apply(bind)).to.deep.equal({ done: true });
      expect(valueOf(await southbound.read())).to.deep.equal(expected);
    } finally {
      await southbound.close();
      await server.stop();
    }
  });
});
