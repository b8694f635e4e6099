import { expect } from 'chai';
import type { JsonObject } from '../../../../src/adapters/json/json-object.ts';
import { WatchedKind } from '../../../../src/adapters/kubernetes/watch/watched-kind.ts';

/** A list in memory. */
class TestList {
  objects: readonly JsonObject[];
  readonly end = Promise.withResolvers<undefined>();
  isClosed = false;

  constructor(namespace: string | undefined) {
    this.objects = [{ metadata: { name: `of ${namespace ?? 'all'}` } }];
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.end.promise;
  }
}

describe('the lists of a kind', () => {
  const opened: [string | undefined, TestList][] = [];
  const open = (namespace: string | undefined) => {
    const list = new TestList(namespace);
    opened.push([namespace, list]);
    return list;
  };
  const kindWith = (...scope: readonly string[]) => new WatchedKind(open, scope);
  const namesIn = ({ objects }: WatchedKind<TestList>) =>
    objects.map(({ metadata }) => (metadata as { readonly name: string }).name);
  beforeEach(() => void opened.splice(0));

  it('are one for each requested namespace, each started once', () => {
    const kind = kindWith('a');
    kind.watch(['a', 'b', 'b']);
    expect(opened.map(([namespace]) => namespace)).to.deep.equal(['a', 'b']);
    expect(namesIn(kind)).to.deep.equal(['of a', 'of b']);
  });

  it('are one if all objects are requested', () => {
    const kind = kindWith('a');
    kind.watch('everywhere');
    expect(namesIn(kind)).to.deep.equal(['of all']);
    expect(opened.map(([, { isClosed }]) => isClosed)).to.deep.equal([true, false]);
  });

  it('end if their namespace is no longer requested, and start again if it is', () => {
    const kind = kindWith('a', 'b');
    kind.watch(['b']);
    expect(namesIn(kind)).to.deep.equal(['of b']);
    kind.watch([]);
    expect(namesIn(kind)).to.deep.equal([]);
    kind.watch(['a']);
    expect(opened.map(([namespace, { isClosed }]) => [namespace, isClosed])).to.deep.equal([
      ['a', true],
      ['b', true],
      ['a', false],
    ]);
  });

  it('have the same objects as before if none has changed', () => {
    for (const scope of [[], ['a'], ['a', 'b']]) {
      const kind = kindWith(...scope);
      const before = kind.objects;
      kind.watch(scope);
      expect(kind.objects).to.equal(before);
    }
    const kind = kindWith('a', 'b');
    const before = kind.objects;
    opened.at(-1)![1].objects = [];
    expect(kind.objects).not.to.equal(before);
    expect(namesIn(kind)).to.deep.equal(['of a']);
  });

  it('are closed once the last request of each has ended, also of those that have ended before', async () => {
    const kind = kindWith('a', 'b');
    kind.watch(['b']);
    const ended: string[] = [];
    const closed = kind.close().then(() => ended.push('closed'));
    for (const [namespace = '', { end }] of opened.toReversed()) {
      await Promise.resolve();
      ended.push(namespace);
      end.resolve(undefined);
    }
    await closed;
    expect(ended).to.deep.equal(['b', 'a', 'closed']);
  });
});
