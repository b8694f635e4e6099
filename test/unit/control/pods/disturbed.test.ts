import { expect } from 'chai';
import type { CniAnswer } from '../../../../src/domain/pods/cni/answer.ts';
import { Defect, type Disturbance, Killed } from '../../../fakes/pod-node.ts';
import { add, del, errorOf, nothing, PodScene } from './pod-scene.ts';

/** Runs something with each call of a port disturbed. @returns the number of calls */
async function disturbed(
  how: Disturbance,
  prepare: (scene: PodScene) => Promise<unknown>,
  run: (scene: PodScene) => Promise<CniAnswer>,
  check: (scene: PodScene, answer: CniAnswer | undefined, call: string) => void | Promise<void>,
): Promise<number> {
  for (let at = 0; ; at++) {
    const scene = new PodScene();
    await prepare(scene);
    const before = scene.node.calls.length;
    scene.node.disturb(at, how);
    const answer = await run(scene).catch((error: unknown) => {
      if (error instanceof Killed || error instanceof Defect) return undefined;
      throw error;
    });
    if (at >= scene.node.calls.length - before) return at;
    await check(scene, answer, `${how} at ${at} (${scene.node.calls[before + at] ?? ''})`);
  }
}

const nobody = () => Promise.resolve();

describe('an agent that is killed at any step', () => {
  for (const how of ['killed-before', 'killed-after'] as const) {
    it(`of ADD (${how}) leaves what DEL removes`, async () => {
      const calls = await disturbed(
        how,
        nobody,
        (scene) => scene.run(add()),
        async (scene, _, step) => {
          scene.restartAgent();
          expect(await scene.run(del()), step).to.deep.equal({ kind: 'done' });
          scene.node.change({ pods: [] });
          expect((await scene.repair()).ok, step).to.equal(true);
          expect(scene.node.remains(), step).to.deep.equal(nothing);
        },
      );
      expect(calls).to.equal(12);
    });

    it(`of ADD (${how}) attaches the next container as if it had not been`, async () => {
      const undisturbed = new PodScene();
      await undisturbed.run(add('decaf', '/run/netns/next'), '/run/netns/next');
      await disturbed(
        how,
        nobody,
        (scene) => scene.run(add()),
        async (scene, _, step) => {
          scene.restartAgent();
          await scene.repair();
          await scene.run(del());
          scene.node.now += 60;
          const answer = await scene.run(add('decaf', '/run/netns/next'), '/run/netns/next');
          expect(answer.kind, step).to.equal('attached');
          expect(scene.node.remains(), step).to.deep.equal(undisturbed.node.remains());
        },
      );
    });

    it(`of ADD (${how}) before the node restarts leaves nothing for good`, async () => {
      await disturbed(
        how,
        nobody,
        (scene) => scene.run(add()),
        async (scene, _, step) => {
          scene.restartAgent();
          scene.node.reboot();
          scene.node.change({ pods: [] });
          expect((await scene.repair()).ok, step).to.equal(true);
          expect(scene.node.remains(), step).to.deep.equal(nothing);
        },
      );
    });

    it(`of DEL (${how}) removes the rest when DEL is repeated`, async () => {
      await disturbed(
        how,
        (scene) => scene.run(add()),
        (scene) => scene.run(del()),
        async (scene, _, step) => {
          scene.restartAgent();
          expect(await scene.run(del()), step).to.deep.equal({ kind: 'done' });
          expect(scene.node.remains(), step).to.deep.equal(nothing);
        },
      );
    });

    it(`of a repair (${how}) completes it with the next one`, async () => {
      const lose = async (scene: PodScene) => {
        await scene.run(add());
        scene.node.reboot();
        scene.node.change({ pods: [] });
      };
      const repaired = async (scene: PodScene): Promise<CniAnswer> => {
        await scene.repair();
        return { kind: 'done' };
      };
      await disturbed(how, lose, repaired, async (scene, _, step) => {
        scene.restartAgent();
        expect((await scene.repair()).ok, step).to.equal(true);
        expect(scene.node.remains(), step).to.deep.equal(nothing);
      });
    });
  }
});

describe('an agent with a failure at any step', () => {
  it('of ADD undoes everything, and asks to try again', async () => {
    await disturbed(
      'fails',
      nobody,
      (scene) => scene.run(add()),
      (scene, answer, step) => {
        if (answer?.kind === 'attached') return;
        expect(answer && errorOf(answer)?.code, step).to.equal(11);
        expect(scene.node.remains(), step).to.deep.equal(nothing);
      },
    );
  });

  for (const how of ['throws-before', 'throws-after'] as const) {
    it(`of ADD that is a defect of its own (${how}) undoes everything`, async () => {
      await disturbed(
        how,
        nobody,
        (scene) => scene.run(add()),
        async (scene, answer, step) => {
          expect(answer, step).to.equal(undefined);
          // Those of the pod, which exists, wait for it.
          scene.node.change({ pods: [] });
          expect((await scene.repair()).ok, step).to.equal(true);
          expect(scene.node.remains(), step).to.deep.equal(nothing);
        },
      );
    });
  }

  it('of DEL asks to try again, or a repair does it, after which nothing is left', async () => {
    await disturbed(
      'fails',
      (scene) => scene.run(add()),
      (scene) => scene.run(del()),
      async (scene, answer, step) => {
        if (answer?.kind === 'failed') {
          expect(errorOf(answer)?.code, step).to.equal(11);
          expect(await scene.run(del()), step).to.deep.equal({ kind: 'done' });
        } else {
          // The runtime deletes the other interfaces of the pod too.
          scene.node.locks.devices = [];
          expect((await scene.repair()).ok, step).to.equal(true);
        }
        expect(scene.node.remains(), step).to.deep.equal(nothing);
      },
    );
  });
});
