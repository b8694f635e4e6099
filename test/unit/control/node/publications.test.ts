import { expect } from 'chai';
import { Publications } from '../../../../src/control/node/publications.ts';
import type { PlannedWrite } from '../../../../src/domain/objects/planned-write.ts';
import type { StoredObject } from '../../../../src/domain/objects/differences.ts';
import type { ObjectWrite } from '../../../../src/domain/objects/object-write.ts';
import type { ApplyResult } from '../../../../src/ports/apply-result.ts';
import { FakeResourceStore } from '../../../fakes/resource-store.ts';

/** A store that answers when it is told. */
class SlowStore extends FakeResourceStore {
  readonly writes: string[] = [];
  readonly #asked: ((result: ApplyResult) => void)[] = [];

  override write(write: ObjectWrite): Promise<ApplyResult> {
    const { hostInterfaceName = '' } = write.verb === 'apply' ? (write.status ?? {}) : {};
    this.writes.push(`${write.name} ${String(hostInterfaceName)}`);
    const { promise, resolve } = Promise.withResolvers<ApplyResult>();
    this.#asked.push(resolve);
    return promise;
  }

  /** Answers the write that is under way, and lets the next one begin. */
  async answer(result: ApplyResult = { done: true }): Promise<void> {
    this.#asked.shift()?.(result);
    await new Promise(setImmediate);
  }
}

function stateOf(name: string, hostInterfaceName: string, stored?: StoredObject): PlannedWrite {
  const status = { hostInterfaceName, conditions: [] };
  return { write: { verb: 'apply', kind: 'UplinkState', name, status }, ...(stored && { stored }) };
}

describe('publications of states, where the API server is slow,', () => {
  let store: SlowStore;
  let publications: Publications;
  let refused: string[][];
  beforeEach(async () => {
    store = new SlowStore();
    refused = [];
    publications = new Publications(store, (states) => refused.push([...states.keys()]));
    publications.publish({ registration: [], states: [stateOf('blue', 'br-1'), stateOf('green', 'br-1')] });
    await new Promise(setImmediate);
  });

  it('leave out what a later plan has replaced', async () => {
    publications.publish({ registration: [], states: [stateOf('blue', 'br-2')] });
    publications.publish({ registration: [], states: [stateOf('blue', 'br-3')] });
    for (let count = 0; count < 4; count += 1) await store.answer();
    expect(store.writes).to.deep.equal(['blue br-1', 'green br-1', 'blue br-3']);
    expect(await publications.ended).to.equal(true);
    expect(refused).to.deep.equal([[], []]);
  });

  it('do not write again what was being written when it was planned', async () => {
    publications.publish({
      registration: [],
      states: [stateOf('blue', 'br-1'), stateOf('green', 'br-1'), stateOf('red', 'br-1')],
    });
    for (let count = 0; count < 4; count += 1) await store.answer();
    expect(store.writes).to.deep.equal(['blue br-1', 'green br-1', 'red br-1']);
  });

  it('do not write again what was planned twice from the same stored state', async () => {
    const stored = {};
    publications.publish({ registration: [], states: [stateOf('red', 'br-1', stored)] });
    for (let count = 0; count < 2; count += 1) await store.answer();
    publications.publish({ registration: [], states: [stateOf('red', 'br-1', stored)] });
    for (let count = 0; count < 2; count += 1) await store.answer();
    expect(store.writes).to.deep.equal(['blue br-1', 'green br-1', 'red br-1']);
  });

  it('write again what could not be written', async () => {
    publications.publish({ registration: [], states: [stateOf('blue', 'br-1'), stateOf('green', 'br-1')] });
    await store.answer({ done: false, error: 'it is too busy' });
    for (let count = 0; count < 3; count += 1) await store.answer();
    expect(store.writes).to.deep.equal(['blue br-1', 'green br-1', 'blue br-1']);
    expect(refused).to.deep.equal([['UplinkState/blue'], []]);
    expect(await publications.ended).to.equal(true);
  });

  it('write the same again where it was planned after it was written, or from another stored state: somebody has changed it', async () => {
    publications.publish({ registration: [], states: [stateOf('blue', 'br-1', {})] });
    for (let count = 0; count < 3; count += 1) await store.answer();
    publications.publish({ registration: [], states: [stateOf('green', 'br-1')] });
    await store.answer();
    expect(store.writes).to.deep.equal(['blue br-1', 'green br-1', 'blue br-1', 'green br-1']);
  });
});
