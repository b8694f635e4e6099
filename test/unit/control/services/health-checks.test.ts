import { mock } from 'node:test';
import { expect } from 'chai';
import { HealthChecks } from '../../../../src/control/services/health-checks.ts';
import { ServiceAgent } from '../../../../src/control/services/service-agent.ts';
import type { HealthCheck } from '../../../../src/domain/services/health-checks.ts';
import type { ServedObjects, ServiceSurroundings } from '../../../../src/domain/services/services-on-node.ts';
import type { Reading } from '../../../../src/ports/input-problem.ts';
import { FakeHealthCheckServers } from '../../../fakes/health-check-servers.ts';
import { FakeLoadBalancers } from '../../../fakes/load-balancers.ts';
import { FakeServiceFlows } from '../../../fakes/service-flows.ts';
import {
  blueWay,
  checkedOf,
  mirror,
  onWay,
  sourceOf,
  surroundings,
  usual,
} from '../../domain/services/served-scene.ts';

const check = (name: string, port: number, brief: Partial<HealthCheck> = {}): HealthCheck => ({
  key: `blue/${name}`,
  age: '2026-01-02T00:00:00Z',
  port,
  namespace: 'blue',
  name,
  localEndpoints: 1,
  isReached: true,
  ...brief,
});

describe('the health checks of Services on a node', () => {
  let servers: FakeHealthCheckServers;
  let warnings: string[];
  let again: number;
  let checks: HealthChecks;
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    servers = new FakeHealthCheckServers();
    [warnings, again] = [[], 0];
    checks = new HealthChecks({ servers, warn: (text) => warnings.push(text), again: () => (again += 1) });
  });
  afterEach(() => {
    checks.stop();
    mock.timers.reset();
  });

  it('are answered, as they are after each repair', async () => {
    checks.set('blue/web', check('web', 32_000));
    await checks.follow();
    expect(servers.answered).to.deep.equal(['web 32000 1']);
    checks.set('blue/web', check('web', 32_000, { localEndpoints: 0 }));
    await checks.follow();
    expect(servers.answered).to.deep.equal(['web 32000 0']);
    checks.set('blue/web', 'none');
    await checks.follow();
    expect(servers.answered).to.deep.equal([]);
    expect(warnings).to.deep.equal([]);
  });

  it('are left alone where nothing has changed', async () => {
    checks.set('blue/web', check('web', 32_000));
    checks.set('blue/api', 'none');
    await checks.follow();
    checks.set('blue/web', check('web', 32_000));
    checks.set('blue/api', 'none');
    await checks.follow();
    expect(servers.asked).to.have.length(1);
  });

  it('stay as they are where they are undecided', async () => {
    checks.set('blue/web', check('web', 32_000));
    await checks.follow();
    checks.set('blue/web', 'undecided');
    checks.set('blue/api', check('api', 32_001));
    await checks.follow();
    expect(servers.answered).to.deep.equal(['web 32000 1', 'api 32001 1']);
  });

  it('are those of the older of two Services with one port, and of the other one once that goes', async () => {
    checks.set('blue/new', check('new', 32_000));
    await checks.follow();
    checks.set('blue/old', check('old', 32_000, { age: '2026-01-01T00:00:00Z' }));
    await checks.follow();
    expect(servers.answered).to.deep.equal(['old 32000 1']);
    expect(warnings).to.deep.equal([
      'Service blue/new: its health checks are not answered, as port 32000 is that of Service blue/old, which is older; give it another healthCheckNodePort',
    ]);
    checks.set('blue/old', 'none');
    await checks.follow();
    expect(servers.answered).to.deep.equal(['new 32000 1']);
  });

  it('warn where the host does not answer in the VRF of the uplink, once for each change', async () => {
    const unanswered = check('web', 32_000, { unansweredVrf: 'blue' });
    checks.set('blue/web', unanswered);
    await checks.follow();
    checks.set('blue/web', { ...unanswered, localEndpoints: 2 });
    await checks.follow();
    expect(warnings).to.deep.equal([
      'Service blue/web: HealthCheckUnreachable: its health checks at port 32000 get no answer at the addresses of the uplink in VRF blue, as net.ipv4.tcp_l3mdev_accept is 0; set it to 1, by which all sockets of the node that are bound to no VRF answer there',
    ]);
    expect(servers.answered).to.deep.equal(['web 32000 2']);
    checks.set('blue/web', check('web', 32_000));
    await checks.follow();
    checks.set('blue/web', unanswered);
    await checks.follow();
    expect(warnings).to.have.length(2);
  });

  describe('with a port that another program uses', () => {
    const inUse = 'health checks of Service blue/web cannot be served at port 32000: another program uses it';
    beforeEach(async () => {
      servers.used.add(32_000);
      checks.set('blue/web', check('web', 32_000));
      await checks.follow();
    });

    it('warn once, and answer the others', async () => {
      checks.set('blue/api', check('api', 32_001));
      await checks.follow();
      expect(servers.answered).to.deep.equal(['api 32001 1']);
      expect(warnings).to.deep.equal([inUse]);
    });

    it('try again after a while, and less often as long as it is in use', async () => {
      await checks.follow();
      expect(servers.asked).to.have.length(1);
      for (const attempts of [1, 2, 3]) {
        mock.timers.tick(60_000);
        expect(again).to.equal(attempts);
        await checks.follow();
        expect(servers.asked).to.have.length(attempts + 1);
      }
      servers.used.clear();
      mock.timers.tick(60_000);
      await checks.follow();
      expect(servers.answered).to.deep.equal(['web 32000 1']);
      mock.timers.tick(600_000);
      expect(again).to.equal(4);
      expect(warnings).to.deep.equal([inUse]);
    });

    it('try again where something changes', async () => {
      servers.used.clear();
      checks.set('blue/api', check('api', 32_001));
      await checks.follow();
      expect(servers.answered).to.deep.equal(['web 32000 1', 'api 32001 1']);
    });

    it('try no more once they are stopped', () => {
      checks.stop();
      mock.timers.tick(600_000);
      expect([again, servers.isClosed]).to.deep.equal([0, true]);
    });
  });
});

