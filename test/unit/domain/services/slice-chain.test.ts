import { expect } from 'chai';
import fc from 'fast-check';
import type { NamedPod } from '../../../../src/domain/services/names.ts';
import { SliceChain } from '../../../../src/domain/services/slice-chain.ts';

const podOf = (name: string, port = 80): NamedPod => ({
  endpoint: { addresses: [name] },
  ports: [{ name: '', protocol: 'TCP', port }],
});

/** Names of some pods, in their order. */
const names = (count: number, first = 0) =>
  Array.from({ length: count }, (_, at) => `pod-${String(first + at).padStart(4, '0')}`);

/** Stored slices, which follow a chain. */
class Stored {
  readonly chain = new SliceChain();
  readonly slices = new Map<number, readonly string[]>();

  set(pods: Iterable<string>, port?: number): void {
    for (const name of pods) this.chain.setPod(name, podOf(name, port));
  }

  /** Writes all slices that differ. @returns their numbers */
  write(): readonly number[] {
    const written: number[] = [];
    for (const number of [...this.chain.settle()].sort((one, two) => one - two)) {
      const pods = this.chain.podsOf(number).flatMap(({ endpoint }) => endpoint.addresses);
      if (pods.join() === (this.slices.get(number) ?? []).join()) continue;
      written.push(number);
      if (pods.length === 0) this.slices.delete(number);
      else this.slices.set(number, pods);
    }
    for (const number of written) this.chain.setSlice(number, this.slices.get(number));
    // They are seen as they are.
    this.chain.settle();
    return written;
  }

  get sizes(): Readonly<Record<number, number>> {
    return Object.fromEntries([...this.slices].map(([number, pods]) => [number, pods.length]));
  }
}

