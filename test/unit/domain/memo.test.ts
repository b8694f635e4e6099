import { expect } from 'chai';
import { memo, memoOfTexts } from '../../../src/domain/memo.ts';

describe('what is remembered', () => {
  it('of an object is made once, also where it is nothing', () => {
    let made = 0;
    const ask = memo((_key: object): string | undefined => {
      made += 1;
      return undefined;
    });
    const key = {};
    expect([ask(key), ask(key), made]).to.deep.equal([undefined, undefined, 1]);
    ask({});
    expect(made, 'another object that is equal').to.equal(2);
  });

  it('of texts is made once, until there are too many', () => {
    const made: string[] = [];
    const ask = memoOfTexts((text) => {
      made.push(text);
      return text.length;
    }, 2);
    expect(['a', 'bb', 'a', 'bb'].map(ask)).to.deep.equal([1, 2, 1, 2]);
    expect(made).to.deep.equal(['a', 'bb']);
    expect(['ccc', 'a', 'ccc'].map(ask)).to.deep.equal([3, 1, 3]);
    expect(made).to.deep.equal(['a', 'bb', 'ccc', 'a']);
  });
});
