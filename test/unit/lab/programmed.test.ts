import { expect } from 'chai';
import { differing } from '../../integration/lab/packets/programmed.ts';

describe('rows that a test compares', () => {
  it('are the same in any order', () => {
    expect(differing(['route', 'nat', 'nat'], ['nat', 'route', 'nat'])).to.deep.equal([]);
  });

  it('differ where one is missing, is there in addition, or is there twice', () => {
    expect(differing(['route', 'nat'], ['route'])).to.deep.equal(['- nat']);
    expect(differing(['route'], ['route', 'nat'])).to.deep.equal(['+ nat']);
    expect(differing(['route', 'nat'], ['route', 'nat', 'nat', 'nat'])).to.deep.equal(['+ nat', '+ nat']);
    expect(differing(['route', 'route'], ['route'])).to.deep.equal(['- route']);
  });
});
