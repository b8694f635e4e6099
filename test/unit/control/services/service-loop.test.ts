import { expect } from 'chai';
import { ServiceLoop } from '../../../../src/control/services/service-loop.ts';
import type { HealthCheck } from '../../../../src/domain/services/health-checks.ts';
import { noServedObjects } from '../../../../src/domain/services/services-on-node.ts';
import type { ServiceReport } from '../../../../src/ports/services/service-report.ts';
import { FakeHealthCheckServers } from '../../../fakes/health-check-servers.ts';
import { FakeLoadBalancers } from '../../../fakes/load-balancers.ts';
import { FakeServiceFlows } from '../../../fakes/service-flows.ts';
import { service } from '../../domain/brief-services.ts';
import { provided, withNetwork } from '../../domain/explanation/provided-cluster.ts';

/** A Service with a health check, in namespace demo of network blue. */
const web = service('web', 'demo', {
  type: 'LoadBalancer',
  externalTrafficPolicy: 'Local',
  healthCheckNodePort: 32_000,
  ports: [{ port: 80 }],
  labels: { 'service.kubernetes.io/service-proxy-name': 'ovn-uplinks' },
});

/** Servers that tell when they were asked. */
class AwaitedServers extends FakeHealthCheckServers {
  #asked = Promise.withResolvers<undefined>();

  override serve(checks: readonly HealthCheck[]): Promise<ReadonlyMap<number, string>> {
    this.#asked.resolve(undefined);
    this.#asked = Promise.withResolvers<undefined>();
    return super.serve(checks);
  }

  get next(): Promise<undefined> {
    return this.#asked.promise;
  }
}

describe('the loop of the Services of a node', () => {
  let servers: AwaitedServers;
  let reports: ServiceReport[];
  let stop: () => void;
  let isDone: Promise<boolean>;

  beforeEach(async () => {
    [servers, reports] = [new AwaitedServers(), []];
    const loop = new ServiceLoop('a', provided, {
      store: {
        read: () =>
          Promise.resolve({ read: true, value: { snapshot: withNetwork(), origins: new Map(), warnings: [] } }),
        onChange: () => undefined,
        write: () => Promise.resolve({ done: true }),
        close: () => Promise.resolve(),
      },
      objects: {
        read: () => ({ read: true, value: { ...noServedObjects, services: [web] } }),
        warnings: [],
        onChange: () => () => undefined,
      },
      loadBalancers: new FakeLoadBalancers([]),
      connections: { end: () => Promise.resolve({ done: true }) },
      flows: new FakeServiceFlows(),
      healthCheckServers: servers,
    });
    const running = Promise.withResolvers<boolean>();
    stop = () => running.resolve(true);
    const { next } = servers;
    isDone = loop.runWith({ run: () => running.promise, stop }, (report) => reports.push(report)).run();
    await loop.store.read();
    loop.take({ kind: 'ways', ways: [], held: [] });
    await next;
  });
  afterEach(async () => {
    stop();
    await isDone;
  });

  it('has their health checks answered as soon as the networks of the node are known', () => {
    expect(servers.answered).to.deep.equal(['web 32000 0']);
  });

  it('answers none any more once it has ended', async () => {
    expect(servers.isClosed).to.equal(false);
    stop();
    expect(await isDone).to.equal(true);
    expect(servers.isClosed).to.equal(true);
  });
});
