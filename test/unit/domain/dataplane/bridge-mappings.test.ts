import { expect } from 'chai';
import {
  foreignMappings,
  mappingsInForce,
  ownMappings,
  parseBridgeMappings,
} from '../../../../src/domain/snapshot/bridge-mappings.ts';

describe('a list of bridge mappings', () => {
  const lists: readonly (readonly [text: string, entries: readonly string[], why: string])[] = [
    ['', [], 'there is nothing'],
    ['blue:br-x', ['blue → br-x'], 'there is one entry'],
    ['blue:br-x,red:br-y', ['blue → br-x', 'red → br-y'], 'there are two'],
    [' blue :br-x , red: br-y', [' blue  → br-x ', ' red →  br-y'], 'spaces belong to the names'],
    ['blue:br-x,blue:br-y', ['blue → br-x', 'blue → br-y'], 'a network may stand there twice'],
    ['blue:br-x:y,red:br-y', ['blue → br-x:y', 'red → br-y'], 'the first colon ends the name of the network'],
    ['blue:br-x,,red:br-y', ['blue → br-x'], 'an empty entry ends the list'],
    [',blue:br-x', [], 'an empty entry ends the list'],
    ['blue:br-x,', ['blue → br-x'], 'an empty entry ends the list'],
    ['blue:br-x,bad,red:br-y', ['blue → br-x'], 'an entry without a colon ends the list'],
    ['blue:br-x,bad:,red:br-y', ['blue → br-x'], 'an entry without a bridge ends the list'],
    ['blue:br-x,:br-z,red:br-y', ['blue → br-x'], 'an entry without a network ends the list'],
    [' ,blue:br-x', [], 'a space is no network and no bridge'],
  ];
  for (const [text, entries, why] of lists) {
    it(`${JSON.stringify(text)} has entries ${JSON.stringify(entries)}: ${why}`, () => {
      expect(parseBridgeMappings(text).map((entry) => entry.join(' → '))).to.deep.equal(entries);
    });
  }
});

describe('the mapping entries of a node', () => {
  const externalIds = {
    'ovn-bridge-mappings': 'physnet:br-ex,blue:br-x,red:br-y,blue:br-z',
    'ovn-uplinks-bridge-mappings': 'blue:br-x,red:br-old',
  };

  it('are in force if ovn-controller reads them, whoever added them', () => {
    expect(mappingsInForce(externalIds)).to.deep.equal([
      ['physnet', 'br-ex'],
      ['blue', 'br-x'],
      ['red', 'br-y'],
      ['blue', 'br-z'],
    ]);
    expect(mappingsInForce({})).to.deep.equal([]);
    expect(mappingsInForce({ 'ovn-uplinks-bridge-mappings': 'blue:br-x' })).to.deep.equal([]);
  });

  it('are managed if they are under the managed key', () => {
    expect([...ownMappings(externalIds)]).to.deep.equal([
      ['blue', 'br-x'],
      ['red', 'br-old'],
    ]);
    expect([...ownMappings({ 'ovn-bridge-mappings': 'blue:br-x' })]).to.deep.equal([]);
  });

  it("are another program's if a managed one does not exist with the same bridge", () => {
    expect(foreignMappings(externalIds)).to.deep.equal([
      ['physnet', 'br-ex'],
      ['red', 'br-y'],
      ['blue', 'br-z'],
    ]);
  });
});
