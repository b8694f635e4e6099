import { conditionsWrite, stateDeletion, stateWrite } from '../../../../src/domain/objects/writes.ts';
import { expect } from 'chai';
import { LeadingLoop, writtenByLeader } from '../../../../src/control/cluster/leading.ts';
import type { ClusterReport } from '../../../../src/ports/cluster/cluster-report.ts';
import type { Leadership } from '../../../../src/ports/cluster/leadership.ts';
import { FakeResourceStore } from '../../../fakes/resource-store.ts';
import { stateOf } from '../../../contract/resource-store.ts';

/** A leadership that a test gives and takes. */
class FakeLeadership implements Leadership {
  isLeader = false;
  readonly calls: string[] = [];
  #acquired = Promise.withResolvers<boolean>();
  #onLost: (reason: string) => void = () => undefined;

  acquire(): Promise<boolean> {
    return this.#acquired.promise;
  }

  onLost(listener: (reason: string) => void): void {
    this.#onLost = listener;
  }

  release(): Promise<void> {
    this.calls.push('release');
    this.#acquired.resolve(false);
    return Promise.resolve();
  }

  give(): void {
    this.isLeader = true;
    this.#acquired.resolve(true);
  }

  take(): void {
    this.isLeader = false;
    this.#onLost('nobody answers');
  }
}

/** A loop that runs until it is stopped, with what happens to it. */
function start() {
  const leadership = new FakeLeadership();
  const { calls } = leadership;
  const ended = Promise.withResolvers<boolean>();
  const loop = {
    run: () => {
      calls.push('run');
      return ended.promise;
    },
    stop: () => {
      calls.push('stop');
      ended.resolve(true);
    },
  };
  const leading = new LeadingLoop(loop, leadership, ({ kind }: ClusterReport) => calls.push(kind));
  return { leadership, leading, calls, result: leading.run() };
}

/** Lets what is due be done. */
const turn = () => new Promise(setImmediate);

describe('a loop with leader election', () => {
  it('runs once this process leads, and releases the leadership after its end', async () => {
    const { leadership, leading, calls, result } = start();
    await turn();
    expect(calls).to.deep.equal(['standing-by']);
    leadership.give();
    await turn();
    leading.stop();
    expect(await result).to.equal(true);
    expect(calls).to.deep.equal(['standing-by', 'leading', 'run', 'stop', 'release']);
  });

  it('never runs if it is stopped before', async () => {
    const { leading, calls, result } = start();
    leading.stop();
    expect(await result).to.equal(true);
    expect(calls).to.deep.equal(['standing-by', 'release']);
  });

  it('ends as failed if the leadership is lost, to be restarted', async () => {
    const { leadership, calls, result } = start();
    leadership.give();
    await turn();
    leadership.take();
    expect(await result).to.equal(false);
    expect(calls).to.deep.equal(['standing-by', 'leading', 'run', 'leadership-lost', 'stop', 'release']);
  });
});

describe('a store with leader election', () => {
  it('refuses writes without leadership', async () => {
    const leadership = new FakeLeadership();
    const store = writtenByLeader(new FakeResourceStore(), leadership);
    const write = async () => {
      const state = await store.write(stateWrite(stateOf('blue.worker-a')));
      const deletion = await store.write(stateDeletion('blue.worker-b'));
      const status = await store.write(conditionsWrite({ kind: 'Uplink', name: 'blue', conditions: [] }));
      return [state, deletion, status].map((result) => (result.done ? 'done' : result.error));
    };
    expect(new Set(await write())).to.deep.equal(new Set(['another process leads now']));
    leadership.isLeader = true;
    expect((await write()).slice(0, 2)).to.deep.equal(['done', 'done']);
  });
});
