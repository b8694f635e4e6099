import { expect } from 'chai';
import { parseText } from '../../../../src/adapters/manifests/parse-text.ts';

/** Reads a field. */
function read(written: string): unknown {
  const { documents, errors } = parseText(`field: ${written}\n`);
  return errors.length > 0 ? errors : documents.map(({ value }) => value);
}

/** Values and their spellings. Checked against sigs.k8s.io/yaml v1.6.0, YAMLToJSONStrict. */
const scalars: readonly (readonly [value: unknown, ...written: readonly string[]])[] = [
  [true, 'y', 'Y', 'yes', 'Yes', 'YES', 'on', 'On', 'ON', 'true', 'True', 'TRUE', '!!bool yes'],
  [false, 'n', 'N', 'no', 'No', 'NO', 'off', 'Off', 'OFF', 'false', 'False', 'FALSE'],
  ['yEs', 'yEs', '"yEs"'],
  ['yes', '"yes"', "'yes'", '!!str yes', '! yes', '|-\n  yes'],
  [5, '5', '+5', '5.', '5.0', '0b101', '0B101', '0x5', '0o5', '05', '0_5', '!!int "5"', '!!float 5'],
  [-5, '-5', '-0b101', '-0x5'],
  [10, '012', '0o12', '1_0', '0x_a', '0XA', '1e1', '1E+1', '0.1e2'],
  [8, '08'],
  [0, '0', '00', '0_', '0.0'],
  [0.55, '.55', '+.55', '0.5_5'],
  [0.5, '.5', '0.5', '+.5', '5e-1', '0.5_0'],
  [1e21, '1e21', '1000000000000000000000'],
  ['5', '"5"', "'5'", '!!str 5', '! 5'],
  // Not base 60: a MAC address of digits and a time are strings.
  ['012:34', '012:34'],
  ['02:42:00:00:02:06', '02:42:00:00:02:06'],
  ['1:30:00', '1:30:00'],
  ['10.0.0.0/8', '10.0.0.0/8'],
  ['1.2.3', '1.2.3'],
  ['2024-01-02', '2024-01-02', '!!timestamp 2024-01-02'],
  ['2024-01-02T03:04:05Z', '2024-01-02T03:04:05Z'],
  ['_1', '_1'],
  ['0o8', '0o8'],
  ['0b12', '0b12'],
  ['0x', '0x'],
  ['1e', '1e'],
  ['1e400', '1e400'],
  ['9'.repeat(400), '9'.repeat(400)],
  ['0x1-', '0x1-'],
  ['5-5', '5-5'],
  ['1.5x', '1.5x'],
  ['a.inf', 'a.inf'],
  ['.infinity', '.infinity'],
  ['.', '.'],
  ['+', '+'],
  ['bar', '!foo bar'],
];

describe('a YAML scalar has the same value as in Kubernetes:', () => {
  for (const [value, ...spellings] of scalars) {
    for (const written of spellings) {
      it(`${JSON.stringify(written.slice(0, 40))} is ${JSON.stringify(value).slice(0, 40)}`, () => {
        expect(read(written)).to.deep.equal([{ field: value }]);
      });
    }
  }

  for (const written of ['', '~', 'null', 'Null', 'NULL', '!!null ""', '# comment']) {
    it(`${JSON.stringify(written)} is null, so its field is dropped`, () => {
      expect(read(written)).to.deep.equal([{}]);
    });
  }

  for (const written of ['.inf', '.Inf', '-.INF', '+.inf', '.nan', '.NaN']) {
    it(`${written} is invalid, as JSON cannot represent it`, () => {
      expect(read(written)).to.deep.equal([`line 1, column 8: ${written} cannot be represented in JSON`]);
    });
  }

  for (const [written, name] of [
    ['yes', 'true'],
    ['n', 'false'],
    ['012', '10'],
    ['1.5', '1.5'],
    ['"y"', 'y'],
    ['a b', 'a b'],
    ['__proto__', '__proto__'],
  ] as const) {
    it(`${written} as a field name is ${JSON.stringify(name)}`, () => {
      const [document] = parseText(`${written}: 1`).documents;
      expect(Object.entries(document?.value ?? {})).to.deep.equal([[name, 1]]);
    });
  }
});
