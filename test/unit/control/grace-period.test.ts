import { expect } from 'chai';
import { withGracePeriod } from '../../../src/control/grace-period.ts';
import type { ClusterSnapshot } from '../../../src/domain/index.ts';
import type { ResourceStore } from '../../../src/ports/cluster/resource-store.ts';
import { FakeResourceStore } from '../../fakes/resource-store.ts';
import { pod } from '../domain/brief-objects.ts';

/** Milliseconds that do not pass in a test. */
const LONG = 3_600_000;

describe('the grace period of a dynamic network', () => {
  let objects: FakeResourceStore;
  let store: ResourceStore;

  function start(gracePeriod: number): void {
    objects = new FakeResourceStore();
    store = withGracePeriod(objects, gracePeriod);
  }
  afterEach(() => store.close());

  async function snapshot(): Promise<ClusterSnapshot> {
    const reading = await store.read();
    if (!reading.read) throw new Error(JSON.stringify(reading.problems));
    return reading.value.snapshot;
  }

  const former = async () => (await snapshot()).formerActivity;
  const add = (name: string, namespace: string, node: string) => objects.put({ ...pod(name, namespace, node) });

  it('begins with the end of the last pod of a namespace on a node', async () => {
    start(LONG);
    add('one', 'blue', 'a');
    add('two', 'blue', 'a');
    add('other', 'blue', 'b');
    expect(await former()).to.be.undefined;
    objects.remove('Pod', 'blue/one');
    expect(await former()).to.be.undefined;
    objects.remove('Pod', 'blue/two');
    expect(await former()).to.deep.equal([{ namespace: 'blue', node: 'a' }]);
    objects.put({ ...pod('other', 'blue', 'b'), status: { phase: 'Succeeded' } });
    expect(await former()).to.deep.equal([
      { namespace: 'blue', node: 'a' },
      { namespace: 'blue', node: 'b' },
    ]);
  });

  it('ends with another pod, and begins anew after that', async () => {
    start(LONG);
    add('one', 'blue', 'a');
    await snapshot();
    objects.remove('Pod', 'blue/one');
    expect(await former()).to.have.length(1);
    add('two', 'blue', 'a');
    expect(await former()).to.be.undefined;
    objects.remove('Pod', 'blue/two');
    expect(await former()).to.have.length(1);
  });

  it('is over some time later, which is reported as a change', async () => {
    start(20);
    add('one', 'blue', 'a');
    await snapshot();
    const changed = Promise.withResolvers<undefined>();
    objects.remove('Pod', 'blue/one');
    store.onChange(() => changed.resolve(undefined));
    const before = performance.now();
    expect(await former()).to.have.length(1);
    await changed.promise;
    // A timer may fire up to a millisecond early; the next one follows.
    while ((await former()) !== undefined) await new Promise(setImmediate);
    expect(performance.now() - before).to.be.at.least(20);
  });

  it('leaves the snapshot and its lists as they are while nothing changes', async () => {
    start(LONG);
    add('one', 'blue', 'a');
    const first = await snapshot();
    expect(await snapshot()).to.equal(first);
    objects.remove('Pod', 'blue/one');
    const second = await snapshot();
    expect(await snapshot()).to.equal(second);
    objects.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'blue' } });
    const third = await snapshot();
    expect(third).not.to.equal(second);
    expect(third.formerActivity).to.equal(second.formerActivity);
    expect(third.pods).to.equal(second.pods);
  });

  it('can be none', async () => {
    start(0);
    add('one', 'blue', 'a');
    await snapshot();
    objects.remove('Pod', 'blue/one');
    while ((await former()) !== undefined) await new Promise(setImmediate);
  });
});
