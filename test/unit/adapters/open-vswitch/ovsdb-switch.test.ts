import { clusterNetworkKey } from '../../../../src/domain/network/key.ts';
import { join } from 'node:path';
import { expect } from 'chai';
import { OvsdbSwitch } from '../../../../src/adapters/open-vswitch/ovsdb-switch.ts';
import { USUAL_TIMING } from '../../../../src/adapters/ovsdb/timing.ts';
import type { SwitchOperation } from '../../../../src/ports/node/switch-database.ts';
import { problemLines, valueOf } from '../readings.ts';
import { temporaryFolders } from '../temporary-folders.ts';
import { map, set, uuid } from '../ovsdb/dumps.ts';
import { FakeServer } from '../ovsdb/fake-server.ts';

const operation: SwitchOperation = {
  verb: 'add',
  networks: [clusterNetworkKey('blue')],
  entity: { kind: 'bridge-mapping', networkName: 'blue', bridge: 'br' },
};
const column = (key: string, min: 0 | 1, max: number | string, value?: string) => ({
  type: { key, min, max, ...(value && { value }) },
});
const many = column('uuid', 0, 'unlimited');
const ids = column('string', 0, 'unlimited', 'string');
const name = { type: 'string' };

/** The schema of an old Open vSwitch: interfaces have no MTU, ports no VLAN mode. */
const schema = {
  tables: {
    Open_vSwitch: { columns: { bridges: many, external_ids: ids, statistics: ids } },
    Bridge: { columns: { name, ports: many, external_ids: ids } },
    Port: { columns: { name, interfaces: many, tag: column('integer', 0, 1), external_ids: ids } },
    Interface: { columns: { name, type: name, ofport: column('integer', 0, 1), external_ids: ids, statistics: ids } },
  },
};

const content = {
  Open_vSwitch: { o: { initial: { bridges: uuid('b'), external_ids: map({ a: '1' }) } } },
  Bridge: { b: { initial: { name: 'br', ports: uuid('p') } } },
  Port: { p: { initial: { name: 'eth1', interfaces: uuid('i'), tag: 5 } } },
  Interface: { i: { initial: { name: 'eth1', ofport: 1 } } },
};

