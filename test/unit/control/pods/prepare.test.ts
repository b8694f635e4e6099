import { expect } from 'chai';
import { PodAgent } from '../../../../src/control/pods/pod-agent.ts';
import { defaultSettings } from '../../../../src/domain/index.ts';
import { Defect, Killed } from '../../../fakes/pod-node.ts';
import { pod } from '../../domain/brief-objects.ts';
import { add, del, errorOf, nothing, PodScene, timing, web } from './pod-scene.ts';

describe('an agent that prepares pods', () => {
  let scene: PodScene;
  beforeEach(() => {
    scene = new PodScene();
  });

  const portsOf = ({ node }: PodScene) => node.logicalPorts.map(({ pod: { uid }, addresses }) => [uid, addresses[0]]);

  it('makes the logical switch port with which the pod is attached', async () => {
    await scene.prepare();
    const { logicalPorts } = scene.node;
    expect(portsOf(scene)).to.deep.equal([['1', '10.20.1.3']]);
    const before = scene.node.calls.length;
    expect((await scene.run(add())).kind).to.equal('attached');
    expect(scene.node.calls.slice(before)).not.to.include('put logical port');
    expect(scene.node.logicalPorts).to.deep.equal(logicalPorts);
    const unprepared = new PodScene();
    await unprepared.run(add());
    expect(scene.node.remains()).to.deep.equal(unprepared.node.remains());
  });

  it('makes none for a pod that is gone when its turn comes', async () => {
    const other = pod('other', 'demo', 'worker-a', { metadata: { name: 'other', namespace: 'demo', uid: '2' } });
    scene.node.change({ pods: [web(), other] });
    const { ports } = scene.node;
    const logicalPorts: typeof ports.logicalPorts = {
      ...ports.logicalPorts,
      put: (port) => {
        scene.node.change({ pods: [web()] });
        return ports.logicalPorts.put(port);
      },
    };
    await new PodAgent({ ...ports, logicalPorts }, defaultSettings, timing).prepare();
    expect(portsOf(scene)).to.deep.equal([['1', '10.20.1.3']]);
  });

  it('is one that writes a port again that is not as it has to be', async () => {
    await scene.prepare();
    const { logicalPorts } = scene.node;
    scene.node.logicalPorts = logicalPorts.map((port) => ({ ...port, mac: '0a:58:00:00:00:01' }));
    await scene.run(add());
    expect(scene.node.logicalPorts).to.deep.equal(logicalPorts);
  });

  it('makes none again for a pod that was attached and detached while the API server was away', async () => {
    await scene.run(add());
    await scene.run(del());
    // It has no annotation.
    scene.node.change({ pods: [web()] });
    await scene.prepare();
    expect(portsOf(scene)).to.deep.equal([]);
    scene.node.change({ pods: [web('2')] });
    await scene.prepare();
    expect(portsOf(scene)).to.deep.equal([['2', '10.20.1.4']]);
  });

  it('makes none twice, also after a restart', async () => {
    await scene.prepare();
    scene.restartAgent();
    await scene.prepare();
    expect(scene.node.calls.filter((call) => call === 'put logical port')).to.have.length(1);
  });

  it('waits until the network is on the node', async () => {
    scene.node.program([]);
    await scene.prepare();
    scene.node.program([{ name: 'cluster_udn_blue_worker-a', networkName: 'cluster_udn_blue', networkId: 7 }]);
    await scene.prepare();
    expect(scene.node.logicalPorts).to.deep.equal([]);
    scene.node.program([{ name: 'cluster_udn_blue_worker-a', networkName: 'cluster_udn_blue', networkId: 1 }]);
    await scene.prepare();
    expect(portsOf(scene)).to.deep.equal([['1', '10.20.1.3']]);
  });

  it('leaves a port that is collected once the pod is gone without having been attached', async () => {
    await scene.prepare();
    await scene.repair();
    expect(scene.node.logicalPorts).to.have.length(1);
    scene.node.change({ pods: [] });
    await scene.repair('changed');
    expect(scene.node.remains()).to.deep.equal(nothing);
  });

  it('gives pods different addresses, also while one is attached', async () => {
    const other = pod('other', 'demo', 'worker-a', { metadata: { name: 'other', namespace: 'demo', uid: '2' } });
    scene.node.change({ pods: [web(), other] });
    const [answer] = await Promise.all([scene.run(add()), scene.prepare(), scene.prepare()]);
    expect(answer.kind).to.equal('attached');
    expect(new Set(portsOf(scene).map(([, address]) => address))).to.deep.equal(new Set(['10.20.1.3', '10.20.1.4']));
  });

  it('waits for the ports of a former pod of the name to be removed', async () => {
    await scene.run(add());
    scene.node.change({ pods: [web('2')] });
    await scene.prepare();
    scene.node.links.clear();
    await scene.prepare();
    expect(portsOf(scene)).to.deep.equal([['1', '10.20.1.3']]);
    await scene.repair('changed');
    await scene.prepare();
    expect(portsOf(scene)).to.deep.equal([['2', '10.20.1.4']]);
  });

  it('does not make the port again that DEL has removed', async () => {
    await scene.run(add());
    await scene.run(del());
    await scene.prepare();
    expect(scene.node.logicalPorts).to.deep.equal([]);
  });

  it('leaves it to the attachment to say why a port cannot be made', async () => {
    const full = Array.from({ length: 252 }, (_, index) => ({
      ...{ name: `other-${index}`, switchName: '', networkName: 'cluster_udn_blue', definition: 'demo/blue' },
      ...{ pod: { namespace: 'shop', name: `other-${index}`, uid: `other-${index}` }, mac: '' },
      addresses: [`10.20.1.${index + 3}`, `fd20:0:0:1::${(index + 3).toString(16)}`],
    }));
    scene.node.logicalPorts = full;
    await scene.prepare();
    expect(scene.node.logicalPorts).to.deep.equal(full);
    expect(errorOf(await scene.run(add()))?.code).to.equal(100);
  });

  for (const how of ['fails', 'killed-before', 'killed-after', 'throws-before', 'throws-after'] as const) {
    it(`attaches the pod after a call that ${how}, and leaves nothing once it is gone`, async () => {
      for (let at = 0; ; at++) {
        const disturbed = new PodScene();
        disturbed.node.disturb(at, how);
        await disturbed.prepare().catch((error: unknown) => {
          if (!(error instanceof Killed || error instanceof Defect)) throw error;
        });
        if (at >= disturbed.node.calls.length) {
          expect(at).to.be.at.least(5);
          return;
        }
        disturbed.node.disturb(-1, how);
        disturbed.restartAgent();
        await disturbed.prepare();
        expect((await disturbed.run(add())).kind, `${at}`).to.equal('attached');
        await disturbed.run(del());
        disturbed.node.change({ pods: [] });
        await disturbed.repair();
        expect(disturbed.node.remains(), `${at}`).to.deep.equal(nothing);
      }
    });
  }
});
