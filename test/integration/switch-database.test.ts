import { clusterNetworkKey } from '../../src/domain/network/key.ts';
import { expect } from 'chai';
import { Connection } from '../../src/adapters/ovsdb/connection.ts';
import { OvsdbSwitch } from '../../src/adapters/open-vswitch/ovsdb-switch.ts';
import { ReplicatedDatabase } from '../../src/adapters/ovsdb/replicated-database.ts';
import { readSwitch } from '../../src/adapters/open-vswitch/switch.ts';
import { unixAddress, unixServer } from '../../src/adapters/ovsdb/server.ts';
import { USUAL_TIMING } from '../../src/adapters/ovsdb/timing.ts';
import { externalIdsTransaction } from '../../src/domain/entities/switch/bridge-mapping-command.ts';
import type { SwitchOperation } from '../../src/ports/node/switch-database.ts';
import { caseCount } from '../case-count.ts';
import { describeSwitchDatabase, type ExternalIdsChange } from '../contract/switch-database.ts';
import { eventually } from '../unit/adapters/processes.ts';
import { problemLines, valueOf } from '../unit/adapters/readings.ts';
import { SocketProxy } from './socket-proxy.ts';
import { OpenVSwitch } from './open-vswitch.ts';

const MAPPINGS = 'ovn-bridge-mappings';
const OWN = 'ovn-uplinks-bridge-mappings';

function mapping(verb: 'add' | 'remove', networkName: string): SwitchOperation {
  const entity = { kind: 'bridge-mapping', networkName, bridge: `br-${networkName}` } as const;
  return { verb, networks: [clusterNetworkKey(networkName)], entity };
}

/** Sets external_ids as other programs do. */
function setExternalIds(openVSwitch: OpenVSwitch, change: ExternalIdsChange): void {
  const words = Object.entries(change).flatMap(([key, value]) =>
    value === undefined
      ? ['--', 'remove', 'Open_vSwitch', '.', 'external_ids', key]
      : ['--', 'set', 'Open_vSwitch', '.', `external_ids:${key}=${JSON.stringify(value)}`],
  );
  if (words.length > 0) openVSwitch.configure('--no-wait', ...words);
}

describeSwitchDatabase('a real Open vSwitch', async () => {
  const openVSwitch = await OpenVSwitch.start();
  const path = `${openVSwitch.socket}.between`;
  const between = new SocketProxy(path, openVSwitch.socket);
  await between.start();
  return {
    database: new OvsdbSwitch(path),
    setExternalIds: (change) => setExternalIds(openVSwitch, change),
    addPort: (bridge, port) => openVSwitch.configure('--may-exist', 'add-br', bridge, '--', 'add-port', bridge, port),
    changeBeforeNextWrite: (change) => between.before('"transact"', () => setExternalIds(openVSwitch, change)),
    fail: () => between.stop(),
    recover: () => between.start(),
    end: async () => {
      await between.stop();
      await openVSwitch.stop();
    },
  };
});

