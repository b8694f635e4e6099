import { expect } from 'chai';
import fc from 'fast-check';
import { Queues } from '../../../../src/control/pods/queues.ts';
import { caseCount } from '../../../case-count.ts';

/** Work that ends when it is told to. */
class Pieces {
  readonly queues = new Queues();
  readonly begun: string[] = [];
  readonly #ends = new Map<string, PromiseWithResolvers<undefined>>();

  add(piece: string, names: readonly string[] | 'all'): Promise<string> {
    const end = Promise.withResolvers<undefined>();
    this.#ends.set(piece, end);
    return this.queues.do(names, async () => {
      this.begun.push(piece);
      await end.promise;
      return piece;
    });
  }

  async end(piece: string, error?: Error): Promise<void> {
    if (error === undefined) this.#ends.get(piece)?.resolve(undefined);
    else this.#ends.get(piece)?.reject(error);
    await this.settle();
  }

  async settle(): Promise<void> {
    await new Promise(setImmediate);
  }
}

describe('queues', () => {
  it('have work for one name wait, and not that for others', async () => {
    const pieces = new Pieces();
    const first = pieces.add('first', ['blue']);
    void pieces.add('second', ['blue']);
    void pieces.add('third', ['red']);
    await pieces.settle();
    expect(pieces.begun).to.deep.equal(['first', 'third']);
    await pieces.end('first');
    expect(await first).to.equal('first');
    expect(pieces.begun).to.deep.equal(['first', 'third', 'second']);
  });

  it('have work go on after a failure', async () => {
    const pieces = new Pieces();
    const failing = pieces.add('first', ['blue']).catch(String);
    void pieces.add('second', ['blue']);
    await pieces.settle();
    await pieces.end('first', new Error('failed'));
    expect([await failing, pieces.begun]).to.deep.equal(['Error: failed', ['first', 'second']]);
  });

  it('have work for all names wait for all, and later work for it', async () => {
    const pieces = new Pieces();
    void pieces.add('blue', ['blue']);
    void pieces.add('red', ['red']);
    void pieces.add('all', 'all');
    void pieces.add('later', ['green']);
    await pieces.settle();
    await pieces.end('blue');
    expect(pieces.begun).to.deep.equal(['blue', 'red']);
    await pieces.end('red');
    expect(pieces.begun).to.deep.equal(['blue', 'red', 'all']);
    await pieces.end('all');
    expect(pieces.begun).to.deep.equal(['blue', 'red', 'all', 'later']);
  });

  it('begin work exactly when all earlier work with a name in common has ended', async () => {
    const names = fc.oneof(
      { weight: 5, arbitrary: fc.subarray(['a', 'b', 'c'], { minLength: 1 }) },
      { weight: 1, arbitrary: fc.constant('all' as const) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(names, { maxLength: 8 }), fc.infiniteStream(fc.nat()), async (all, choices) => {
        const pieces = new Pieces();
        all.forEach((each, index) => void pieces.add(String(index), each));
        const ended = new Set<number>();
        const meet = (left: number, right: number) => {
          const [first, second] = [all[left]!, all[right]!];
          return first === 'all' || second === 'all' || first.some((name) => second.includes(name));
        };
        await pieces.settle();
        while (ended.size < all.length) {
          const expected = all
            .map((_, index) => index)
            .filter((index) => all.every((__, other) => other >= index || ended.has(other) || !meet(other, index)));
          expect(new Set(pieces.begun.map(Number))).to.deep.equal(new Set(expected));
          const running = expected.filter((index) => !ended.has(index));
          const next = running[choices.next().value % running.length]!;
          ended.add(next);
          await pieces.end(String(next));
        }
      }),
      { numRuns: caseCount(200) },
    );
  });
});
