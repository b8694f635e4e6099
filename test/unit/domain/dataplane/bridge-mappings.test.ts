import { expect } from 'chai';
import { ownMappings, parseBridgeMappings } from '../../../../src/domain/dataplane/bridge-mappings.ts';

describe('a list of bridge mappings', () => {
  const lists: readonly (readonly [text: string, mappings: Readonly<Record<string, string>>])[] = [
    ['', {}],
    ['blue:br-x', { blue: 'br-x' }],
    ['blue:br-x,red:br-y', { blue: 'br-x', red: 'br-y' }],
    [' blue:br-x , red:br-y ', { blue: 'br-x', red: 'br-y' }],
    ['blue:br-x,,red:br-y,', { blue: 'br-x', red: 'br-y' }],
    ['blue:br-x,blue:br-y', { blue: 'br-y' }],
    ['blue', {}],
    ['blue:', {}],
    [':br-x', {}],
    ['blue:br-x:br-y', {}],
    ['blue,red:br-y', { red: 'br-y' }],
  ];
  for (const [text, mappings] of lists) {
    it(`${JSON.stringify(text)} maps ${JSON.stringify(mappings)}`, () => {
      expect(Object.fromEntries(parseBridgeMappings(text))).to.deep.equal(mappings);
    });
  }

  it('is ours where it stands under our own key', () => {
    const externalIds = { 'ovn-bridge-mappings': 'blue:br-x,red:br-y', 'ovn-uplinks-bridge-mappings': 'blue:br-x' };
    expect([...ownMappings(externalIds)]).to.deep.equal([['blue', 'br-x']]);
    expect([...ownMappings({ 'ovn-bridge-mappings': 'blue:br-x' })]).to.deep.equal([]);
  });
});
