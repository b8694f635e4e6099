import { expect } from 'chai';
import { isPartOf } from '../../../../src/domain/objects/part-of.ts';

describe('a value is part of a stored one', () => {
  for (const [title, part, whole] of [
    ['that is equal', 'a', 'a'],
    ['that is null too', null, null],
    ['with more fields', { a: 1 }, { a: 1, b: 2 }],
    ['with more fields further inside', { labels: { a: '1' } }, { labels: { a: '1', b: '2' }, name: 'x' }],
    ['with more items, in another order', ['a', 'b'], ['c', 'b', 'a']],
    ['with an item that has more fields', [{ uid: '1' }], [{ uid: '2' }, { uid: '1', kind: 'Node' }]],
    ['if it is empty', {}, { a: 1 }],
    ['if it is an empty list', [], ['a']],
  ] as const) {
    it(title, () => {
      expect(isPartOf(part, whole)).to.equal(true);
    });
  }
});

describe('a value is not part of a stored one', () => {
  for (const [title, part, whole] of [
    ['that differs', 'a', 'b'],
    ['that is missing', { a: 1 }, undefined],
    ['with fewer fields', { a: 1, b: 2 }, { a: 1 }],
    ['that lacks a field', { a: undefined }, {}],
    ['with another value further inside', { labels: { a: '1' } }, { labels: { a: '2' } }],
    ['with fewer items', ['a', 'b'], ['a']],
    ['with an item that lacks a field', [{ uid: '1', kind: 'Node' }], [{ uid: '1' }]],
    ['that is an object, if it is a list', ['a'], { 0: 'a' }],
    ['that is a list, if it is an object', { 0: 'a' }, ['a']],
    ['that is a text, if it is an object', { length: 1 }, 'a'],
    ['that is null, if it is an object', {}, null],
    ['that is an object, if it is null', null, {}],
  ] as const) {
    it(title, () => {
      expect(isPartOf(part, whole)).to.equal(false);
    });
  }
});
