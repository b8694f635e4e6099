import { expect } from 'chai';
import { changedObjects } from '../../../../src/domain/snapshot/object-changes.ts';
import { cluster, pod } from '../brief-objects.ts';

describe('the objects that changed between two snapshots', () => {
  const [kept, former, removed, added] = [
    pod('kept', 'one', 'a'),
    pod('changed', 'one', 'a'),
    pod('gone', 'one', 'a'),
    pod('new', 'two', 'a'),
  ];
  const changed = { ...former, spec: { nodeName: 'b' } };
  const before = cluster({ pods: [kept, former, removed] });

  it('are reported by key, with their former and present versions', () => {
    const after = { ...before, pods: [added, changed, kept] };
    expect(changedObjects('pods', before, after)).to.have.deep.members([
      { key: 'one/changed', before: former, after: changed },
      { key: 'one/gone', before: removed },
      { key: 'two/new', after: added },
    ]);
  });

  it('are none if the list is shared, or has the same objects in another order', () => {
    expect(changedObjects('pods', before, { ...before, nodes: [] })).to.deep.equal([]);
    expect(changedObjects('pods', before, { ...before, pods: [removed, kept, former] })).to.deep.equal([]);
  });
});
