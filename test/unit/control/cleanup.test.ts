import { expect } from 'chai';
import { afterDetaching, beforeSettings, withoutServices } from '../../../src/control/cleanup.ts';
import type { Loop } from '../../../src/control/cluster/leading.ts';
import { hostInterfaceName } from '../../../src/domain/pods/pod-key.ts';
import type { ApplyResult } from '../../../src/ports/apply-result.ts';
import type { PodReport } from '../../../src/ports/pods/pod-report.ts';
import { loadBalancer, nodeSwitches } from '../../contract/load-balancers.ts';
import { FakeServiceFlows } from '../../fakes/service-flows.ts';
import { FakeLoadBalancers } from '../../fakes/load-balancers.ts';
import type { FakePodNode } from '../../fakes/pod-node.ts';
import { add, PodScene } from '../control/pods/pod-scene.ts';

/** A loop that has ended. @param isDone whether it has done everything */
const ended = (isDone: boolean): Loop => ({ run: () => Promise.resolve(isDone), stop: () => undefined });

describe('the removal of pods’ ports', () => {
  const detached = async (node: FakePodNode) => {
    const { logicalPorts, switchPorts, locks } = node.ports;
    const reports: PodReport[] = [];
    const databases = { logicalPorts, switchPorts, locks, close: () => undefined };
    const isDone = await afterDetaching(ended(true), databases, (each) => reports.push(each)).run();
    return { isDone, reports };
  };

  it('detaches all pods, whether they run or not, and names what stays', async () => {
    const running = new PodScene();
    await running.run(add());
    const name = hostInterfaceName('c0ffee', 'net1');
    expect(await detached(running.node)).to.deep.equal({
      isDone: true,
      reports: [{ kind: 'detached', port: name, pod: { namespace: 'demo', name: 'web', uid: '1' } }],
    });
    expect(running.node.remains()).to.deep.include({ logicalPorts: [], switchPorts: [] });
    expect(await detached(new PodScene().node)).to.deep.equal({ isDone: true, reports: [] });
  });

  it('needs no OVN where no pods are attached, and says what failed where there are', async () => {
    const unreadable = (scene: PodScene): FakePodNode => {
      const { ports } = scene.node;
      const problems = [{ origin: { kind: 'file', file: 'nb.sock' }, message: 'is not there' }] as const;
      const logicalPorts = { ...ports.logicalPorts, read: () => Promise.resolve({ read: false, problems } as const) };
      return { ports: { ...ports, logicalPorts } } as unknown as FakePodNode;
    };
    const scene = new PodScene();
    expect(await detached(unreadable(scene))).to.deep.equal({ isDone: true, reports: [] });
    await scene.run(add());
    const { isDone, reports } = await detached(unreadable(scene));
    expect(isDone).to.equal(false);
    expect(reports.at(-1)).to.deep.equal({
      kind: 'detach-failed',
      error: 'OVN’s Northbound database cannot be read: nb.sock: is not there',
    });
    expect(scene.node.switchPorts).to.deep.equal([]);
  });
});

describe('the removal of the settings of ovn-controller', () => {
  const outcomeOf = async (isLoopDone: boolean, result: ApplyResult) => {
    const failures: string[] = [];
    let removals = 0;
    const remove = () => {
      removals++;
      return Promise.resolve(result);
    };
    const isDone = await beforeSettings(ended(isLoopDone), remove, (error) => failures.push(error)).run();
    return { isDone, removals, failures };
  };

  it('follows that of everything else', async () => {
    expect(await outcomeOf(true, { done: true })).to.deep.equal({ isDone: true, removals: 1, failures: [] });
    expect(await outcomeOf(false, { done: true })).to.deep.equal({ isDone: false, removals: 0, failures: [] });
  });

  it('fails with its reason', async () => {
    const error = 'db.sock: ovsdb-server cannot be reached';
    expect(await outcomeOf(true, { done: false, error })).to.deep.equal({
      isDone: false,
      removals: 1,
      failures: [error],
    });
  });
});

describe('the removal of load balancers with everything else', () => {
  let database: FakeLoadBalancers;
  let flows: FakeServiceFlows;
  let errors: string[];
  /** Runs it before a loop that succeeds. */
  const run = () =>
    withoutServices(ended(true), { loadBalancers: database, flows }, (error) => errors.push(error)).run();
  beforeEach(() => {
    errors = [];
    database = new FakeLoadBalancers(nodeSwitches);
    database.found = [{ ...loadBalancer('web'), uuid: '1', parents: [], ended: [] }];
    flows = new FakeServiceFlows();
  });

  it('deletes all of them', async () => {
    expect(await run()).to.equal(true);
    expect(database.found).to.deep.equal([]);
  });

  it('changes nothing where there are none', async () => {
    database.found = [];
    expect(await run()).to.equal(true);
    expect(database.transactions).to.deep.equal([]);
  });

  it('is nothing where no database can be read: there may be no OVN', async () => {
    database.isAway = true;
    expect(await run()).to.equal(true);
  });

  it('fails where the database refuses it, and says so', async () => {
    database.isRefused = () => true;
    expect(await run()).to.equal(false);
    expect(errors).to.deep.equal(['what Services have cannot be removed: constraint violation']);
  });
});
