import { expect } from 'chai';
import { egressText } from '../../../src/cmd/input/egress-option.ts';
import { settingsOf, settingsOfWords } from '../../../src/cmd/input/settings-files.ts';

/** The faults of a file with the option. */
function inFile(text: string) {
  const reading = settingsOf([{ name: 'a.yaml', text: JSON.stringify({ egress: text }) }]);
  return reading.read ? [] : reading.problems;
}

const long = [...Array.from({ length: 3 }, () => 'a'.repeat(63)), 'a'.repeat(61)].join('.');

describe('the way out of networks that name no Uplink', () => {
  for (const text of ['none', 'node', 'uplink=underlay', 'uplink=a', 'uplink=0.b-c.9', `uplink=${long}`]) {
    it(`is ${text.slice(0, 20)}, on the command line and in files`, () => {
      expect(egressText(text)).to.equal(text);
      expect(inFile(text)).to.deep.equal([]);
      const [file] = settingsOfWords('agents', ['node', `--egress=${text}`]);
      expect(JSON.parse(file?.text ?? '{}')).to.deep.equal({ egress: text });
    });
  }

  for (const text of [
    ...['', 'uplink', 'uplink=', 'uplinks=a', 'underlay', 'Node', 'node ', 'none\n', 'uplink=a\n'],
    ...['uplink=Underlay', 'uplink=a_b', 'uplink=-a', 'uplink=a-', 'uplink=.a', 'uplink=a..b', 'uplink=a b'],
    ...['uplink=a,b', 'uplink=a=b', 'uplink=a/b', `uplink=${'a'.repeat(64)}`, `uplink=a${long}`, 'node=a'],
  ]) {
    it(`is not ${JSON.stringify(text).slice(0, 30)}, and what was expected is said`, () => {
      const expected = 'none, node, or uplink= and the name of an Uplink, such as uplink=blue-underlay';
      expect(() => egressText(text)).to.throw(`Expected ${expected}.`);
      expect(inFile(text).join()).to.include(`a.yaml: egress: expected ${expected}, found string "`);
    });
  }
});
