import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readNorthbound } from '../../src/adapters/ovn/dump.ts';
import {
  OvnNorthbound,
  type NorthboundTiming,
  USUAL_NORTHBOUND_TIMING,
} from '../../src/adapters/ovn/ovn-northbound.ts';
import { type DatabaseServer, unixServer } from '../../src/adapters/ovsdb/server.ts';
import { gatewayRouterRows } from '../../src/domain/dataplane/gateway-router/gateway-router-rows.ts';
import { withoutMissing } from '../../src/domain/dataplane/gateway-router/older-schema.ts';
import { rowKey } from '../../src/domain/datapath/northbound/row.ts';
import type { ApplyResult } from '../../src/ports/apply-result.ts';
import { describeNorthbound } from '../contract/northbound.ts';
import {
  changeRows,
  deleteGatewayRouter,
  gatewayRouter,
  insertGatewayRouter,
  openRouterPort,
  ownHalf,
} from '../contract/northbound-examples.ts';
import { eventually } from '../unit/adapters/processes.ts';
import { problemLines, valueOf } from '../unit/adapters/readings.ts';
import { NORTHBOUND_SCHEMA, NorthboundServer, onFullDisk, type ServerOptions } from './northbound-server.ts';
import { SocketProxy } from './socket-proxy.ts';

/** Milliseconds until a change that is not confirmed counts as failed, in tests in which that has to happen. */
const SOON = 300;

describeNorthbound('a real database server with the schema of OVN', async () => {
  const server = await NorthboundServer.start();
  const path = `${server.socket}.between`;
  const between = new SocketProxy(path, server.socket);
  await between.start();
  const confirmer = server.confirm();
  const timing = {
    ...USUAL_NORTHBOUND_TIMING,
    get confirmation() {
      return confirmer.isConfirming ? USUAL_NORTHBOUND_TIMING.confirmation : SOON;
    },
  };
  return {
    northbound: new OvnNorthbound({ ...unixServer(path, 'OVN'), isLeaderRequired: true }, timing),
    insert: (...rows) => server.insert(...rows),
    setColumn: (row, column, value) => server.setColumn(row, column, value),
    delete: (row) => server.delete(row),
    changeBeforeNextWrite: (change) => between.before('"transact"', change),
    setConfirming: async (isConfirming) => {
      confirmer.isConfirming = isConfirming;
      await confirmer.confirm();
    },
    fail: () => between.stop(),
    recover: () => between.start(),
    end: async () => {
      await between.stop();
      await server.stop();
    },
  };
});

const blue = gatewayRouter('blue');
const desired = gatewayRouterRows(blue);
const done: ApplyResult = { done: true };

/** A dump without the counters, which every change changes. */
function withoutCounters(dump: string): string {
  const lines = dump.split('\n');
  return lines.filter((line) => !line.includes('"caption":"NB_Global table"')).join('\n');
}

