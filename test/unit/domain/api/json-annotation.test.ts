import { expect } from 'chai';
import Type from 'typebox';
import { jsonAnnotation } from '../../../../src/domain/api/json-annotation.ts';
import { partOf } from '../../../../src/domain/api/schema.ts';

const read = jsonAnnotation(partOf({ a: partOf({ b: Type.String() }) }));

describe('an annotation with JSON in it', () => {
  it('may be absent', () => {
    expect(read(undefined)).to.deep.equal({ kind: 'absent' });
  });

  it('is read with unknown fields', () => {
    expect(read('{"a":{"b":"x","c":1}}')).to.deep.equal({ kind: 'read', value: { a: { b: 'x', c: 1 } } });
  });

  const broken: readonly (readonly [text: string, problem: string])[] = [
    ['', 'the text is not valid JSON'],
    ['{', 'the text is not valid JSON'],
    ["{'a':1}", 'the text is not valid JSON'],
    ['null', 'expected an object, found null'],
    ['"x"', 'expected an object, found string "x"'],
    ['{}', 'a: expected a value, found nothing'],
    ['{"a":{"b":7}}', 'a.b: expected a string, found number 7'],
  ];
  for (const [text, problem] of broken) {
    it(`is broken, with the problem: ${JSON.stringify(text)}`, () => {
      expect(read(text)).to.deep.equal({ kind: 'broken', problem });
    });
  }
});
