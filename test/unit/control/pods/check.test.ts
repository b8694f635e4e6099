import { expect } from 'chai';
import type { PodInterface } from '../../../../src/domain/pods/cni/messages.ts';
import type { LockedInterface } from '../../../../src/domain/pods/lock-chains.ts';
import type { CniPlugin } from '../../../../src/ports/pods/cni-agent.ts';
import { add, check, errorOf, PodScene } from './pod-scene.ts';

describe('an agent that is asked by CHECK', () => {
  it('finds what is wrong', async () => {
    const scene = new PodScene();
    expect(errorOf(await scene.run(check))?.details).to.equal('the pod has no logical switch port');
    await scene.run(add());
    scene.node.isOvnRunning = false;
    scene.node.links.clear();
    expect(errorOf(await scene.run(check))?.details).to.equal('there is no interface net1 in the namespace');
  });

  it('finds that answers by the default network have no route any more', async () => {
    const scene = new PodScene();
    await scene.run(add());
    expect(await scene.run(check)).to.deep.equal({ kind: 'done' });
    const [[key, { podInterface }]] = [...scene.node.links] as [[string, { podInterface: PodInterface }]];
    scene.node.links.set(key, { podInterface: { ...podInterface, answers: [] } });
    expect(errorOf(await scene.run(check))?.details).to.equal(
      'answers from the addresses of interface eth0 have no route to 0.0.0.0/0 via 10.244.0.1',
    );
  });

  it('attaches pods, and finds nothing wrong, by an older plugin, which knows nothing of answers', async () => {
    const scene = new PodScene();
    const plugin = scene.node.plugin('/run/netns/web', 'net1');
    const older: CniPlugin = {
      ...plugin,
      take: async (step) => {
        const outcome = await plugin.take(step);
        if (outcome.observed === undefined) return outcome;
        const { answers: _, ...observed } = outcome.observed;
        return { ...outcome, observed };
      },
    };
    expect(await scene.answer(add(), older)).to.include({ kind: 'attached' });
    expect(await scene.answer(check, older)).to.deep.equal({ kind: 'done' });
  });

  it('finds that an interface of the default network is not locked, or differently', async () => {
    const scene = new PodScene();
    await scene.run(add());
    const [{ interface: locked }] = scene.node.locks.all as [LockedInterface];
    scene.node.locks.removeNow([locked.index]);
    expect(errorOf(await scene.run(check))?.details).to.equal(
      `interface ${locked.name} of the default network is not locked`,
    );
    scene.node.locks.putNow([{ interface: locked, lock: { 'from-pod': [], 'to-pod': [] } }]);
    expect(errorOf(await scene.run(check))?.details).to.equal(
      `interface ${locked.name} of the default network is not locked`,
    );
  });
});