describe('the database of a real Open vSwitch', () => {
  let openVSwitch: OpenVSwitch;
  beforeEach(async () => {
    openVSwitch = await OpenVSwitch.start();
  });
  const databases: OvsdbSwitch[] = [];
  afterEach(async () => {
    for (const database of databases.splice(0)) await database.close();
    await openVSwitch.stop();
  });

  function open(timing: Partial<typeof USUAL_TIMING> = {}): OvsdbSwitch {
    const database = new OvsdbSwitch(openVSwitch.socket, { ...USUAL_TIMING, ...timing });
    databases.push(database);
    return database;
  }

  const reads = async (database: OvsdbSwitch, key: string) => valueOf(await database.read()).switchExternalIds[key];

  it('is read as its dump, from the beginning and after changes', async () => {
    const early = open();
    expect(valueOf(await early.read()).bridges).to.deep.equal([]);
    setExternalIds(openVSwitch, { hostname: 'a', [MAPPINGS]: 'physnet:br-ex' });
    openVSwitch.configure('add-br', 'br-ex', '--', 'br-set-external-id', 'br-ex', 'bridge-uplink', 'eth0');
    openVSwitch.configure('add-port', 'br-ex', 'eth0', 'tag=7', 'vlan_mode=access');
    openVSwitch.configure('add-bond', 'br-ex', 'bond', 'eth1', 'eth2', '--', 'add-port', 'br-ex', 'eth3');
    openVSwitch.configure('clear', 'Port', 'eth0', 'tag', '--', 'del-port', 'eth3');
    openVSwitch.configure('set', 'Open_vSwitch', '.', 'ovs_version=2.17.0');
    const late = open();
    const dumped = () => JSON.stringify(valueOf(readSwitch(openVSwitch.dump(), 'dump')));
    for (const database of [early, late]) {
      await eventually('both are the same', async () => JSON.stringify(valueOf(await database.read())) === dumped());
    }
    expect(valueOf(await late.read()).openVSwitchVersion).to.equal('2.17.0');
    expect(valueOf(await late.read()).bridges[0]?.ports.map(({ name }) => name)).to.deep.equal([
      'bond',
      'br-ex',
      'eth0',
    ]);
  });

  it('is followed beside another database of the same server, independently', async () => {
    openVSwitch.addDatabase('Local_Config', '/usr/share/openvswitch/local-config.ovsschema');
    const database = open();
    const other = new ReplicatedDatabase(
      'Local_Config',
      { Connection: ['target'] },
      unixServer(openVSwitch.socket, 'Open vSwitch'),
      USUAL_TIMING,
    );
    try {
      const targets = async () =>
        (valueOf(await other.content()).get('Connection') ?? []).map(({ columns }) => columns['target']);
      expect([await targets(), await reads(database, 'hostname')]).to.deep.equal([[], undefined]);
      const calls = { database: 0, other: 0 };
      database.onChange(() => (calls.database += 1));
      other.onChange(() => (calls.other += 1));
      const connection = { op: 'insert', table: 'Connection', row: { target: 'ptcp:' }, 'uuid-name': 'made' };
      const config = { op: 'insert', table: 'Config', row: { connections: ['named-uuid', 'made'] } };
      expect(await other.transact([connection, config])).to.have.property('outcome', 'result');
      expect([await targets(), calls]).to.deep.equal([['ptcp:'], { database: 0, other: 1 }]);
      expect(await database.apply(mapping('add', 'blue'))).to.deep.equal({ done: true });
      expect([await reads(database, OWN), calls]).to.deep.equal(['blue:br-blue', { database: 1, other: 1 }]);
    } finally {
      other.close();
    }
  });

  it('is a problem while ovsdb-server does not run, and is read again once it does', async () => {
    const database = open();
    setExternalIds(openVSwitch, { hostname: 'a' });
    await eventually('it is read', async () => (await reads(database, 'hostname')) === 'a');
    for (let round = 0; round < 3; round += 1) {
      await openVSwitch.killDatabase();
      await eventually('there is a problem', async () => !(await database.read()).read);
      const outcome = await database.apply(mapping('add', `net${round}`));
      expect('error' in outcome && outcome.error).to.match(
        /^\S+: (is stale|leads to an ovsdb-server that closed the connection).*$/,
      );
      await openVSwitch.startDatabase();
      await eventually('it is read again', async () => (await database.read()).read);
      expect(await reads(database, 'hostname')).to.equal('a');
      expect(await database.apply(mapping('add', `net${round}`))).to.deep.equal({ done: true });
    }
    expect(await reads(database, OWN)).to.equal('net0:br-net0,net1:br-net1,net2:br-net2');
  });

  it('reports in one line that ovsdb-server hangs, and recovers', async () => {
    const database = open({ deadline: 300, silence: 300, lastRetry: 300 });
    setExternalIds(openVSwitch, { [MAPPINGS]: 'physnet:br-ex' });
    await eventually('it is read', async () => (await reads(database, MAPPINGS)) !== undefined);
    openVSwitch.signalDatabase('SIGSTOP');
    try {
      expect(await database.apply(mapping('add', 'blue'))).to.deep.equal({
        done: false,
        error: `${openVSwitch.socket}: ovsdb-server did not answer within 0.3 s`,
        isUnavailable: true,
      });
      await eventually('there is a problem', async () => !(await database.read()).read);
      expect(problemLines(await database.read())[0]).to.match(
        /leads to an ovsdb-server that (did not answer|sent nothing)/,
      );
    } finally {
      openVSwitch.signalDatabase('SIGCONT');
    }
    await eventually('it is read again', async () => (await database.read()).read);
    expect(await database.apply(mapping('add', 'blue'))).to.deep.equal({ done: true });
    expect(await reads(database, MAPPINGS)).to.equal('physnet:br-ex,blue:br-blue');
  });

  it('keeps an idle connection, with echo requests', async () => {
    const path = `${openVSwitch.socket}.between`;
    const between = new SocketProxy(path, openVSwitch.socket);
    await between.start();
    const database = new OvsdbSwitch(path, { ...USUAL_TIMING, silence: 50 });
    databases.push(database);
    let calls = 0;
    database.onChange(() => (calls += 1));
    await eventually('it is read', async () => (await database.read()).read);
    const before = calls;
    await eventually('it asked four times', () => between.count('"echo"') >= 4);
    expect([calls, (await database.read()).read, between.count('get_schema')]).to.deep.equal([before, true, 1]);
    await between.stop();
  });

  it('reports what is missing if the database is not initialized', async () => {
    const database = open();
    await database.read();
    openVSwitch.transact({ op: 'delete', table: 'Open_vSwitch', where: [] });
    const outcome = await database.apply(mapping('add', 'blue'));
    expect('error' in outcome && outcome.error).to.contain('has an uninitialized database');
  });

  it('loses no entry of either of two writers', async () => {
    const rounds = caseCount(200);
    const database = open();
    const writer = await OtherWriter.connect(openVSwitch.socket);
    const theirs = async () => {
      for (let round = 0; round < rounds; round += 1) await writer.append(`theirs${round}:br`);
    };
    const ours = async () => {
      for (let round = 0; round < rounds; round += 1) {
        expect(await database.apply(mapping('add', `ours${round}`))).to.deep.equal({ done: true });
        if (round % 2 === 1) {
          expect(await database.apply(mapping('remove', `ours${round}`))).to.deep.equal({
            done: true,
          });
        }
      }
    };
    await Promise.all([theirs(), ours()]);
    writer.close();
    // Theirs comes to us when it comes: only of our own changes is it known that they are there already.
    await eventually('their last entry is read', async () =>
      Boolean((await reads(database, MAPPINGS))?.split(',').includes(`theirs${rounds - 1}:br`)),
    );
    const numbers = Array.from({ length: rounds }, (_, round) => round);
    const left = numbers.filter((round) => round % 2 === 0).map((round) => `ours${round}:br-ours${round}`);
    const entries = (await reads(database, MAPPINGS))?.split(',') ?? [];
    expect(entries.filter((entry) => entry.startsWith('ours'))).to.deep.equal(left);
    expect(entries.filter((entry) => entry.startsWith('theirs'))).to.deep.equal(
      numbers.map((round) => `theirs${round}:br`),
    );
    expect((await reads(database, OWN))?.split(',')).to.deep.equal(left);
    expect(writer.lostRaces, 'there was no race at all').to.be.greaterThan(0);
  });
});

