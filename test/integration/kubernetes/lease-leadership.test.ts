import { expect } from 'chai';
import { ApiServer } from '../../../src/adapters/kubernetes/api-server.ts';
import { accessOfKubeconfig, type ClusterAccess } from '../../../src/adapters/kubernetes/cluster-access.ts';
import { LeaseLeadership } from '../../../src/adapters/kubernetes/lease-leadership.ts';
import { eventually } from '../../unit/adapters/processes.ts';
import { TestApiServer } from './api-server.ts';
import { FaultProxy } from './fault-proxy.ts';

/** Asks often. The Lease lasts longer than a busy machine may delay its renewal. */
const lasting = { lease: 120_000, renewDeadline: 80_000, retry: 400 };

/** Shorter than in a cluster, for a Lease that expires. */
const expiring = { lease: 3000, renewDeadline: 2000, retry: 400 };

describe('leader election on a Lease of an API server', () => {
  let server: TestApiServer;
  let access: ClusterAccess;
  let name = 0;
  const ends: (() => unknown)[] = [];
  before(async () => {
    server = await TestApiServer.start();
    const reading = await accessOfKubeconfig(server.kubeconfig);
    if (!reading.read) throw new Error(JSON.stringify(reading.problems));
    access = reading.value;
  });
  after(() => server.stop());
  beforeEach(() => {
    name += 1;
  });
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  async function candidate(identity: string, times = lasting) {
    const proxy = await FaultProxy.before(access);
    const api = new ApiServer(proxy.access, times.renewDeadline / 4);
    const options = { namespace: 'default', name: `manager-${name}`, identity, times };
    const leadership = new LeaseLeadership(api, options);
    const lost: { readonly at: number; readonly reason: string }[] = [];
    leadership.onLost((reason) => lost.push({ at: performance.now(), reason }));
    ends.push(async () => {
      proxy.fault = {};
      await leadership.release();
      api.close();
      await proxy.stop();
    });
    return { leadership, proxy, lost };
  }

  const printed = (field: string) => server.kubectl(['get', 'lease', `manager-${name}`, '-o', `jsonpath={${field}}`]);

  it('has one leader, and another at once after a release', async () => {
    const [first, second] = [await candidate('first'), await candidate('second')];
    expect(await first.leadership.acquire()).to.equal(true);
    const waiting = second.leadership.acquire();
    await eventually('the second has asked', () => second.proxy.count(`manager-${name}`) > 2);
    expect([first.leadership.isLeader, second.leadership.isLeader]).to.deep.equal([true, false]);
    expect(printed('.spec.holderIdentity')).to.equal('first');
    expect(printed('.spec.renewTime')).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    server.kubectl(['label', 'lease', `manager-${name}`, 'of=somebody']);
    const start = performance.now();
    await first.leadership.release();
    expect(first.leadership.isLeader).to.equal(false);
    expect(await waiting).to.equal(true);
    expect(performance.now() - start).to.be.lessThan(lasting.lease);
    expect(printed('.spec.leaseTransitions')).to.equal('1');
    expect(printed('.metadata.labels.of')).to.equal('somebody');
  });

  it('ends the leadership of one without a connection before another acquires it', async () => {
    const [first, second] = [await candidate('first', expiring), await candidate('second', expiring)];
    await first.leadership.acquire();
    const waiting = second.leadership.acquire();
    await eventually('the second has asked', () => second.proxy.count(`manager-${name}`) > 2);
    first.proxy.fault = { answer: () => 'ignored' };
    const start = performance.now();
    expect(await waiting).to.equal(true);
    const taken = performance.now();
    expect(first.lost.map(({ reason }) => reason)).to.have.length(1);
    expect(first.lost[0]?.reason).to.match(
      /^it was not renewed within 2 s: http:.* cannot be reached: it does not answer/,
    );
    expect(first.lost[0]?.at).to.be.lessThan(taken);
    process.stdout.write(`      taken after ${(taken - start).toFixed(0)} ms\n`);
  });

  it('gives the Lease to one of many concurrent candidates', async () => {
    const candidates = await Promise.all(Array.from({ length: 10 }, (_, index) => candidate(`c${index}`)));
    const waiting = candidates.map(({ leadership }) => leadership.acquire());
    await Promise.race(waiting);
    await eventually('all have asked', () => candidates.every(({ proxy }) => proxy.count(`manager-${name}`) > 3));
    expect(candidates.filter(({ leadership }) => leadership.isLeader)).to.have.length(1);
  });
});
