import { expect } from 'chai';
import { type ExternalIds, setExternalIds } from '../../../../src/domain/node-model/switch-external-ids.ts';
import { after, nodeOf, refusalOf } from './words.ts';

const node = nodeOf({ switchExternalIds: { mappings: 'a:b', hostname: 'x' } });

describe('external_ids of the switch', () => {
  it('are set and removed in one transaction, the others left as they are', () => {
    const change = setExternalIds(node, { mappings: 'a:b', own: undefined }, { mappings: undefined, own: 'c:d' });
    expect(after(change).switchExternalIds).to.deep.equal({ hostname: 'x', own: 'c:d' });
  });

  for (const [what, expected] of [
    ['have another value', { mappings: 'a:c' }],
    ['are there and should not be', { mappings: undefined }],
    ['are not there and should be', { own: 'c:d' }],
  ] satisfies readonly (readonly [string, ExternalIds])[]) {
    it(`are left as they are if some ${what}: somebody else was faster`, () => {
      expect(refusalOf(setExternalIds(node, expected, { own: 'e:f' }))).to.contain('changed by another');
    });
  }
});
