/** Load balancers of Services in a real Northbound database. */
import { expect } from 'chai';
import { OvnLoadBalancers } from '../../src/adapters/ovn/ovn-load-balancers.ts';
import { USUAL_NORTHBOUND_TIMING } from '../../src/adapters/ovn/ovn-northbound.ts';
import { unixServer } from '../../src/adapters/ovsdb/server.ts';
import { GATEWAY_ROW_OWNER_KEY, LOGICAL_NETWORK_ROW_OWNER_KEY } from '../../src/domain/datapath/northbound/row.ts';
import type { FoundLoadBalancer } from '../../src/domain/services/load-balancer-changes.ts';
import { describeLoadBalancers, gatewayRouter, loadBalancer, nodeSwitches } from '../contract/load-balancers.ts';
import { valueOf } from '../unit/adapters/readings.ts';
import { NorthboundServer } from './northbound-server.ts';

const timing = { ...USUAL_NORTHBOUND_TIMING, deadline: 5000, confirmation: 500 };

async function start() {
  const server = await NorthboundServer.start();
  for (const { name, networkName } of nodeSwitches)
    server.transact({
      op: 'insert',
      table: 'Logical_Switch',
      row: { name, external_ids: ['map', [[LOGICAL_NETWORK_ROW_OWNER_KEY, networkName]]] },
    });
  const { name, networkName } = gatewayRouter;
  server.transact({
    op: 'insert',
    table: 'Logical_Router',
    row: { name, external_ids: ['map', [[GATEWAY_ROW_OWNER_KEY, networkName]]] },
  });
  const loadBalancers = new OvnLoadBalancers(unixServer(server.socket, 'OVN'), timing);
  return {
    server,
    loadBalancers,
    fail: () => server.killDatabase(),
    end: async () => {
      loadBalancers.close();
      await server.stop();
    },
  };
}

describeLoadBalancers('a real Northbound database', async () => {
  const started = await start();
  started.server.confirm();
  return started;
});

describe('load balancers in a real Northbound database', () => {
  let started: Awaited<ReturnType<typeof start>>;
  beforeEach(async () => {
    started = await start();
  });
  afterEach(() => started.end());
  const [{ name: parentName }] = nodeSwitches;
  const ofOvn = (...words: readonly string[]) =>
    started.server.run('ovn-nbctl', `--db=unix:${started.server.socket}`, ...words);

  it('are read beside those of other programs, which are never changed', async () => {
    const { loadBalancers } = started;
    ofOvn('lb-add', loadBalancer('web').name, '10.96.0.10:80', '10.20.9.9:80');
    ofOvn('ls-lb-add', parentName, loadBalancer('web').name);
    expect(valueOf(await loadBalancers.read()).loadBalancers).to.deep.equal([]);
    const uuid = ofOvn('--bare', '--columns=_uuid', 'list', 'Load_Balancer').trim();
    await loadBalancers.apply([
      { verb: 'replace', desired: loadBalancer('web'), uuid, otherParents: [], ended: [] },
      { verb: 'forget', uuid, ended: [] },
      { verb: 'remove', uuid },
    ]);
    expect(ofOvn('--bare', '--columns=vips', 'list', 'Load_Balancer').trim()).to.equal('10.96.0.10:80=10.20.9.9:80');
  });

  it('are neither added to a switch of another program that has the name of one of ours, nor taken from it', async () => {
    const { loadBalancers } = started;
    const [{ name }, { name: other }] = nodeSwitches;
    for (const each of [name, other]) ofOvn('--add-duplicate', 'ls-add', each);
    const foreign = (each: string) =>
      ofOvn('--bare', '--columns=_uuid', 'find', 'Logical_Switch', `name=${each}`, 'external_ids={}').trim();
    const balancersOf = (each: string) => ofOvn('get', 'Logical_Switch', foreign(each), 'load_balancer').trim();
    const own = async () => valueOf(await loadBalancers.read()).loadBalancers;
    await loadBalancers.apply([{ verb: 'add', desired: loadBalancer('web'), parentName: other }]);
    const [{ uuid }] = (await own()) as [FoundLoadBalancer];
    ofOvn('add', 'Logical_Switch', foreign(other), 'load_balancer', uuid);
    const change = {
      desired: loadBalancer('web'),
      uuid,
      parentName: name,
      otherParents: [{ place: 'switch', name: other }],
      ended: [],
    } as const;
    await loadBalancers.apply([{ verb: 'replace', ...change }]);
    expect((await own()).map(({ parents }) => parents.map((parent) => parent.name))).to.deep.equal([[name]]);
    await loadBalancers.apply([{ verb: 'add', desired: loadBalancer('dns'), parentName: name }]);
    expect([name, other].map(balancersOf)).to.deep.equal(['[]', `[${uuid}]`]);
  });

  it('are not confirmed where nobody translates them, and it says who', async () => {
    const { loadBalancers } = started;
    const { number = 0 } = await loadBalancers.apply([{ verb: 'add', desired: loadBalancer('web'), parentName }]);
    const result = await loadBalancers.confirmed(number);
    expect(result.done ? '' : result.error).to.match(/ovn-northd did not confirm .* check that ovn-northd runs/);
  });

  it('are gone from switches that are deleted, and are read without them', async () => {
    const { loadBalancers } = started;
    await loadBalancers.apply([{ verb: 'add', desired: loadBalancer('web'), parentName }]);
    const { promise, resolve } = Promise.withResolvers<undefined>();
    loadBalancers.onChange(() => resolve(undefined));
    ofOvn('ls-del', parentName);
    await promise;
    expect(valueOf(await loadBalancers.read()).loadBalancers.map(({ parents }) => parents)).to.deep.equal([[]]);
  });
});
