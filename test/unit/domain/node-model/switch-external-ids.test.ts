import { expect } from 'chai';
import { setExternalIds } from '../../../../src/domain/node-model/switch-external-ids.ts';
import { after, nodeOf } from './words.ts';

const node = nodeOf({ switchExternalIds: { mappings: 'a:b', hostname: 'x' } });

describe('external_ids of the switch', () => {
  it('are set and removed in one transaction, the others left as they are', () => {
    const change = setExternalIds(node, { mappings: undefined, own: 'c:d' });
    expect(after(change).switchExternalIds).to.deep.equal({ hostname: 'x', own: 'c:d' });
  });
});
