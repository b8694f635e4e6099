import { expect } from 'chai';
import { ServiceAgent } from '../../../../src/control/services/service-agent.ts';
import type { ServedObjects } from '../../../../src/domain/services/services-on-node.ts';
import type { Reading } from '../../../../src/ports/input-problem.ts';
import { FakeServiceFlows } from '../../../fakes/service-flows.ts';
import { FakeLoadBalancers } from '../../../fakes/load-balancers.ts';
import { mirrored, serviceOf, sourceOf, surroundings } from '../../domain/services/served-scene.ts';

/** Seconds of processor time for ten thousand Services: one on an idle machine. */
const DEADLINE = 20;

const unknown: Reading<ServedObjects> = {
  read: false,
  problems: [{ origin: { kind: 'object', object: 'Services' }, message: 'are not known yet: connection refused' }],
};

/** So many Services, each with an endpoint, ready or not. */
function manyOf(count: number, isReady: (number: number) => boolean = () => true): Reading<ServedObjects> {
  const numbers = Array.from({ length: count }, (_, number) => number);
  const name = (number: number) => `s${String(number)}`;
  const sources = numbers.map((number) => sourceOf(name(number), { ready: isReady(number) }));
  const services = numbers.map((number) => serviceOf(name(number), `10.96.${String(number >> 8)}.${number & 255}`));
  const slices = [...sources, ...sources.map(mirrored)];
  return { read: true, value: { services, slices, unreadable: { services: [], slices: [] } } };
}

describe('an agent of a node with thousands of Services', () => {
  let objects: Reading<ServedObjects>;
  let database: FakeLoadBalancers;
  let agents: ServiceAgent[];
  beforeEach(() => {
    database = new FakeLoadBalancers([{ name: 'cluster_udn_blue_worker-a', networkName: 'cluster_udn_blue' }]);
    agents = [];
  });
  afterEach(() => {
    for (const agent of agents) agent.stop();
  });

  /** An agent that knows nothing of former ones. */
  function start(): ServiceAgent {
    const agent = new ServiceAgent({
      healthChecks: { set: () => undefined },
      objects: { read: () => objects, warnings: [], onChange: () => () => undefined },
      loadBalancers: database,
      flows: new FakeServiceFlows(),
      again: () => undefined,
      connections: { end: () => Promise.resolve({ done: true }) },
      cluster: { surroundings: surroundings() },
      report: () => undefined,
      served: () => undefined,
    });
    agents.push(agent);
    return agent;
  }

  const changes = () => database.transactions.flat().length;

  it('makes ten thousand that come at once, and then what changes alone', async () => {
    const agent = start();
    objects = manyOf(10_000);
    const began = process.cpuUsage();
    await agent.repair('changed');
    const { user, system } = process.cpuUsage(began);
    expect(database.found).to.have.length(10_000);
    expect((user + system) / 1e6).to.be.lessThan(DEADLINE);
    const before = changes();
    objects = manyOf(10_000, (number) => number !== 7777);
    await agent.repair('changed');
    expect(changes() - before).to.equal(1);
  });

  it('leaves five thousand as they are that it finds while there is no API server, and once there is one', async () => {
    objects = manyOf(5000);
    await start().repair('everything');
    const before = changes();
    objects = unknown;
    const agent = start();
    const outcome = await agent.repair('everything');
    expect(outcome.ok ? '' : outcome.error.details).to.equal('Services: are not known yet: connection refused');
    objects = manyOf(5000);
    await agent.repair('everything');
    expect([changes() - before, database.found.length]).to.deep.equal([0, 5000]);
  });
});
