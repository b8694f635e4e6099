import { expect } from 'chai';
import { PodAgent } from '../../../../src/control/pods/pod-agent.ts';
import type { CniCall } from '../../../../src/domain/pods/cni/call.ts';
import { defaultSettings } from '../../../../src/domain/index.ts';
import { interfaceLock, type LockSurroundings } from '../../../../src/domain/pods/interface-lock.ts';
import type { ReadLocks } from '../../../../src/ports/node/interface-locks.ts';
import { namespace } from '../../domain/brief-objects.ts';
import { add, del, errorOf, nothing, PodScene, timing, web } from './pod-scene.ts';

const around: LockSurroundings = {
  nodeAddresses: ['172.18.0.2'],
  services: [{ protocol: 'tcp', address: '10.96.0.1', port: 443 }],
};

const probed = {
  ...web(),
  spec: { nodeName: 'worker-a', containers: [{ readinessProbe: { httpGet: { port: 8080 } } }] },
};

const addCall = add() as Extract<CniCall, { readonly command: 'ADD' | 'CHECK' }>;

const eth0 = { name: 'veth-web', index: 101 };

describe('the lock of a pod in the default network', () => {
  let scene: PodScene;
  beforeEach(() => {
    scene = new PodScene();
    scene.node.change({ pods: [probed] });
  });

  const lockReports = () => scene.node.reports.filter(({ kind }) => kind === 'lock-repaired');

  it('is written before ADD is answered, with what is probed, and removed by DEL', async () => {
    await scene.run(add());
    expect(scene.node.locks.all).to.deep.equal([{ interface: eth0, lock: interfaceLock([8080], around) }]);
    await scene.run(del());
    expect(scene.node.locks.all).to.deep.equal([]);
  });

  it('is not needed where a pod has no interface in the default network', async () => {
    const plugin = scene.node.plugin('/run/netns/web', 'eth0');
    const answer = await scene.answer({ ...addCall, attachment: { containerId: 'c0ffee', ifname: 'eth0' } }, plugin);
    expect(answer.kind).to.equal('attached');
    expect(scene.node.locks.all).to.deep.equal([]);
  });

  it('is refused for an interface without other end on the host, and nothing is left', async () => {
    scene.node.locks.devices = [];
    const error = errorOf(await scene.run(add()));
    expect(error?.code).to.equal(100);
    expect(error?.details).to.include('interface eth0 of the pod is in the default network and has no other end');
    expect(scene.node.switchPorts).to.deep.equal([]);
  });

  it('ends an attachment where it is refused, also while OVN does not install flows', async () => {
    await scene.run(add());
    const lockCall = scene.node.calls.indexOf('lock');
    const other = new PodScene({ ...timing, flows: 1_000_000 });
    other.node.change({ pods: [probed] });
    other.node.isOvnRunning = false;
    other.node.disturb(lockCall, 'fails');
    expect(errorOf(await other.run(add()))?.details).to.equal('lock failed');
    expect(other.node.switchPorts).to.deep.equal([]);
  });

  it('waits until it is known what may pass', async () => {
    scene.node.surround(undefined);
    expect(errorOf(await scene.run(add()))?.details).to.include('Service/default/kubernetes: cannot be read');
    const answer = scene.run(add());
    scene.node.surround(around);
    expect((await answer).kind).to.equal('attached');
  });

  it('is written again after somebody has removed it', async () => {
    await scene.run(add());
    const before = scene.node.locks.all;
    await scene.node.locks.clear();
    await scene.repair();
    expect(scene.node.locks.all).to.deep.equal(before);
    const pod = { namespace: 'demo', name: 'web', uid: '1' };
    expect(lockReports()).to.deep.equal([{ kind: 'lock-repaired', interface: 'veth-web', pod, wasMissing: true }]);
  });

  it('is not written again for a pod that is deleted while it is found out that its lock is missing', async () => {
    await scene.run(add());
    await scene.node.locks.clear();
    const { ports } = scene.node;
    const deleting: typeof ports.locks.read = async () => {
      const reading = await ports.locks.read();
      if (!reading.read) return reading;
      const differences: ReadLocks['differences'] = async (wanted) => {
        const found = await reading.value.differences(wanted);
        expect(found.missing).to.have.length(1);
        await agent.answer(del(), scene.node.plugin('/run/netns/web', 'net1'));
        return found;
      };
      return { read: true, value: { ...reading.value, differences } };
    };
    const agent = new PodAgent({ ...ports, locks: { ...ports.locks, read: deleting } }, defaultSettings, timing);
    await agent.repair();
    expect(scene.node.locks.all).to.deep.equal([]);
    expect(lockReports()).to.deep.equal([]);
  });

  it('is written again by the next agent', async () => {
    await scene.run(add());
    await scene.node.locks.clear();
    scene.restartAgent();
    await scene.repair();
    expect(scene.node.locks.all).to.have.length(1);
  });

  it('follows what it follows from', async () => {
    await scene.run(add());
    const other = { ...around, nodeAddresses: ['172.18.0.3'] };
    scene.node.surround(other);
    await scene.repair();
    expect(scene.node.locks.all).to.deep.equal([{ interface: eth0, lock: interfaceLock([8080], other) }]);
    expect(lockReports()).to.have.nested.property('[0].wasMissing', false);
    await scene.repair();
    expect(lockReports()).to.have.length(1);
  });

  it('follows the ports that a running pod opens', async () => {
    const opening = (text: string) => ({
      pods: [{ ...probed, metadata: { ...probed.metadata, annotations: { 'k8s.ovn.org/open-default-ports': text } } }],
    });
    await scene.run(add());
    scene.node.change(opening('- {protocol: tcp, port: 80}\n- {protocol: udp, port: 53}'));
    await scene.repair();
    const lock = interfaceLock([8080], around, { tcp: [80], sctp: [] });
    expect(scene.node.locks.all).to.deep.equal([{ interface: eth0, lock }]);
    scene.node.change({ pods: [probed] });
    await scene.repair();
    expect(scene.node.locks.all).to.deep.equal([{ interface: eth0, lock: interfaceLock([8080], around) }]);
  });

  it('stays while it is not known what may pass; where there is none, nothing passes', async () => {
    await scene.run(add());
    const before = scene.node.locks.all;
    scene.node.surround(undefined);
    await scene.repair();
    expect(scene.node.locks.all).to.deep.equal(before);
    await scene.node.locks.clear();
    await scene.repair();
    const closed = interfaceLock([], { nodeAddresses: [], services: [] });
    expect(scene.node.locks.all).to.deep.equal([{ interface: eth0, lock: closed }]);
    scene.node.surround(around);
    await scene.repair();
    expect(scene.node.locks.all).to.deep.equal(before);
  });

  it('stays, as the attachment does, where the namespace changes its labels, until DEL', async () => {
    await scene.run(add());
    const before = scene.node.remains();
    scene.node.change({ namespace: namespace('demo', { tenant: 'red' }) });
    await scene.repair();
    scene.restartAgent();
    await scene.repair();
    expect(scene.node.remains()).to.deep.equal(before);
    await scene.run(del());
    expect(scene.node.remains()).to.deep.equal(nothing);
  });

  it('of an interface that is gone is removed', async () => {
    await scene.node.locks.put([{ interface: { name: 'veth-next', index: 102 }, lock: interfaceLock([], around) }]);
    await scene.run(add());
    scene.node.locks.devices = [eth0];
    await scene.repair();
    expect(scene.node.locks.all.map((lock) => lock.interface)).to.deep.equal([eth0]);
  });

  it('cannot be repaired as long as locks cannot be read, but ports can', async () => {
    await scene.run(add());
    const { logicalPorts } = scene.node;
    scene.node.logicalPorts = [];
    scene.node.disturb(0, 'fails');
    const attempt = await scene.repair();
    expect(attempt).to.have.nested.property('error.message').include('the locks of interfaces');
    expect(scene.node.logicalPorts).to.deep.equal(logicalPorts);
  });
});
