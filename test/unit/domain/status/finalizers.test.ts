import { expect } from 'chai';
import { deletionSentence, finalizersOf } from '../../../../src/domain/status/finalizers.ts';
import { uplink } from '../brief-objects.ts';

const ours = 'k8s.ovn.org/uplink-protection';
const deletionTimestamp = '2026-01-01T00:00:00Z';

describe('the finalizers of an object', () => {
  const cases: readonly (readonly [
    what: string,
    finalizers: readonly string[] | undefined,
    referenced: boolean,
    deleted: boolean,
    expected: readonly string[],
  ])[] = [
    ['gain ours once it is needed', undefined, true, false, [ours]],
    ['keep ours while a network refers to it', [ours], true, false, [ours]],
    ['lose ours once no network refers to it', [ours], false, false, []],
    ['are none where nobody set one', undefined, false, false, []],
    ["keep others', in order", ['z.org/z', ours, 'a.org/a'], false, false, ['a.org/a', 'z.org/z']],
    ["gain ours beside others'", ['z.org/z'], true, false, [ours, 'z.org/z']],
    ['keep ours while it is deleted and a network refers to it', [ours], true, true, [ours]],
    ['cannot gain ours once it is deleted', ['z.org/z'], true, true, ['z.org/z']],
    ['lose ours once it is deleted and no network refers to it', [ours], false, true, []],
  ];
  for (const [what, finalizers, referenced, deleted, expected] of cases) {
    it(what, () => {
      const metadata = { ...(finalizers && { finalizers }), ...(deleted && { deletionTimestamp }) };
      expect(finalizersOf({ name: 'blue', ...metadata }, ours, referenced)).to.deep.equal(expected);
    });
  }
});

describe('what the deletion of an Uplink waits for', () => {
  const deleted = uplink('blue', 'br-blue', { deletionTimestamp });

  it('is the networks that refer to it, the first three by name', () => {
    expect(deletionSentence(deleted, ['red'])).to.equal('deletion waits for ClusterUserDefinedNetwork red');
    expect(deletionSentence(deleted, ['red', 'blue', 'green', 'amber'])).to.equal(
      'deletion waits for ClusterUserDefinedNetworks amber, blue, green, …',
    );
  });

  it('is nothing if no network refers to it, or it is not being deleted', () => {
    expect(deletionSentence(deleted, [])).to.equal(undefined);
    expect(deletionSentence(uplink('blue', 'br-blue'), ['red'])).to.equal(undefined);
  });
});
