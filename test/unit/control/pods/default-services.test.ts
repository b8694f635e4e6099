import { expect } from 'chai';
import { add, errorOf, PodScene } from './pod-scene.ts';

const around = { nodeAddresses: ['172.18.0.2'], services: [] };

describe('an agent that attaches a pod', () => {
  it('has it reach the Services of the default network by single routes, and no other ones', async () => {
    const scene = new PodScene();
    await scene.run(add());
    const [link] = [...scene.node.links.values()];
    expect(link?.podInterface.routes.filter(({ interface: device }) => device === 'eth0')).to.deep.equal(
      ['10.96.0.1/32', '10.96.0.10/32'].map((destination) => ({
        destination,
        gateway: '10.244.0.1',
        interface: 'eth0',
      })),
    );
  });

  it('waits for DNS and the Kubernetes API, which it could not give to a running pod', async () => {
    const scene = new PodScene();
    scene.node.surround({ ...around, missing: ['Service kube-system/kube-dns does not exist'] });
    const answer = scene.run(add());
    scene.node.surround({ ...around, addresses: ['10.96.0.10'] });
    expect((await answer).kind).to.equal('attached');
    expect(scene.node.switchPorts[0]?.defaultServices).to.deep.equal(['10.96.0.10']);
  });

  it('says which of them is missing when the time is over', async () => {
    const scene = new PodScene();
    scene.node.surround({ ...around, missing: ['Service kube-system/kube-dns does not exist', 'and another one'] });
    expect(errorOf(await scene.run(add()))).to.deep.include({
      code: 11,
      details: 'Service kube-system/kube-dns does not exist; and another one',
    });
    expect(scene.node.switchPorts).to.deep.equal([]);
  });

  it('changes nothing of a running pod where they change', async () => {
    const scene = new PodScene();
    await scene.run(add());
    const before = { ports: scene.node.switchPorts, pods: scene.node.facts.pods };
    scene.node.surround({ ...around, addresses: ['10.96.0.99'] });
    expect(await scene.repair()).to.include({ ok: true });
    expect({ ports: scene.node.switchPorts, pods: scene.node.facts.pods }).to.deep.equal(before);
  });
});
