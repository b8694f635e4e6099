import { expect } from 'chai';
import type { FoundNftChain, FoundNftTable, NftChain } from '../../../../src/domain/datapath/nftables/table.ts';
import { interfaceLock } from '../../../../src/domain/pods/interface-lock.ts';
import { lockChains, lockedIndexes, lockState } from '../../../../src/domain/pods/lock-chains.ts';

const lock = {
  interface: { name: 'veth1', index: 7 },
  lock: interfaceLock([8080], { nodeAddresses: ['10.1.0.1'], services: [] }),
};

const [fromPod, toPod] = lockChains(lock) as readonly [NftChain, NftChain];

/** A chain as nft lists it. */
function found({ base, rules }: NftChain, changed: Partial<FoundNftChain> = {}): FoundNftChain {
  return { base, comments: rules.map(({ comment }) => comment), ...changed };
}

const table = (chains: Readonly<Record<string, FoundNftChain>>): FoundNftTable => new Map(Object.entries(chains));

const states: readonly (readonly [what: string, found: FoundNftTable, state: ReturnType<typeof lockState>])[] = [
  ['nothing is there', table({}), 'missing'],
  ['another interface is locked', table({ 'from-pod-8': found(fromPod), 'to-pod-8': found(toPod) }), 'missing'],
  ['both chains are there', table({ 'from-pod-7': found(fromPod), 'to-pod-7': found(toPod) }), 'as-desired'],
  ['one chain is there', table({ 'from-pod-7': found(fromPod) }), 'different'],
  [
    'nft does not print the device',
    table({ 'from-pod-7': found(fromPod), 'to-pod-7': found(toPod, { base: { ...toPod.base, dev: undefined } }) }),
    'as-desired',
  ],
  [
    'a chain is that of two devices',
    table({
      'from-pod-7': found(fromPod, { base: { ...fromPod.base, dev: ['veth1', 'veth2'] } }),
      'to-pod-7': found(toPod),
    }),
    'different',
  ],
  [
    'a chain accepts what no rule names',
    table({ 'from-pod-7': found(fromPod), 'to-pod-7': found(toPod, { base: { ...toPod.base, policy: 'accept' } }) }),
    'different',
  ],
  [
    'a rule is in another place',
    table({
      'from-pod-7': found(fromPod, { comments: found(fromPod).comments.toReversed() }),
      'to-pod-7': found(toPod),
    }),
    'different',
  ],
  [
    'there is a rule without comment',
    table({
      'from-pod-7': found(fromPod, { comments: [...found(fromPod).comments, undefined] }),
      'to-pod-7': found(toPod),
    }),
    'different',
  ],
];

describe('a lock', () => {
  for (const [what, chains, state] of states) {
    it(`is ${state} where ${what}`, () => {
      expect(lockState(lock, chains)).to.equal(state);
    });
  }

  it('is that of the index in the names of its chains', () => {
    const names = ['from-pod-7', 'to-pod-12', 'from-pod-', 'from-pod-07', 'other-7', 'to-pod-7x'];
    expect(lockedIndexes(table(Object.fromEntries(names.map((name) => [name, found(fromPod)]))))).to.deep.equal(
      new Set([7, 12]),
    );
  });
});