/** Another program that writes to the bridge mappings and takes care as we do. */
class OtherWriter {
  lostRaces = 0;
  readonly #connection: Connection;

  private constructor(connection: Connection) {
    this.#connection = connection;
  }

  static async connect(socket: string): Promise<OtherWriter> {
    return new OtherWriter(await Connection.open(unixAddress(socket), USUAL_TIMING));
  }

  /** Appends an entry. */
  async append(entry: string): Promise<void> {
    for (;;) {
      const [{ rows }] = await this.#transact({
        op: 'select',
        table: 'Open_vSwitch',
        where: [],
        columns: ['external_ids'],
      });
      const before = Object.fromEntries(rows?.[0]?.external_ids[1] ?? []);
      const text = before[MAPPINGS] === undefined ? entry : `${before[MAPPINGS]},${entry}`;
      const [guard] = await this.#transact(...externalIdsTransaction(before, { [MAPPINGS]: text }));
      if (guard.error === undefined) return;
      this.lostRaces += 1;
    }
  }

  close(): void {
    this.#connection.close('is not needed any more');
  }

  async #transact(...operations: readonly unknown[]): Promise<readonly [OperationResult]> {
    const reply = await this.#connection.request('transact', ['Open_vSwitch', ...operations]);
    if (reply.outcome !== 'result') throw new Error(JSON.stringify(reply));
    return reply.result as readonly [OperationResult];
  }
}

interface OperationResult {
  readonly error?: string;
  readonly rows?: readonly { readonly external_ids: readonly [string, readonly (readonly [string, string])[]] }[];
}
