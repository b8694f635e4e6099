import { expect } from 'chai';
import { bridgeMapping as bridgeMappingKind } from '../../../../src/domain/entities/switch/bridge-mapping.ts';
import { isOurs } from '../../../../src/domain/entities/entity-kinds.ts';
import { nodeWith } from './host-entities.ts';

const MAPPINGS = 'ovn-bridge-mappings';
const OWN = 'ovn-uplinks-bridge-mappings';
const entry = { kind: 'bridge-mapping', networkName: 'cluster_udn_blue', bridge: 'br-blue' } as const;

describe('the bridge mappings of a node', () => {
  const nodeOf = (mappings: string, own?: string) =>
    nodeWith({ switchExternalIds: { [MAPPINGS]: mappings, ...(own !== undefined && { [OWN]: own }) } });
  const rows: readonly (readonly [
    what: string,
    mappings: string,
    own: string | undefined,
    found: readonly object[],
  ])[] = [
    ['none', '', undefined, []],
    ['one that is not ours', 'cluster_udn_blue:br-blue', undefined, [entry]],
    ['one of ours', 'cluster_udn_blue:br-blue', 'cluster_udn_blue:br-blue', [{ ...entry, isSigned: true }]],
    [
      'one of ours that ovn-controller does not read',
      ',cluster_udn_blue:br-blue',
      'cluster_udn_blue:br-blue',
      [{ ...entry, isIneffective: true, isSigned: true }],
    ],
    [
      'one that is not ours, and ours to another bridge',
      'cluster_udn_blue:br-blue',
      'cluster_udn_blue:br-old',
      [entry, { ...entry, bridge: 'br-old', isIneffective: true, isSigned: true }],
    ],
  ];
  for (const [what, mappings, own, found] of rows) {
    it(`are ${what} where the text is "${mappings}" and ours "${own ?? ''}"`, () => {
      const node = nodeOf(mappings, own);
      expect(bridgeMappingKind.all(node)).to.deep.equal(found);
      expect(bridgeMappingKind.all(node).filter((each) => isOurs(each, node))).to.deep.equal(
        found.filter((each) => 'isSigned' in each),
      );
    });
  }

  it('are those of the chassis, with the key of another program', () => {
    const key = 'ovn-bridge-mappings-a';
    const node = nodeWith({
      switchExternalIds: {
        'system-id': 'a',
        [MAPPINGS]: 'cluster_udn_blue:br-none',
        [key]: 'cluster_udn_blue:br-blue,cluster_udn_red:br-red',
        [`${OWN}-a`]: 'cluster_udn_red:br-red',
      },
    });
    expect(bridgeMappingKind.all(node)).to.deep.equal([
      { ...entry, overriding: key },
      { ...entry, networkName: 'cluster_udn_red', bridge: 'br-red', isSigned: true },
    ]);
  });

  it('serve unless ovn-controller does not read them', () => {
    const { ledger } = nodeWith();
    expect(bridgeMappingKind.satisfies(entry, entry, ledger)).to.be.true;
    expect(bridgeMappingKind.satisfies({ ...entry, isIneffective: true }, entry, ledger)).to.be.false;
  });

  it('lose an entry if an administrator removes it from ovn-bridge-mappings only', () => {
    const node = nodeOf('a:b,cluster_udn_blue:br-blue', 'cluster_udn_blue:br-blue');
    expect(bridgeMappingKind.undoneByOthers?.(entry, node).switchExternalIds).to.deep.equal({
      [MAPPINGS]: 'a:b',
      [OWN]: 'cluster_udn_blue:br-blue',
    });
  });
});
