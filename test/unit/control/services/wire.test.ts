import { expect } from 'chai';
import { ServiceAgent } from '../../../../src/control/services/service-agent.ts';
import type { Service } from '../../../../src/domain/api/service.ts';
import type { ServedObjects, ServiceSurroundings } from '../../../../src/domain/services/services-on-node.ts';
import type { ApplyResult } from '../../../../src/ports/apply-result.ts';
import type { ServedNetwork } from '../../../../src/domain/snapshot/served-network.ts';
import { FakeLoadBalancers } from '../../../fakes/load-balancers.ts';
import { FakeServiceFlows } from '../../../fakes/service-flows.ts';
import { blueWay, onWay, serviceOf, usual } from '../../domain/services/served-scene.ts';

const nodeSwitch = { name: 'cluster_udn_blue_worker-a', networkName: 'cluster_udn_blue' };
const router = { name: 'GR_cluster_udn_blue_worker-a', networkName: 'cluster_udn_blue' };

/** A Service with a node port. */
function ported(nodePort: number): Service {
  const web = serviceOf('web', '10.96.0.10');
  return { ...web, spec: { ...web.spec, type: 'NodePort', ports: [{ name: 'http', port: 80, nodePort }] } };
}

const withWeb = (nodePort: number): ServedObjects => ({ ...usual, services: [ported(nodePort)] });
const withoutServices: ServedObjects = { ...usual, services: [] };

