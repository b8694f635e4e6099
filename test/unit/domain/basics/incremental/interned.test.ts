import { expect } from 'chai';
import { interned, lazyByContent, pairKeys } from '../../../../../src/domain/basics/incremental/interned.ts';

describe('equal values', () => {
  it('are one object', () => {
    const same = interned<readonly string[]>();
    expect(same(['a', 'b']))
      .to.equal(same(['a', 'b']))
      .and.to.deep.equal(['a', 'b']);
    expect(same(['b', 'a'])).not.to.equal(same(['a', 'b']));
  });

  it('are one object until there are too many values', () => {
    const same = interned<object>(2);
    const first = same({ id: 1 });
    same({ id: 2 });
    expect(same({ id: 1 })).to.equal(first);
    for (const id of [3, 4, 5]) same({ id });
    expect(same({ id: 1 })).not.to.equal(first);
    expect(same({ id: 1 })).to.deep.equal(first);
  });

  it('lead to one result', () => {
    const inputs: (readonly number[])[] = [];
    const sum = lazyByContent((input: readonly number[]) => {
      inputs.push(input);
      return input.reduce((left, right) => left + right, 0);
    });
    expect([sum([1, 2]), sum([1, 2]), sum([2, 2])]).to.deep.equal([3, 3, 4]);
    expect(inputs).to.deep.equal([
      [1, 2],
      [2, 2],
    ]);
  });
});

describe('the key of an object and a name', () => {
  it('is one object for each pair', () => {
    const keyOf = pairKeys();
    const [left, right] = [{}, {}];
    expect(keyOf(left, 'a')).to.equal(keyOf(left, 'a'));
    expect(new Set([keyOf(left, 'a'), keyOf(left, 'b'), keyOf(right, 'a')]).size).to.equal(3);
  });
});
