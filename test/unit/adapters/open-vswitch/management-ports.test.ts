import { clusterNetworkKey } from '../../../../src/domain/network/key.ts';
import { expect } from 'chai';
import { changeManagementPort } from '../../../../src/adapters/open-vswitch/management-ports.ts';
import type { Reply } from '../../../../src/adapters/ovsdb/connection.ts';
import type { ReplicatedDatabase } from '../../../../src/adapters/ovsdb/replicated-database.ts';
import { rowOf, type Tables } from '../../../../src/adapters/ovsdb/row.ts';
import type { ManagementPortEntity } from '../../../../src/domain/entities/switch/management-port.ts';

const entity: ManagementPortEntity = {
  kind: 'management-port',
  device: 'ovn-k8s-mp1',
  bridge: 'br-int',
  type: 'internal',
  logicalPort: 'k8s-cluster_udn_blue_worker-a',
  macAddress: '0a:58:0a:14:01:02',
  mtu: 1400,
  network: 'cluster_udn_blue',
};

const operation = { verb: 'add', networks: [clusterNetworkKey('blue')], entity } as const;

const results = (...each: readonly unknown[]): Reply => ({ outcome: 'result', result: each });

/** A database whose replies come in this order, and what it is asked. */
function databaseWith(tables: Tables, ...replies: readonly Reply[]) {
  const asked: unknown[] = [];
  const left = [...replies];
  const database = {
    content: () => Promise.resolve({ read: true, value: tables }),
    transact: (operations: readonly unknown[]) => {
      asked.push(operations);
      return Promise.resolve(left.shift());
    },
  } as unknown as ReplicatedDatabase;
  return { asked, server: { database, socket: 'db.sock', deadline: 1000 } };
}

describe('a change of a management port', () => {
  const numbered = results(...Array.from({ length: 4 }, () => ({})), { rows: [{ next_cfg: 7 }] });

  it('is not done while ovs-vswitchd has not processed it', async () => {
    const late = results({ error: 'timed out', details: '"wait" timed out' }, null);
    const { server } = databaseWith(new Map(), numbered, late);
    expect(await changeManagementPort(operation, server)).to.deep.equal({
      done: false,
      error: 'db.sock: ovs-vswitchd has not processed the change of ovn-k8s-mp1 within 0.8 s',
      isUnavailable: true,
    });
  });

  for (const [what, reply] of [
    ['the wait', results({ error: 'permission error', details: 'it is read-only' }, null)],
    ['the whole request', { outcome: 'error', error: { error: 'permission error', details: 'it is read-only' } }],
  ] as const) {
    it(`is not done, with its reason, if ovsdb-server refuses ${what} for ovs-vswitchd`, async () => {
      const { server } = databaseWith(new Map(), numbered, reply);
      const result = await changeManagementPort(operation, server);
      expect(result)
        .to.have.property('error')
        .that.matches(/^db\.sock: ovsdb-server refused to wait for ovs-vswitchd after the change of ovn-k8s-mp1: /)
        .and.includes('it is read-only');
      expect(result).to.include({ done: false, isUnavailable: true });
    });
  }

  it('is not tried where the ports that are there cannot be read', async () => {
    const root = rowOf('Open_vSwitch', 'x', { external_ids: 7 }, 'db.sock');
    const { asked, server } = databaseWith(new Map([['Open_vSwitch', [root]]]));
    const result = await changeManagementPort(operation, server);
    expect(result).to.include({ done: false, isUnavailable: true });
    expect(result).to.have.property('error').that.includes('db.sock: Open_vSwitch/x');
    expect(asked).to.deep.equal([]);
  });
});