describe('the Northbound database of a real server', () => {
  const endings: (() => void | Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of endings.splice(0).reverse()) await end();
  });

  async function serve(options: ServerOptions = {}): Promise<NorthboundServer> {
    const server = await NorthboundServer.start(options);
    endings.push(() => server.stop());
    return server;
  }

  function open(server: DatabaseServer, timing: Partial<NorthboundTiming> = {}): OvnNorthbound {
    const northbound = new OvnNorthbound(
      { ...server, isLeaderRequired: true },
      { ...USUAL_NORTHBOUND_TIMING, ...timing },
    );
    endings.push(() => northbound.close());
    return northbound;
  }

  /** One with the half of a network that is not ours. */
  async function prepared(timing: Partial<NorthboundTiming> = {}, options: ServerOptions = {}) {
    const server = await serve(options);
    server.insert(...ownHalf(blue));
    return { server, northbound: open(unixServer(server.socket, 'OVN'), timing) };
  }

  const errorOf = (result: ApplyResult): string => (result.done ? 'it was done' : result.error);

  it('keeps every byte of rows of other programs', async () => {
    const { server, northbound } = await prepared();
    server.confirm();
    const tenant = { op: 'insert', table: 'Logical_Switch_Port', 'uuid-name': 'pod' };
    server.transact(
      { ...tenant, row: { name: 'pod', addresses: '0a:58:0a:14:01:05 10.20.1.5', port_security: 'ü "x\\', tag: 7 } },
      {
        op: 'mutate',
        table: 'Logical_Switch',
        where: [['name', '==', 'cluster_udn_blue_worker-a']],
        mutations: [['ports', 'insert', ['named-uuid', 'pod']]],
      },
      { op: 'insert', table: 'Address_Set', row: { name: 'nodes', addresses: ['set', ['192.0.2.1', '192.0.2.2']] } },
    );
    const before = server.dump();
    expect(await northbound.apply(insertGatewayRouter(blue))).to.deep.equal(done);
    expect(server.dump()).not.to.equal(before);
    expect(await northbound.apply(openRouterPort('add', blue))).to.deep.equal(done);
    expect(await northbound.apply(openRouterPort('remove', blue))).to.deep.equal(done);
    expect(await northbound.apply(deleteGatewayRouter(blue))).to.deep.equal(done);
    expect(withoutCounters(server.dump())).to.equal(withoutCounters(before));
    expect(withoutCounters(before)).to.contain('ü').and.to.contain('10.20.1.5');
  });

  it('is read as its dump, from the beginning and after changes', async () => {
    const { server, northbound } = await prepared();
    const dumped = () => valueOf(readNorthbound(server.dump(), 'ovn-nb.json'));
    expect(valueOf(await northbound.read()).northbound).to.have.deep.members(dumped().northbound);
    await northbound.apply(insertGatewayRouter(blue));
    const after = valueOf(await northbound.read());
    expect(after).to.have.property('isNorthboundRead', true);
    expect(after.northbound).to.have.deep.members(dumped().northbound);
    expect(after.northbound).to.have.length(ownHalf(blue).length + desired.length);
  });

  it('waits until ovn-controller has applied a change, and reports who has not', async () => {
    const { server, northbound } = await prepared({ confirmation: SOON });
    await northbound.apply(insertGatewayRouter(blue));
    expect(errorOf(await northbound.apply(openRouterPort('add', blue)))).to.equal(
      `${server.socket}: ovn-northd did not confirm the change within 0.3 s: sb_cfg of NB_Global is 0, expected 1; check that ovn-northd runs`,
    );
    server.transact({ op: 'update', table: 'NB_Global', where: [], row: { sb_cfg: 1 } });
    expect(errorOf(await northbound.apply(openRouterPort('add', blue)))).to.equal(
      `${server.socket}: ovn-controller did not confirm the change within 0.3 s: hv_cfg of NB_Global is 0, expected 1; check that ovn-controller runs`,
    );
    // Other numbers were asked for since: the first one may be lost. If it comes late it counts.
    server.transact({ op: 'update', table: 'NB_Global', where: [], row: { hv_cfg: 1 } });
    expect(await northbound.apply(openRouterPort('add', blue))).to.deep.equal(done);
  });

  it('resolves as soon as the change is confirmed, not before, and also if the server restarts meanwhile', async () => {
    const { server, northbound } = await prepared();
    await northbound.apply(insertGatewayRouter(blue));
    let isDone = false;
    const opening = northbound.apply(openRouterPort('add', blue)).then((result) => {
      isDone = true;
      return result;
    });
    const counters = { op: 'select', table: 'NB_Global', where: [], columns: ['nb_cfg'] };
    await eventually('it is asked for', () => JSON.stringify(server.transact(counters)).includes('"nb_cfg":1'));
    await server.killDatabase();
    await eventually('it is noticed', async () => !(await northbound.read()).read);
    expect(isDone).to.equal(false);
    await server.startDatabase();
    await eventually('it is read', async () => (await northbound.read()).read);
    expect(isDone).to.equal(false);
    server.transact({ op: 'update', table: 'NB_Global', where: [], row: { sb_cfg: 1, hv_cfg: 1 } });
    expect(await opening).to.deep.equal(done);
  });

  it('ends a wait for confirmation when it is closed', async () => {
    const { northbound } = await prepared();
    await northbound.apply(insertGatewayRouter(blue));
    const opening = northbound.apply(openRouterPort('add', blue));
    await eventually('it is open', async () =>
      valueOf(await northbound.read()).northbound.some(({ columns }) => columns['enabled'] === true),
    );
    await northbound.close();
    expect(errorOf(await opening)).to.contain('is not read any more: the agent is shutting down');
  });

  it('loses nothing while the server is restarted repeatedly', async () => {
    const { server, northbound } = await prepared();
    server.confirm();
    for (let round = 0; round < 3; round += 1) {
      const [route] = gatewayRouterRows(gatewayRouter('blue', {}, [`192.0.2.${10 + round}`])).filter(
        ({ columns: { nexthop } }) => typeof nexthop === 'string' && nexthop.startsWith('192.0.2.1'),
      );
      if (round === 0) expect(await northbound.apply(insertGatewayRouter(blue))).to.deep.equal(done);
      await server.killDatabase();
      await eventually('there is a problem', async () => !(await northbound.read()).read);
      const change = changeRows('add', route === undefined ? [] : [route]);
      expect(errorOf(await northbound.apply(change))).to.match(
        /^\S+: (is stale|leads to an ovsdb-server that closed the connection).*$/,
      );
      await server.startDatabase();
      await eventually('it is read again', async () => (await northbound.read()).read);
      expect(await northbound.apply(change)).to.deep.equal(done);
    }
    expect(valueOf(await northbound.read()).northbound).to.have.length(ownHalf(blue).length + desired.length + 3);
  });

  it('reports that a server is read-only', async () => {
    const { server, northbound } = await prepared();
    await northbound.read();
    server.control('ovsdb-server/set-active-ovsdb-server', 'unix:/nonexistent');
    server.control('ovsdb-server/connect-active-ovsdb-server');
    const before = server.dump();
    expect(errorOf(await northbound.apply(insertGatewayRouter(blue)))).to.equal(
      `${server.socket}: ovsdb-server refused Logical_Router GR_cluster_udn_blue_worker-a: not allowed: insert operation not allowed when database server is in read only mode`,
    );
    expect(server.dump()).to.equal(before);
    server.control('ovsdb-server/disconnect-active-ovsdb-server');
    await eventually('it can be changed again', async () => (await northbound.apply(insertGatewayRouter(blue))).done);
  });

  it('reports that a server has no space left', async () => {
    const { server, northbound } = await prepared({}, onFullDisk);
    server.confirm();
    let before = '';
    let result: ApplyResult = done;
    for (let round = 0; round < 100 && result.done; round += 1) {
      before = withoutCounters(server.dump());
      result = await northbound.apply(round % 2 === 0 ? insertGatewayRouter(blue) : deleteGatewayRouter(blue));
    }
    expect(result).to.have.property('isRefused', true);
    expect(errorOf(result)).to.match(
      /^\S+: ovsdb-server refused the change: I\/O error: \S+: write failed; the disk of the database may be full$/,
    );
    expect(withoutCounters(server.dump())).to.equal(before);
  });

  it('works without the columns that an older schema lacks, and reports them', async () => {
    const schema = JSON.parse(readFileSync(NORTHBOUND_SCHEMA, 'utf8')) as {
      tables: Record<string, { columns: Record<string, unknown> }>;
    };
    delete schema.tables['Static_MAC_Binding'];
    delete schema.tables['Logical_Router_Policy']?.columns['nexthops'];
    const folder = await serve();
    const file = join(folder.directory, 'older.ovsschema');
    writeFileSync(file, JSON.stringify(schema));
    const { server, northbound } = await prepared({}, { schema: file });
    server.confirm();
    const { missingNorthboundColumns: missing = [] } = valueOf(await northbound.read());
    expect(missing).to.deep.equal(['Logical_Router_Policy.nexthops', 'Static_MAC_Binding']);
    expect(valueOf(readNorthbound(server.dump(), 'ovn-nb.json')).missingNorthboundColumns).to.deep.equal(missing);
    expect(errorOf(await northbound.apply(insertGatewayRouter(blue)))).to.match(
      /ovsdb-server refused Static_MAC_Binding rtoe-\S+ 169.254.0.2: syntax error: .* No table named Static_MAC_Binding\.$/,
    );
    const policies = desired.filter(({ table }) => table === 'Logical_Router_Policy');
    expect(errorOf(await northbound.apply(changeRows('add', policies)))).to.match(
      /refused Logical_Router_Policy \S+ 1004 .*: unknown column: No column nexthops in table Logical_Router_Policy\.$/,
    );
    const possible = withoutMissing(desired, missing);
    expect(await northbound.apply(changeRows('add', possible))).to.deep.equal(done);
    expect(valueOf(await northbound.read()).northbound.map(rowKey)).to.include.members(possible.map(rowKey));
    expect(await northbound.apply(changeRows('add', possible))).to.deep.equal(done);
  });

  it('has ovn-northd translate advertised pods only towards the nodes of the cluster', async () => {
    const { server, northbound } = await prepared();
    await server.startNorthd();
    const advertised = { ...blue, isAdvertised: true };
    const confirmer = server.confirm();
    expect(await northbound.apply(insertGatewayRouter(advertised))).to.deep.equal(done);
    expect(await northbound.apply(openRouterPort('add', advertised))).to.deep.equal(done);
    confirmer.close();
    await eventually('ovn-northd has translated the rows', () =>
      server.southbound('lflow-list').includes('ct_snat(fd69::b)'),
    );
    const flows = server.southbound('lflow-list').split('\n');
    const towards = (subnet: string) =>
      flows.flatMap((flow) =>
        flow.includes('lr_out_snat') && flow.includes(subnet) ? (/(\S+\.dst == \S+)/.exec(flow)?.[0] ?? 'all') : [],
      );
    expect(towards('10.20.0.0/16')).to.deep.equal(['ip4.dst == $cluster_udn_blue_worker.a_node_ips_v4']);
    expect(towards('2001:db8:20::/60')).to.deep.equal(['ip6.dst == $cluster_udn_blue_worker.a_node_ips_v6']);
  });

  it('reports what is missing if the database is not initialized', async () => {
    const { server, northbound } = await prepared();
    server.transact({ op: 'delete', table: 'NB_Global', where: [] });
    await northbound.read();
    expect(errorOf(await northbound.apply(insertGatewayRouter(blue)))).to.contain(
      'has an empty NB_Global: start ovn-northd, or run ovn-nbctl init',
    );
  });

  it('reports in one line that the server hangs, and recovers', async () => {
    const { server, northbound } = await prepared({ deadline: 300, silence: 300, lastRetry: 300 });
    await northbound.read();
    server.signalDatabase('SIGSTOP');
    try {
      expect(errorOf(await northbound.apply(insertGatewayRouter(blue)))).to.equal(
        `${server.socket}: ovsdb-server did not answer within 0.3 s`,
      );
      await eventually('there is a problem', async () => !(await northbound.read()).read);
      expect(problemLines(await northbound.read())[0]).to.match(/leads to an ovsdb-server that/);
    } finally {
      server.signalDatabase('SIGCONT');
    }
    await eventually('it can be changed', async () => (await northbound.apply(insertGatewayRouter(blue))).done);
  });
});