describe('the slices of a Service and a family', () => {
  it('have a hundred pods each, by name, and the last one the rest', () => {
    const stored = new Stored();
    stored.set(names(250));
    expect(stored.write()).to.deep.equal([1, 2, 3]);
    expect(stored.sizes).to.deep.equal({ 1: 100, 2: 100, 3: 50 });
    expect(stored.slices.get(2)?.[0]).to.equal('pod-0100');
    expect(stored.write()).to.deep.equal([]);
  });

  it('change in one place where a pod changes, goes or comes: no other pod moves', () => {
    const stored = new Stored();
    stored.set(names(250));
    stored.write();
    stored.chain.setPod('pod-0020', undefined);
    expect(stored.write()).to.deep.equal([1]);
    const endpoint = { addresses: ['pod-0120'], conditions: { ready: false } };
    stored.chain.setPod('pod-0120', { ...podOf('pod-0120'), endpoint });
    expect([...stored.chain.settle()]).to.deep.equal([2]);
    // The fullest one with room.
    stored.set(['pod-9999']);
    expect(stored.write()).to.deep.equal([1]);
    expect(stored.slices.get(1)).to.include('pod-9999');
  });

  it('are not judged for a pod that is the same', () => {
    const stored = new Stored();
    stored.set(names(3));
    stored.write();
    stored.set(names(3));
    stored.chain.setPod('nobody', undefined);
    expect([...stored.chain.settle()]).to.deep.equal([]);
  });

  it('stay as few as they are where pods come in the place of others', () => {
    const stored = new Stored();
    stored.set(names(100));
    stored.write();
    for (const [at, name] of names(100).entries()) {
      stored.chain.setPod(name, undefined);
      stored.set(names(1, 100 + at));
      expect(stored.write()).to.deep.equal([1]);
    }
    expect(stored.sizes).to.deep.equal({ 1: 100 });
  });

  it('are gone where they are empty, and their number is used again', () => {
    const stored = new Stored();
    stored.set(names(101));
    stored.write();
    for (const name of names(100)) stored.chain.setPod(name, undefined);
    expect(stored.write()).to.deep.equal([1]);
    expect(stored.sizes).to.deep.equal({ 2: 1 });
    stored.set(names(100, 200));
    stored.write();
    expect(stored.sizes).to.deep.equal({ 1: 1, 2: 100 });
  });

  it('have pods of the same ports only, and all move in their place to other ones', () => {
    const stored = new Stored();
    stored.set(names(3));
    stored.write();
    stored.set(['pod-0001'], 8080);
    expect(stored.write()).to.deep.equal([1, 2]);
    expect([...stored.slices]).to.deep.equal([
      [1, ['pod-0000', 'pod-0002']],
      [2, ['pod-0001']],
    ]);
    stored.set(['pod-0000', 'pod-0002'], 8080);
    stored.write();
    // Its slice takes the ports that all pods in it have.
    expect([...stored.slices]).to.deep.equal([
      [1, ['pod-0000', 'pod-0002']],
      [2, ['pod-0001']],
    ]);
    expect(stored.chain.podsOf(1)[0]?.ports[0]?.port).to.equal(8080);
  });

  it('have a pod once that somebody has put into two, and no more than a hundred that somebody has put into one', () => {
    const stored = new Stored();
    stored.set(names(120));
    stored.chain.setSlice(7, names(120));
    stored.slices.set(7, names(120));
    stored.chain.setSlice(3, names(2));
    stored.slices.set(3, names(2));
    stored.write();
    expect(stored.sizes).to.deep.equal({ 3: 20, 7: 100 });
  });

  it('pass over numbers that others have taken', () => {
    const stored = new Stored();
    stored.chain.setSlice(1, 'taken');
    stored.set(names(101));
    expect(stored.write()).to.deep.equal([2, 3]);
    stored.chain.setSlice(1, undefined);
    stored.set(names(100, 200));
    stored.write();
    expect(stored.sizes).to.deep.equal({ 1: 1, 2: 100, 3: 100 });
  });

  it('follow from the pods and what is stored alone, whatever came first', () => {
    const change = fc.oneof(
      fc.record({ pod: fc.integer({ max: 6, min: 0 }), port: fc.constantFrom(undefined, 80, 80, 81) }),
      fc.record({
        number: fc.integer({ min: 1, max: 3 }),
        slice: fc.oneof(
          fc.constantFrom('taken' as const, undefined),
          fc.uniqueArray(fc.integer({ max: 7, min: 0 }), { maxLength: 4 }),
        ),
      }),
      fc.constant('settle' as const),
    );
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        const chain = new SliceChain();
        const pods = new Map<string, NamedPod>();
        const slices = new Map<number, readonly string[] | 'taken'>();
        const known = new Map<number, string>();
        const contentOf = (of: SliceChain, number: number) => JSON.stringify(of.podsOf(number));
        const settle = () => {
          const judged = chain.settle();
          for (const number of Array.from({ length: 12 }, (_, at) => at + 1)) {
            const content = contentOf(chain, number);
            if (content !== (known.get(number) ?? '[]')) expect(judged.has(number), 'it is judged').to.equal(true);
            known.set(number, content);
          }
        };
        for (const each of changes)
          if (each === 'settle') settle();
          else if ('pod' in each) {
            const name = `pod-${String(each.pod)}`;
            const pod = each.port === undefined ? undefined : podOf(name, each.port);
            chain.setPod(name, pod);
            if (pod === undefined) pods.delete(name);
            else pods.set(name, pod);
          } else {
            const { number, slice } = each;
            const stored = Array.isArray(slice) ? slice.map((at) => `pod-${String(at)}`) : slice;
            chain.setSlice(number, stored);
            if (stored === undefined) slices.delete(number);
            else slices.set(number, stored);
          }
        settle();
        const anew = new SliceChain();
        for (const [number, stored] of slices) anew.setSlice(number, stored);
        for (const [name, pod] of pods) anew.setPod(name, pod);
        anew.settle();
        const placed: string[] = [];
        for (const number of known.keys()) {
          expect(contentOf(chain, number), `slice ${String(number)}`).to.equal(contentOf(anew, number));
          const found = chain.podsOf(number);
          expect(new Set(found.map(({ ports }) => JSON.stringify(ports))).size, 'ports').to.be.at.most(1);
          placed.push(...found.flatMap(({ endpoint }) => endpoint.addresses));
        }
        expect(placed.sort(), 'each pod is in one').to.deep.equal([...pods.keys()].sort());
      }),
      { numRuns: 2000 },
    );
  });
});
