import { expect } from 'chai';
import { Semaphore } from '../../../../src/control/pods/semaphore.ts';

const never = new AbortController().signal;

/** Work that ends when it is told to. */
function pieces() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work =
    (name: string, fails = false) =>
    async () => {
      begun.push(name);
      const { promise, resolve } = Promise.withResolvers<undefined>();
      ends.set(name, () => resolve(undefined));
      await promise;
      if (fails) throw new Error(name);
      return name;
    };
  const end = async (name: string) => {
    // Work begins a moment after its turn has come.
    await new Promise(setImmediate);
    ends.get(name)!();
    await new Promise(setImmediate);
  };
  return { begun, work, end };
}

describe('turns', () => {
  it('begin some work at once, and others in their order as work ends, also if it fails', async () => {
    const { begun, work, end } = pieces();
    const turns = new Semaphore(2);
    const failing = turns.take('blue', work('a', true), never).catch(String);
    const others = ['b', 'c', 'd'].map((name) => turns.take('blue', work(name), never));
    await new Promise(setImmediate);
    expect(begun).to.deep.equal(['a', 'b']);
    await end('a');
    expect(begun).to.deep.equal(['a', 'b', 'c']);
    for (const name of ['c', 'd', 'b']) await end(name);
    expect(await failing).to.equal('Error: a');
    expect(await Promise.all(others)).to.deep.equal(['b', 'c', 'd']);
    expect(begun).to.deep.equal(['a', 'b', 'c', 'd']);
  });

  it('come first to the group of which the fewest are done', async () => {
    const { begun, work, end } = pieces();
    const turns = new Semaphore(2);
    const all = (['blue', 'blue', 'blue', 'blue', 'red', 'red'] as const).map((group, index) =>
      turns.take(group, work(`${group}-${index}`), never),
    );
    for (const name of ['blue-0', 'blue-1', 'blue-2', 'red-4', 'blue-3', 'red-5']) await end(name);
    expect(await Promise.all(all)).to.have.length(6);
    expect(begun).to.deep.equal(['blue-0', 'blue-1', 'red-4', 'blue-2', 'blue-3', 'red-5']);
  });

  it('do not begin work that is not waited for any longer, and lose no turn by it', async () => {
    const { begun, work, end } = pieces();
    const turns = new Semaphore(1);
    const first = turns.take('blue', work('a'), never);
    const ended = new AbortController();
    const given = turns.take('blue', work('b'), ended.signal);
    const third = turns.take('blue', work('c'), never);
    ended.abort();
    expect(await given).to.equal(undefined);
    expect(await turns.take('blue', work('d'), ended.signal)).to.equal(undefined);
    await end('a');
    await end('c');
    expect(await Promise.all([first, third])).to.deep.equal(['a', 'c']);
    expect(begun).to.deep.equal(['a', 'c']);
    // There is one turn again.
    const last = turns.take('blue', work('e'), ended.signal);
    await end('e');
    expect(await last).to.equal('e');
  });
});
