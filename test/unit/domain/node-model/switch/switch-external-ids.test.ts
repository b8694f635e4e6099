import { expect } from 'chai';
import { withExternalIds } from '../../../../../src/domain/node-model/switch/switch-external-ids.ts';
import { nodeOf } from '../words.ts';

const node = nodeOf({ switchExternalIds: { mappings: 'a:b', hostname: 'x' } });

describe('external_ids of the switch', () => {
  it('are set and removed in one transaction, without changing others', () => {
    const { switchExternalIds } = withExternalIds(node, { mappings: undefined, own: 'c:d' });
    expect(switchExternalIds).to.deep.equal({ hostname: 'x', own: 'c:d' });
  });
});