describe('an agent with health checks of Services', () => {
  const withWeb: ServedObjects = {
    ...usual,
    services: [checkedOf('web', '10.96.0.10')],
    slices: [sourceOf('web'), mirror],
  };
  let objects: Reading<ServedObjects>;
  let around: ServiceSurroundings | undefined;
  let database: FakeLoadBalancers;
  let servers: FakeHealthCheckServers;
  let checks: HealthChecks;
  let agent: ServiceAgent;
  beforeEach(() => {
    [objects, around] = [{ read: true, value: withWeb }, onWay(blueWay)];
    database = new FakeLoadBalancers([]);
    servers = new FakeHealthCheckServers();
    checks = new HealthChecks({ servers, warn: () => undefined, again: () => undefined });
    agent = new ServiceAgent({
      objects: { read: () => objects, warnings: [], onChange: () => () => undefined },
      loadBalancers: database,
      flows: new FakeServiceFlows(),
      connections: { end: () => Promise.resolve({ done: true }) },
      cluster: {
        get surroundings() {
          return around;
        },
      },
      healthChecks: checks,
      report: () => undefined,
      served: () => undefined,
      again: () => undefined,
    });
  });
  afterEach(() => {
    agent.stop();
    checks.stop();
  });

  async function answered(): Promise<readonly string[]> {
    await agent.repair('changed');
    await checks.follow();
    return servers.answered;
  }

  it('has them answered by the endpoints that are ready', async () => {
    expect(await answered()).to.deep.equal(['web 32000 1']);
    objects = { read: true, value: { ...withWeb, slices: [sourceOf('web', { ready: false }), mirror] } };
    expect(await answered()).to.deep.equal(['web 32000 0']);
    objects = { read: true, value: { ...withWeb, services: [] } };
    expect(await answered()).to.deep.equal([]);
  });

  it('moves one to another port', async () => {
    await answered();
    const services = [checkedOf('web', '10.96.0.10', { healthCheckNodePort: 32_001 })];
    objects = { read: true, value: { ...withWeb, services } };
    expect(await answered()).to.deep.equal(['web 32001 1']);
  });

  for (const { what, change } of [
    { what: 'objects cannot be read', change: () => (objects = { read: false, problems: [] }) },
    {
      what: 'the Service cannot be read',
      change: () => {
        const unreadable = { services: ['blue/web'], slices: [] };
        objects = { read: true, value: { ...withWeb, services: [], unreadable } };
      },
    },
    {
      what: 'the network of its namespace is undecided',
      change: () => (around = surroundings({ kind: 'undecided', why: 'unreadable' })),
    },
  ])
    it(`leaves them as they are where ${what}`, async () => {
      const before = await answered();
      change();
      expect(await answered()).to.deep.equal(before);
    });

  it('opens no port before the network of a namespace is known', async () => {
    around = undefined;
    expect(await answered()).to.deep.equal([]);
    expect(servers.asked).to.deep.equal([]);
  });

  it('follows endpoints while the Northbound database is away', async () => {
    await answered();
    database.isAway = true;
    objects = { read: true, value: { ...withWeb, slices: [sourceOf('web', { ready: false }), mirror] } };
    expect(await answered()).to.deep.equal(['web 32000 0']);
  });
});
