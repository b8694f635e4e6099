import { expect } from 'chai';
import { parseText } from '../../../../src/adapters/manifests/parse-text.ts';

describe('fields without a value are dropped, as by the API server:', () => {
  for (const [name, written, value] of [
    ['at the top', '{"a": null, "b": 1}', { b: 1 }],
    ['in nested mappings', '{"a": {"b": {"c": null}}}', { a: { b: {} } }],
    ['in items of a list', '{"a": [{"b": null}, [{"c": null}]]}', { a: [{}, [{}]] }],
    ['but not null items of a list', '{"a": [null, 1]}', { a: [null, 1] }],
    [
      'but not empty values',
      '{"a": "", "b": 0, "c": false, "d": {}, "e": []}',
      { a: '', b: 0, c: false, d: {}, e: [] },
    ],
  ] as const) {
    it(name, () => {
      expect(parseText(written).documents.map((document) => document.value)).to.deep.equal([value]);
    });
  }

  it('in YAML also without anything after the colon', () => {
    expect(parseText('status:\nspec:\n  a:\n').documents.map(({ value }) => value)).to.deep.equal([{ spec: {} }]);
  });
});
