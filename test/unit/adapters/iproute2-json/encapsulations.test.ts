import { expect } from 'chai';
import fc from 'fast-check';
import { renameEncapsulationFields } from '../../../../src/adapters/iproute2-json/encapsulations.ts';

describe('encapsulations in the output of ip', () => {
  const examples: readonly (readonly [what: string, text: string, apart: string])[] = [
    [
      'a name that was used before',
      '{"dst":"10.8.0.0/16","encap":"mpls","dst":"100"}',
      '{"dst":"10.8.0.0/16","encap":"mpls","encap.dst":"100"}',
    ],
    [
      'several names, with blanks as -pretty prints them',
      '{\n  "id": 9,\n  "dst" : "a",\n  "encap": "ip",\n  "id": 7,\n  "dst" : "b"\n}',
      '{\n  "id": 9,\n  "dst" : "a",\n  "encap": "ip",\n  "encap.id": 7,\n  "encap.dst" : "b"\n}',
    ],
    ['a name that comes twice after it', '{"encap":"ip","tos":0,"tos":"0x10"}', '{"encap":"ip","tos":0,"tos":"0x10"}'],
    ['a name that comes twice before it', '{"a":1,"a":2,"encap":"ip"}', '{"a":1,"a":2,"encap":"ip"}'],
    [
      'the same name in objects beside and around it',
      '[{"dst":"a","nexthops":[{"encap":"mpls","dst":"1"},{"dst":"2"}]},{"dst":"b"}]',
      '[{"dst":"a","nexthops":[{"encap":"mpls","dst":"1"},{"dst":"2"}]},{"dst":"b"}]',
    ],
    [
      'an object within the encapsulation',
      '{"dst":"a","encap":"seg6local","srh":{"dst":"c"},"dst":"b"}',
      '{"dst":"a","encap":"seg6local","srh":{"dst":"c"},"encap.dst":"b"}',
    ],
    [
      'texts with quotes, braces and colons in them',
      '{"dst":"}\\"{:","encap":"\\\\","dst":"\\"encap\\":"}',
      '{"dst":"}\\"{:","encap":"\\\\","encap.dst":"\\"encap\\":"}',
    ],
    [
      'nothing, where it is an object of its own (iproute2 6.15)',
      '{"dst":"10.8.0.0/16","tos":"0x10","encap":{"encap_type":"ip","dst":"10.0.0.9","tos":0},"dev":"eth0"}',
      '{"dst":"10.8.0.0/16","tos":"0x10","encap":{"encap_type":"ip","dst":"10.0.0.9","tos":0},"dev":"eth0"}',
    ],
    ['a text that is called so', '{"dst":"a","dev":"encap","dst":"b"}', '{"dst":"a","dev":"encap","dst":"b"}'],
  ];
  for (const [what, text, apart] of examples) {
    it(`are renamed with ${what}`, () => {
      expect(renameEncapsulationFields(text)).to.equal(apart);
    });
  }

  it('change nothing in text without repeated names', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, indent) => {
        const text = JSON.stringify({ encap: value, value: [value, { encap: value }] }, null, indent);
        expect(renameEncapsulationFields(text)).to.equal(text);
      }),
    );
  });
});
