import { expect } from 'chai';
import { parseText } from '../../../../src/adapters/manifests/parse-text.ts';

describe('fields without a value are dropped, as the API server does', () => {
  for (const [name, written, value] of [
    ['at the top', '{"a": null, "b": 1}', { b: 1 }],
    ['below', '{"a": {"b": {"c": null}}}', { a: { b: {} } }],
    ['in items of a list', '{"a": [{"b": null}, [{"c": null}]]}', { a: [{}, [{}]] }],
    ['but not items themselves', '{"a": [null, 1]}', { a: [null, 1] }],
    [
      'but not what is only empty',
      '{"a": "", "b": 0, "c": false, "d": {}, "e": []}',
      { a: '', b: 0, c: false, d: {}, e: [] },
    ],
  ] as const) {
    it(name, () => {
      expect(parseText(written).documents.map((document) => document.value)).to.deep.equal([value]);
    });
  }

  it('in YAML too, where nothing is written after the colon', () => {
    expect(parseText('status:\nspec:\n  a:\n').documents.map(({ value }) => value)).to.deep.equal([{ spec: {} }]);
  });
});