describe('the switch database over a socket', () => {
  const newFolder = temporaryFolders();
  const endings: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of endings.splice(0).reverse()) await end();
  });

  /** Connects to a server with rows and a reply to transactions. */
  async function opened(reply: () => object, rows: object = content, timing: Partial<typeof USUAL_TIMING> = {}) {
    const path = join(newFolder(), 'db.sock');
    const server = await FakeServer.start(path, (method) => {
      if (method === 'get_schema') return { result: schema };
      if (method === 'monitor_cond_since') return { result: [false, 'first', rows] };
      return method === 'transact' ? reply() : undefined;
    });
    endings.push(() => server.stop());
    const database = new OvsdbSwitch(path, { ...USUAL_TIMING, ...timing });
    endings.push(() => database.close());
    return { path, server, database };
  }

  it('reads a switch whose schema lacks columns', async () => {
    const { database } = await opened(() => ({}));
    expect(valueOf(await database.read())).to.deep.equal({
      switchExternalIds: { a: '1' },
      bridges: [
        {
          name: 'br',
          externalIds: {},
          ports: [
            {
              name: 'eth1',
              tag: 5,
              externalIds: {},
              interfaces: [{ name: 'eth1', type: '', openFlowPort: 1, externalIds: {} }],
            },
          ],
        },
      ],
    });
  });

  it('does not monitor statistics, which change continuously', async () => {
    const { database, server } = await opened(() => ({}));
    await database.read();
    expect(server.requests('monitor_cond_since')[0]?.[2]).to.deep.equal({
      Open_vSwitch: [{ columns: ['bridges', 'external_ids'] }],
      Bridge: [{ columns: ['name', 'ports', 'external_ids'] }],
      Port: [{ columns: ['name', 'interfaces', 'tag', 'external_ids'] }],
      Interface: [{ columns: ['name', 'type', 'ofport', 'external_ids'] }],
    });
  });

  it('reports the socket and the row of an invalid value', async () => {
    const { database, path } = await opened(() => ({}), { ...content, Port: {} });
    expect(problemLines(await database.read())).to.deep.equal([
      `${path}: Bridge/br: ports: refers to row p of table Port, which does not exist`,
    ]);
  });

  it('selects, waits for the known value, and changes it, in one transaction', async () => {
    const { database, server } = await opened(() => ({ result: [{ rows: [] }, {}, { count: 1 }] }));
    expect(await database.apply(operation)).to.deep.equal({ done: true });
    const [name, select, guard, change] = server.requests('transact')[0] as readonly { op: string; rows?: unknown }[];
    expect([name, select?.op, guard?.op, change?.op]).to.deep.equal(['Open_vSwitch', 'select', 'wait', 'mutate']);
    expect(guard?.rows).to.deep.equal([{ external_ids: map({ a: '1' }) }]);
  });

  it('recomputes its change after losing a race', async () => {
    const replies = [
      [
        { rows: [{ external_ids: map({ b: '2' }) }] },
        { error: 'timed out', details: '"where" clause test failed' },
        null,
      ],
      [{ rows: [] }, {}, { count: 1 }],
    ];
    const { database, server } = await opened(() => ({ result: replies.shift() }));
    expect(await database.apply(operation)).to.deep.equal({ done: true });
    const guards = server.requests('transact').map((params) => (params[2] as { rows: unknown }).rows);
    expect(guards).to.deep.equal([[{ external_ids: map({ a: '1' }) }], [{ external_ids: map({ b: '2' }) }]]);
  });

  it('gives up if it keeps losing races', async () => {
    const conflict = [{ rows: [{ external_ids: map() }] }, { error: 'timed out' }, null];
    const { database, path, server } = await opened(() => ({ result: conflict }), content, { deadline: 500 });
    expect(await database.apply(operation)).to.deep.equal({
      done: false,
      error: `${path}: other programs kept changing external_ids of Open_vSwitch for 0.5 s`,
    });
    expect(server.requests('transact').length).to.be.greaterThan(1);
  });

  const refusals: readonly (readonly [what: string, answer: object, error: string, isUnavailable?: true])[] = [
    [
      'refuses an operation',
      { result: [{ rows: [] }, {}, { error: 'constraint violation', details: 'too\nlong' }] },
      'refused the change: constraint violation: too / long',
    ],
    [
      'refuses to commit',
      { result: [{ rows: [] }, {}, { count: 1 }, { error: 'I/O error', details: 'write failed' }] },
      'refused the change: I/O error: write failed; the disk of the database may be full',
    ],
    [
      'refuses the whole request',
      { error: { error: 'unknown database', details: 'no', syntax: '"x"' } },
      'refused the change: unknown database: no: "x"',
    ],
    ['refuses with another error format', { error: { code: 5 } }, 'refused the change: {"code":5}'],
    ['refuses a select', { result: [{ error: 'timed out' }, null, null] }, 'refused the change: timed out'],
    ['returns no results', { result: [] }, 'sent an empty reply to a change', true],
    [
      'has lost its row',
      { result: [{ rows: [] }, { error: 'timed out' }, null] },
      'has an uninitialized database: start ovs-vswitchd, or run ovs-vsctl init',
    ],
  ];
  for (const [what, answer, error, isUnavailable] of refusals) {
    it(`reports in one line if the server ${what}`, async () => {
      const { database, path } = await opened(() => answer);
      expect(await database.apply(operation)).to.deep.equal({
        done: false,
        error: `${path}: ovsdb-server ${error}`,
        ...(isUnavailable && { isUnavailable }),
      });
    });
  }

  it('reports the row of an invalid value that another program wrote', async () => {
    const invalid = [{ rows: [{ external_ids: set('a', 'b') }] }, { error: 'timed out' }, null];
    const { database, path } = await opened(() => ({ result: invalid }));
    expect(await database.apply(operation)).to.deep.equal({
      done: false,
      error: `${path}: Open_vSwitch/.: external_ids: expected an object, found a list of 2 items`,
    });
  });

  it('does not change an uninitialized database', async () => {
    const { database, path, server } = await opened(() => ({}), {});
    expect(valueOf(await database.read())).to.deep.equal({ switchExternalIds: {}, bridges: [] });
    expect(await database.apply(operation)).to.deep.equal({
      done: false,
      error: `${path}: ovsdb-server has an uninitialized database: start ovs-vswitchd, or run ovs-vsctl init`,
    });
    expect(server.requests('transact')).to.deep.equal([]);
  });

  it('fails pending transactions when the connection is lost', async () => {
    const { database, path, server } = await opened(() => {
      server.drop();
      return {};
    });
    expect(await database.apply(operation)).to.deep.equal({
      done: false,
      error: `${path}: ovsdb-server closed the connection`,
      isUnavailable: true,
    });
  });
});
