import { expect } from 'chai';
import { clusterNetworkKey } from '../../../../src/domain/network/key.ts';
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
  const keys = (...names: readonly string[]) => names.map(clusterNetworkKey);

  it('is the networks that refer to it, the first three by name', () => {
    expect(deletionSentence(deleted, keys('red'), 'node')).to.equal('deletion waits for ClusterUserDefinedNetwork red');
    expect(deletionSentence(deleted, keys('red', 'blue', 'green', 'amber'), 'none')).to.equal(
      'deletion waits for ClusterUserDefinedNetworks amber, blue, green, …',
    );
  });

  it('is also networks of tenants, which have it by the setting', () => {
    const own = 'UserDefinedNetwork/team/own';
    expect(deletionSentence(deleted, [own], 'uplink=blue')).to.equal(
      'deletion waits for UserDefinedNetwork team/own, as --egress uplink=blue names it',
    );
    expect(deletionSentence(deleted, [...keys('red'), own, 'UserDefinedNetwork/app/own'], 'uplink=other')).to.equal(
      'deletion waits for ClusterUserDefinedNetwork red and UserDefinedNetworks app/own, team/own',
    );
  });

  it('is nothing if no network refers to it, or it is not being deleted', () => {
    expect(deletionSentence(deleted, [], 'uplink=blue')).to.equal(undefined);
    expect(deletionSentence(uplink('blue', 'br-blue'), keys('red'), 'none')).to.equal(undefined);
  });
});
