import { expect } from 'chai';
import fc from 'fast-check';
import { byName, least } from '../../../../src/domain/basics/names/ordering.ts';
import { AffectedNodes } from '../../../../src/domain/status/affected-nodes.ts';
import { MAX_SAMPLE } from '../../../../src/domain/status/node-sample.ts';

describe('affected nodes', () => {
  it('are counted, and the first ones named by name order, after any sequence of changes', () => {
    const node = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
    const reason = fc.option(fc.constantFrom('X', 'Y', 'Z'), { nil: undefined });
    fc.assert(
      fc.property(fc.array(fc.tuple(node, reason), { maxLength: 40 }), (changes) => {
        const affected = new AffectedNodes();
        const expected = new Map<string, string>();
        for (const [name, why] of changes) {
          expect(affected.set(name, why)).to.equal(expected.get(name) !== why);
          if (why === undefined) expected.delete(name);
          else expected.set(name, why);
        }
        const first = [...expected.keys()].sort(byName).slice(0, MAX_SAMPLE);
        expect(affected.count).to.equal(expected.size);
        expect(affected.first).to.deep.equal(first.map((name) => ({ node: name, reason: expected.get(name) })));
        expect(affected.firstReason(byName)).to.equal(least([...expected.values()], byName));
      }),
    );
  });
});
