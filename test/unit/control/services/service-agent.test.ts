import { mock } from 'node:test';
import { expect } from 'chai';
import { ServiceAgent } from '../../../../src/control/services/service-agent.ts';
import type { EndpointSlice } from '../../../../src/domain/api/endpoint-slice.ts';
import type { ServedNetwork } from '../../../../src/domain/snapshot/served-network.ts';
import type { ServedObjects, ServiceSurroundings } from '../../../../src/domain/services/services-on-node.ts';
import type { ApplyResult } from '../../../../src/ports/apply-result.ts';
import type { Reading } from '../../../../src/ports/input-problem.ts';
import type { ServiceReport } from '../../../../src/ports/services/service-report.ts';
import { FakeServiceFlows } from '../../../fakes/service-flows.ts';
import { FakeLoadBalancers } from '../../../fakes/load-balancers.ts';
import { loadBalancer } from '../../../contract/load-balancers.ts';
import {
  api,
  mirror,
  mirrored,
  serviceOf,
  source,
  sourceOf,
  surroundings,
  udpService,
  udpSourceOf,
  usual,
  web,
} from '../../domain/services/served-scene.ts';

const nodeSwitch = { name: 'cluster_udn_blue_worker-a', networkName: 'cluster_udn_blue' };

describe('an agent that serves Services', () => {
  let objects: Reading<ServedObjects>;
  let around: ServiceSurroundings | undefined;
  let database: FakeLoadBalancers;
  let reports: ServiceReport[];
  let served: readonly ServedNetwork[] | undefined;
  /** Ended connections, as `SERVICE > ENDPOINT` by address; none can be ended while the switch is away. */
  let ended: string[];
  let isSwitchAway: boolean;
  let agent: ServiceAgent;
  beforeEach(() => {
    [objects, around, reports] = [{ read: true, value: usual }, surroundings(), []];
    [ended, isSwitchAway, served] = [[], false, undefined];
    database = new FakeLoadBalancers([nodeSwitch]);
    agent = new ServiceAgent({
      healthChecks: { set: () => undefined },
      objects: { read: () => objects, warnings: [], onChange: () => () => undefined },
      loadBalancers: database,
      flows: new FakeServiceFlows(),
      again: () => undefined,
      connections: {
        end: (connections) => {
          if (isSwitchAway) return Promise.resolve({ done: false, error: 'ovs-vswitchd is not running' });
          ended.push(...connections.map(({ service, endpoint }) => `${service.address} > ${endpoint?.address ?? ''}`));
          return Promise.resolve({ done: true });
        },
      },
      cluster: {
        get surroundings() {
          return around;
        },
      },
      report: (report) => reports.push(report),
      served: (networks) => (served = networks),
    });
  });

  afterEach(() => agent.stop());

  /** The load balancers in the database, as `owner: endpoints`. */
  const found = () => database.found.map(({ owner, vips }) => `${owner}: ${Object.values(vips).join()}`).sort();

  /** The verbs of each transaction of a repair. */
  async function changed(scope: 'everything' | 'changed' = 'changed'): Promise<readonly string[]> {
    const { length } = database.transactions;
    const outcome = await agent.repair(scope);
    if (!outcome.ok) throw new Error(`${outcome.error.message}: ${outcome.error.details}`);
    return database.transactions.slice(length).map((changes) => changes.map(({ verb }) => verb).join());
  }

  /** Why a repair has failed. */
  async function failure(): Promise<string> {
    const outcome = await agent.repair('changed');
    return outcome.ok ? 'it has not' : `${outcome.error.message}: ${outcome.error.details}`;
  }

  it('makes their load balancers in one transaction, on the switch of their network, and nothing again', async () => {
    expect(await changed('everything')).to.deep.equal(['add,add']);
    expect(found()).to.deep.equal(['blue/api: ', 'blue/web: 10.20.1.3:8080']);
    expect(database.found.map(({ parents }) => parents.map(({ name }) => name))).to.deep.equal([
      [nodeSwitch.name],
      [nodeSwitch.name],
    ]);
    expect(await changed()).to.deep.equal([]);
    expect(await changed('everything')).to.deep.equal([]);
  });

  it('reports when OVN has confirmed them, and how many there are', async () => {
    await changed('everything');
    await agent.settled();
    await changed();
    expect(reports.map(({ kind }) => kind)).to.have.members([
      'services-served',
      'services-programmed',
      'services-served',
    ]);
    expect(reports[2]).to.deep.equal({ kind: 'services-served', services: 2, loadBalancers: 2 });
  });

  describe('once they are there', () => {
    beforeEach(() => changed('everything'));

    it('changes those of a Service alone whose endpoints change', async () => {
      objects = { read: true, value: { ...usual, slices: [sourceOf('web', { ready: false }), mirror] } };
      expect(await changed()).to.deep.equal(['replace']);
      expect(found()).to.deep.equal(['blue/api: ', 'blue/web: ']);
    });

    it('deletes those of a Service that goes', async () => {
      objects = { read: true, value: { ...usual, services: [web] } };
      expect(await changed()).to.deep.equal(['remove']);
      expect(found()).to.deep.equal(['blue/web: 10.20.1.3:8080']);
    });

    it('leaves them while a network has pods that is not for new ones, until its switch goes', async () => {
      around = surroundings({ kind: 'undecided', why: 'left' });
      expect(await changed()).to.deep.equal([]);
      database.switches = [];
      expect(await changed()).to.deep.equal(['remove,remove']);
    });

    it('leaves all of them as long as what is served is not known', async () => {
      const origin = { kind: 'object', object: 'Services' } as const;
      objects = { read: false, problems: [{ origin, message: 'are not known yet' }] };
      expect(await failure()).to.equal('Services of networks cannot be served: Services: are not known yet');
      expect(found()).to.have.length(2);
    });

    it('deletes those of a Service that goes while a slice of its namespace cannot be read, once it can', async () => {
      const unread = { services: [], slices: ['blue/other'] };
      objects = { read: true, value: { ...usual, services: [web], unreadable: unread } };
      expect(await changed()).to.deep.equal([]);
      objects = { read: true, value: { ...usual, services: [web] } };
      expect(await changed()).to.deep.equal(['remove']);
    });

    it('puts back what another program changes, deletes, or adds in its name', async () => {
      const [one] = database.found;
      database.change([
        { ...one!, vips: {} },
        { ...loadBalancer('old'), uuid: '9', parents: [], ended: [] },
      ]);
      expect(await changed()).to.deep.equal(['replace,add,remove']);
      expect(found()).to.deep.equal(['blue/api: ', 'blue/web: 10.20.1.3:8080']);
    });

    it('makes them again once a database that was lost has the switch again', async () => {
      [database.found, database.switches] = [[], []];
      expect(await changed()).to.deep.equal([]);
      database.switches = [nodeSwitch];
      expect(await changed()).to.deep.equal(['add,add']);
    });
  });

  describe('tells of each network whether its Services are served', () => {
    const told = () => served?.map(({ networkName, failure }) => `${networkName} ${failure?.message ?? 'served'}`);

    it('once OVN has confirmed all of them', async () => {
      const { promise, resolve } = Promise.withResolvers<ApplyResult>();
      database.confirmation = promise;
      await changed('everything');
      await changed();
      expect(told()).to.deep.equal([]);
      resolve({ done: true });
      await agent.settled();
      expect(told()).to.deep.equal(['cluster_udn_blue served']);
    });

    it('as soon as OVN confirms what it had not confirmed in time, which is asked with the next look at everything', async () => {
      database.confirmation = Promise.resolve({ done: false, error: 'ovn-controller took longer than 30 s' });
      await changed('everything');
      await changed();
      await agent.settled();
      expect(told()).to.deep.equal([]);
      await changed('everything');
      await agent.settled();
      expect(told()).to.deep.equal([]);
      database.confirmation = Promise.resolve({ done: true });
      // A database that was lost begins to number anew.
      database.transactions.splice(0);
      await changed('everything');
      await agent.settled();
      expect(told()).to.deep.equal(['cluster_udn_blue served']);
      expect(database.transactions).to.deep.equal([[]]);
      await changed('everything');
      expect(database.transactions).to.deep.equal([[]]);
    });

    it('with the first that the database refuses', async () => {
      database.isRefused = (change) => 'desired' in change && change.desired.owner === 'blue/api';
      await failure();
      expect(told()).to.deep.equal(['cluster_udn_blue blue/api: constraint violation']);
      database.isRefused = () => false;
      await changed();
      await changed();
      await agent.settled();
      expect(told()).to.deep.equal(['cluster_udn_blue served']);
    });

    for (const { what, readyAt, expected } of [
      {
        what: 'as not served where another program undoes for 10 seconds what is written',
        readyAt: () => true,
        expected:
          'blue/web: its load balancers do not stay as they are written to OVN; another program may change them',
      },
      {
        what: 'as served where endpoints change as long',
        readyAt: (turn: number) => turn % 2 === 0,
        expected: 'served',
      },
    ])
      it(what, async () => {
        await changed('everything');
        await changed();
        await agent.settled();
        const clock = mock.method(performance, 'now');
        database.confirmation = Promise.withResolvers<ApplyResult>().promise;
        const begin = performance.now();
        for (let turn = 1; turn <= 12; turn += 1) {
          clock.mock.mockImplementation(() => begin + turn * 1000);
          // OVN confirms some of what is written, but never the last.
          if (turn === 6) database.confirmation = Promise.resolve({ done: true });
          if (turn === 7) database.confirmation = Promise.withResolvers<ApplyResult>().promise;
          objects = { read: true, value: { ...usual, slices: [sourceOf('web', { ready: readyAt(turn) }), mirror] } };
          database.change(database.found.map((each) => (each.owner === 'blue/web' ? { ...each, vips: {} } : each)));
          await changed();
        }
        clock.mock.restore();
        expect(told()).to.deep.equal([`cluster_udn_blue ${expected}`]);
      });

    it('and says nothing before the database was read', async () => {
      database.isAway = true;
      await failure();
      expect(told()).to.equal(undefined);
    });
  });

  it('does nothing before it knows the networks of namespaces', async () => {
    around = undefined;
    database.found = [{ ...loadBalancer('old'), uuid: '9', parents: [], ended: [] }];
    expect(await changed('everything')).to.deep.equal([]);
  });

  it('makes nothing for a network that is not on the node, until it is', async () => {
    database.switches = [{ ...nodeSwitch, networkName: 'cluster_udn_red' }];
    expect(await changed('everything')).to.deep.equal([]);
    objects = { read: true, value: { ...usual, slices: [sourceOf('web', { ready: false }), mirror] } };
    expect(await changed()).to.deep.equal([]);
    objects = { read: true, value: usual };
    database.switches = [nodeSwitch];
    expect(await changed()).to.deep.equal(['add,add']);
  });

  it('deletes at the start what is left over of Services that are gone', async () => {
    database.found = [
      { ...loadBalancer('old'), uuid: '9', parents: [{ place: 'switch', name: nodeSwitch.name }], ended: [] },
    ];
    await changed('everything');
    expect(found()).to.deep.equal(['blue/api: ', 'blue/web: 10.20.1.3:8080']);
  });

  it('serves others where the database refuses one, says which, and tries that again', async () => {
    database.isRefused = (change) => 'desired' in change && change.desired.owner === 'blue/api';
    const refusal = 'Services of networks cannot be served: blue/api: constraint violation';
    expect(await failure()).to.equal(refusal);
    expect(found()).to.deep.equal(['blue/web: 10.20.1.3:8080']);
    expect(await failure()).to.equal(refusal);
    database.isRefused = () => false;
    expect(await changed()).to.deep.equal(['add']);
  });

  it('makes what it could not, once the database is there again, without another change', async () => {
    database.isAway = true;
    expect(await failure()).to.equal('Services of networks cannot be served: ovnnb_db.sock: cannot be reached');
    database.isAway = false;
    expect(await changed()).to.deep.equal(['add,add']);
  });

  describe('where endpoints of UDP go', () => {
    const dns = udpService('dns', '10.96.0.53');
    const behind = udpSourceOf('dns');
    const served = (slices: readonly EndpointSlice[]): Reading<ServedObjects> => ({
      read: true,
      value: { ...usual, services: [dns], slices },
    });
    const notReady = udpSourceOf('dns', { ready: false });
    beforeEach(async () => {
      objects = served([behind, mirrored(behind)]);
      await changed('everything');
      await changed();
    });

    it('ends connections to them once OVN has confirmed, and forgets them then', async () => {
      objects = served([notReady, mirrored(behind)]);
      expect(await changed()).to.deep.equal(['replace']);
      expect(database.found.map((each) => each.ended)).to.deep.equal([['10.96.0.53:80>10.20.1.3:8080']]);
      expect(ended).to.deep.equal([]);
      await changed();
      await agent.settled();
      expect(ended).to.deep.equal(['10.96.0.53 > 10.20.1.3']);
      expect(database.found.map((each) => each.ended)).to.deep.equal([[]]);
    });

    it('ends those that an agent before it has left', async () => {
      database.change(database.found.map((each) => ({ ...each, ended: ['10.96.0.53:80>10.20.1.9:8080', 'nonsense'] })));
      await changed();
      await agent.settled();
      expect(ended).to.deep.equal(['10.96.0.53 > 10.20.1.9']);
    });

    it('says that they have not ended where that fails, and tries again', async () => {
      isSwitchAway = true;
      objects = served([notReady, mirrored(behind)]);
      await changed();
      await changed();
      await agent.settled();
      expect(reports.filter(({ kind }) => kind === 'services-warning')).to.deep.equal([
        {
          kind: 'services-warning',
          text: 'connections to endpoints that are gone have not ended yet: ovs-vswitchd is not running',
        },
      ]);
      isSwitchAway = false;
      await changed('everything');
      await agent.settled();
      expect(ended).to.deep.equal(['10.96.0.53 > 10.20.1.3']);
    });

    it('says nothing of them once it is stopped', async () => {
      isSwitchAway = true;
      objects = served([notReady, mirrored(behind)]);
      await changed();
      agent.stop();
      await changed();
      await agent.settled();
      expect(reports.filter(({ kind }) => kind === 'services-warning')).to.deep.equal([]);
    });

    it('ends those of a Service that is deleted', async () => {
      objects = { read: true, value: { ...usual, services: [], slices: [] } };
      expect(await changed()).to.deep.equal(['remove', '']);
      await agent.settled();
      expect(database.transactions.at(-1)).to.deep.equal([]);
      await agent.settled();
      expect(ended).to.deep.equal(['10.96.0.53 > 10.20.1.3']);
    });
  });

  it('makes 500 changes in a transaction at most', async () => {
    const services = Array.from({ length: 1001 }, (_, index) =>
      serviceOf(`s${index}`, `10.97.${Math.floor(index / 256)}.${index % 256}`),
    );
    objects = { read: true, value: { ...usual, services: [...services, api, web], slices: [source, mirror] } };
    const sizes = (await changed('everything')).map((verbs) => verbs.split(',').length);
    expect(sizes).to.deep.equal([500, 500, 3]);
  });
});
