import { expect } from 'chai';
import { lastByObject, lazyByObject, lazyByObjects } from '../../../../../src/domain/basics/incremental/by-identity.ts';
import { lazy, lazyByKey, lazyByText } from '../../../../../src/domain/basics/incremental/lazy.ts';

describe('a lazy value', () => {
  it('is computed once, on first use, also if it is undefined', () => {
    for (const value of [{}, undefined]) {
      let made = 0;
      const get = lazy(() => {
        made += 1;
        return value;
      });
      expect(made).to.equal(0);
      expect(get()).to.equal(value);
      expect(get()).to.equal(value);
      expect(made).to.equal(1);
    }
  });
});

describe('lazy values by key', () => {
  it('are each computed once, on first use, also if they are undefined', () => {
    const made: string[] = [];
    const get = lazyByKey((key: string) => {
      made.push(key);
      return key === 'none' ? undefined : key.toUpperCase();
    });
    expect(made).to.deep.equal([]);
    expect([get('a'), get('none'), get('b'), get('a'), get('none')]).to.deep.equal([
      'A',
      undefined,
      'B',
      'A',
      undefined,
    ]);
    expect(made).to.deep.equal(['a', 'none', 'b']);
  });
});

describe('a cached value', () => {
  it('of an object is computed once, also if it is undefined', () => {
    let made = 0;
    const ask = lazyByObject((_key: object): string | undefined => {
      made += 1;
      return undefined;
    });
    const key = {};
    expect([ask(key), ask(key), made]).to.deep.equal([undefined, undefined, 1]);
    ask({});
    expect(made, 'another object that is equal').to.equal(2);
  });

  it('of a pair of objects is computed once', () => {
    let made = 0;
    const ask = lazyByObjects((_first: object, _second: object) => (made += 1));
    const [first, second] = [{}, {}];
    expect([ask(first, second), ask(first, second), ask(second, first), ask(first, first)]).to.deep.equal([1, 1, 2, 3]);
  });

  it('of an object and a list is computed again once the list has changed', () => {
    let made = 0;
    const ask = lastByObject<number>();
    const [key, part] = [{}, {}];
    const askWith = (...parts: readonly unknown[]) => ask(key, parts, () => (made += 1));
    expect([askWith(part, 1), askWith(part, 1), askWith(part, 2), askWith({}, 2), askWith(part, 1)]).to.deep.equal([
      1, 1, 2, 3, 4,
    ]);
    expect([askWith(part), askWith(part, undefined)], 'one more that is nothing').to.deep.equal([5, 6]);
    expect(ask({}, [part, undefined], () => (made += 1))).to.equal(7);
  });

  it('of texts is computed once, until there are too many', () => {
    const made: string[] = [];
    const ask = lazyByText((text) => {
      made.push(text);
      return text.length;
    }, 2);
    expect(['a', 'bb', 'a', 'bb'].map(ask)).to.deep.equal([1, 2, 1, 2]);
    expect(made).to.deep.equal(['a', 'bb']);
    expect(['ccc', 'dddd', 'eeeee', 'a', 'eeeee'].map(ask)).to.deep.equal([3, 4, 5, 1, 5]);
    expect(made).to.deep.equal(['a', 'bb', 'ccc', 'dddd', 'eeeee', 'a']);
  });

  it('of texts stays while it is asked for, however many others there are', () => {
    const made: string[] = [];
    const ask = lazyByText((text) => made.push(text), 3);
    for (let number = 0; number < 20; number += 1) expect([ask('kept'), ask(`other ${String(number)}`)][0]).to.equal(1);
  });
});