describe('an agent that has packets from the wire come to Services', () => {
  let objects: ServedObjects;
  let around: ServiceSurroundings;
  let database: FakeLoadBalancers;
  let flows: FakeServiceFlows;
  /** The steps that were taken, in order. */
  let done: string[];
  let served: readonly ServedNetwork[] | undefined;
  let ended: ApplyResult;
  let isAgain: boolean;
  let agent: ServiceAgent;

  /** An agent that knows nothing of former ones. */
  function start(): ServiceAgent {
    return new ServiceAgent({
      healthChecks: { set: () => undefined },
      objects: { read: () => ({ read: true, value: objects }), warnings: [], onChange: () => () => undefined },
      loadBalancers: {
        read: () => database.read(),
        apply: async (changes) => {
          if (changes.length > 0) done.push(changes.map(({ verb }) => `${verb} balancer`).join());
          return await database.apply(changes);
        },
        confirmed: async () => await database.confirmed(),
        onChange: () => () => undefined,
        close: () => undefined,
      },
      flows: {
        read: () => flows.read(),
        apply: async (changes) => {
          done.push(changes.map(({ verb }) => `${verb} flow`).join());
          return await flows.apply(changes);
        },
        onChange: () => () => undefined,
      },
      connections: {
        end: (connections) => {
          done.push(
            ...connections.map(
              ({ zone, service }) => `end ${service.address} ${String(service.port)} in ${String(zone)}`,
            ),
          );
          return Promise.resolve(ended);
        },
      },
      cluster: {
        get surroundings() {
          return around;
        },
      },
      report: () => undefined,
      served: (networks) => (served = networks),
      again: () => (isAgain = true),
    });
  }

  beforeEach(() => {
    [objects, around, done, ended] = [withWeb(30_080), onWay(blueWay), [], { done: true }];
    database = new FakeLoadBalancers([nodeSwitch], [router]);
    flows = new FakeServiceFlows();
    agent = start();
  });
  afterEach(() => agent.stop());

  /** Has the agent repair until nothing calls for it. @returns what was done, each step once */
  async function repaired(): Promise<readonly string[]> {
    done = [];
    let length = -1;
    while (done.length > length) {
      ({ length } = done);
      // What one has changed, the next one reads as it is now.
      for (const _ of ['changes', 'reads them']) {
        await agent.repair('changed');
        await agent.settled();
      }
    }
    return done;
  }

  const four = 'add flow,add flow,add flow,add flow';

  it('adds flows once OVN has confirmed the load balancers to which they lead', async () => {
    const { promise, resolve } = Promise.withResolvers<ApplyResult>();
    database.confirmation = promise;
    await agent.repair('changed');
    await agent.repair('changed');
    expect(done).to.deep.equal(['add balancer,add balancer']);
    expect(flows.list).to.deep.equal([]);
    resolve({ done: true });
    await agent.settled();
    expect(isAgain).to.equal(true);
    await agent.repair('changed');
    expect(done).to.deep.equal(['add balancer,add balancer', four]);
    expect(await repaired()).to.deep.equal([]);
  });

  it('removes flows first, ends connections, and changes the load balancers then', async () => {
    await repaired();
    objects = withoutServices;
    expect(await repaired()).to.deep.equal([
      'remove flow,remove flow,remove flow,remove flow',
      'end 192.0.2.6 30080 in 64100',
      'remove balancer,remove balancer',
    ]);
    expect([flows.list, database.found]).to.deep.equal([[], []]);
  });

  it('ends the connections to a port that a Service loses, and to none that it keeps', async () => {
    await repaired();
    objects = withWeb(30_081);
    expect(await repaired()).to.deep.equal([
      'remove flow',
      'end 192.0.2.6 30080 in 64100',
      'replace balancer,replace balancer',
      'add flow',
    ]);
  });

  it('keeps load balancers as long as connections to a port that goes cannot be ended, and says so', async () => {
    await repaired();
    objects = withoutServices;
    ended = { done: false, error: 'ovs-vswitchd is not running' };
    const outcome = await agent.repair('changed');
    expect(outcome.ok ? '' : outcome.error.details).to.equal(
      'blue/web: its connections from the wire go on: ovs-vswitchd is not running',
    );
    expect(database.found).to.have.length(2);
    ended = { done: true };
    await repaired();
    expect(database.found).to.deep.equal([]);
  });

  it('goes on where another one was killed at any step, in both directions', async () => {
    for (const wanted of [withWeb(30_080), withWeb(30_081), withoutServices]) {
      objects = wanted;
      // A pass changes load balancers or flows, and the next agent does the rest.
      for (let passes = 0; passes < 6; passes += 1) {
        agent.stop();
        agent = start();
        await agent.repair('everything');
        await agent.settled();
      }
      const expected = wanted === withoutServices ? [] : [wanted.services[0]!.spec.ports![0]!.nodePort];
      const ports = flows.list.flatMap(({ match }) => /tp_dst=(\d+)/.exec(match)?.[1] ?? []).map(Number);
      expect(ports).to.deep.equal(expected);
    }
  });

  it('leaves what is there as it is as long as the way of the network is not known', async () => {
    await repaired();
    const onRouter = () => database.found.filter(({ place }) => place === 'router');
    const before = [flows.list, onRouter()];
    agent.stop();
    [agent, around] = [start(), onWay('unknown')];
    // Which address the node port has within the network is not known either.
    expect(await repaired()).to.deep.equal(['replace balancer']);
    expect([flows.list, onRouter()]).to.deep.equal(before);
    around = onWay(blueWay);
    expect(await repaired()).to.deep.equal(['replace balancer']);
  });

  it('takes everything from the wire where the network has no way from there any more', async () => {
    await repaired();
    around = onWay('none');
    database.routers = [];
    expect(await repaired()).to.deep.equal([
      'remove flow,remove flow,remove flow,remove flow',
      'remove balancer,replace balancer',
    ]);
  });

  it('reports a flow that the switch refuses, and serves within the network all the same', async () => {
    flows.isRefused = ({ priority }) => priority === 60;
    await agent.repair('changed');
    await agent.settled();
    await agent.repair('changed');
    const outcome = await agent.repair('changed');
    expect(outcome.ok ? '' : outcome.error.details).to.include('blue/web: the switch refuses it: OFPBMC_BAD_FIELD');
    expect(served?.map(({ failure }) => failure?.reason)).to.deep.equal(['ServiceProgrammingFailed']);
    expect(database.found).to.have.length(2);
  });

  it('adds no flows as long as the gateway router is not there', async () => {
    database.routers = [];
    expect(await repaired()).to.deep.equal(['add balancer']);
    database.routers = [router];
    expect(await repaired()).to.deep.equal(['add balancer', four]);
  });

  it('tries again where the port of the network is not there yet, which is no failure of the Service', async () => {
    flows.isAwaited = () => true;
    await agent.repair('changed');
    await agent.settled();
    await agent.repair('changed');
    const outcome = await agent.repair('changed');
    expect(outcome.ok ? '' : outcome.error.details).to.equal('port patch-blue has no number yet');
    expect(served?.map(({ failure }) => failure?.reason)).not.to.include('ServiceProgrammingFailed');
    flows.isAwaited = () => false;
    expect(await repaired()).to.deep.equal([four]);
  });

  it('keeps load balancers to which packets from the wire come as long as bridges cannot be read', async () => {
    await repaired();
    objects = withoutServices;
    flows.isAway = true;
    expect(await repaired()).to.deep.equal([]);
    expect(database.found).to.have.length(2);
    flows.isAway = false;
    await repaired();
    expect([flows.list, database.found]).to.deep.equal([[], []]);
  });

  it('changes load balancers while bridges cannot be read, and fails', async () => {
    flows.isAway = true;
    const outcome = await agent.repair('changed');
    expect(outcome.ok ? '' : outcome.error.details).to.include('cannot be reached');
    expect(database.found).to.have.length(2);
  });
});
