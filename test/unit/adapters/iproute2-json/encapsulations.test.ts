import { expect } from 'chai';
import fc from 'fast-check';
import { renameEncapsulationFields } from '../../../../src/adapters/iproute2-json/encapsulations.ts';

describe('the fields of encapsulations in the output of ip', () => {
  const examples: readonly (readonly [what: string, text: string, expected: string])[] = [
    [
      'if a name was used before',
      '{"dst":"10.8.0.0/16","encap":"mpls","dst":"100"}',
      '{"dst":"10.8.0.0/16","encap":"mpls","encap.dst":"100"}',
    ],
    [
      'if several names were used before, with blanks as printed by -pretty',
      '{\n  "id": 9,\n  "dst" : "a",\n  "encap": "ip",\n  "id": 7,\n  "dst" : "b"\n}',
      '{\n  "id": 9,\n  "dst" : "a",\n  "encap": "ip",\n  "encap.id": 7,\n  "encap.dst" : "b"\n}',
    ],
    [
      'but not if a name comes twice after it',
      '{"encap":"ip","tos":0,"tos":"0x10"}',
      '{"encap":"ip","tos":0,"tos":"0x10"}',
    ],
    ['but not if a name comes twice before it', '{"a":1,"a":2,"encap":"ip"}', '{"a":1,"a":2,"encap":"ip"}'],
    [
      'but not if the name is in another object',
      '[{"dst":"a","nexthops":[{"encap":"mpls","dst":"1"},{"dst":"2"}]},{"dst":"b"}]',
      '[{"dst":"a","nexthops":[{"encap":"mpls","dst":"1"},{"dst":"2"}]},{"dst":"b"}]',
    ],
    [
      'also after an object in the encapsulation',
      '{"dst":"a","encap":"seg6local","srh":{"dst":"c"},"dst":"b"}',
      '{"dst":"a","encap":"seg6local","srh":{"dst":"c"},"encap.dst":"b"}',
    ],
    [
      'also with quotes, braces and colons in strings',
      '{"dst":"}\\"{:","encap":"\\\\","dst":"\\"encap\\":"}',
      '{"dst":"}\\"{:","encap":"\\\\","encap.dst":"\\"encap\\":"}',
    ],
    [
      'but not if the encapsulation is an object (iproute2 6.15)',
      '{"dst":"10.8.0.0/16","tos":"0x10","encap":{"encap_type":"ip","dst":"10.0.0.9","tos":0},"dev":"eth0"}',
      '{"dst":"10.8.0.0/16","tos":"0x10","encap":{"encap_type":"ip","dst":"10.0.0.9","tos":0},"dev":"eth0"}',
    ],
    ['but not after a value "encap"', '{"dst":"a","dev":"encap","dst":"b"}', '{"dst":"a","dev":"encap","dst":"b"}'],
  ];
  for (const [what, text, expected] of examples) {
    it(`are renamed, ${what}`, () => {
      expect(renameEncapsulationFields(text)).to.equal(expected);
    });
  }

  it('are not renamed in text without repeated names', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, indent) => {
        const text = JSON.stringify({ encap: value, value: [value, { encap: value }] }, null, indent);
        expect(renameEncapsulationFields(text)).to.equal(text);
      }),
    );
  });
});
