import { expect } from 'chai';
import { lazy, lazyByKey } from '../../../src/domain/lazy.ts';

describe('a lazy value', () => {
  it('is made once, when it is first asked for, also where it is undefined', () => {
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
  it('are each made once, when first asked for, also where they are undefined', () => {
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
