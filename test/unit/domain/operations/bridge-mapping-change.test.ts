import { expect } from 'chai';
import { bridgeMappingChange } from '../../../../src/domain/entities/bridge-mapping-change.ts';
import type { AddBridgeMapping } from '../../../../src/domain/operations/add-bridge-mapping.ts';
import type { RemoveBridgeMapping } from '../../../../src/domain/operations/remove-bridge-mapping.ts';

const MAPPINGS = 'ovn-bridge-mappings';
const OWN = 'ovn-uplinks-bridge-mappings';
const blue = { networks: ['blue'], networkName: 'cluster_udn_blue', bridge: 'br-blue' } as const;
const add: AddBridgeMapping = { verb: 'add', entity: { kind: 'bridge-mapping', ...blue } };
const remove: RemoveBridgeMapping = { verb: 'remove', entity: { kind: 'bridge-mapping', ...blue } };
const entry = 'cluster_udn_blue:br-blue';

type Ids = Readonly<Record<string, string>>;

describe('what an operation makes of the bridge mappings as they are now', () => {
  const changes: readonly (readonly [
    what: string,
    operation: AddBridgeMapping | RemoveBridgeMapping,
    now: Ids,
    change: Readonly<Record<string, string | undefined>> | undefined,
  ])[] = [
    ['adds an entry', add, { [MAPPINGS]: 'a:b' }, { [MAPPINGS]: `a:b,${entry}`, [OWN]: entry }],
    ['does not add one that is there', add, { [MAPPINGS]: entry, [OWN]: entry }, undefined],
    ["does not make somebody else's ours", add, { [MAPPINGS]: `a:b,${entry}` }, undefined],
    [
      'adds one that ovn-controller does not read',
      add,
      { [MAPPINGS]: `,${entry}` },
      { [MAPPINGS]: `${entry},,${entry}`, [OWN]: entry },
    ],
    ['adds one that somebody took out', add, { [OWN]: entry }, { [MAPPINGS]: entry, [OWN]: entry }],
    ['removes an entry', remove, { [MAPPINGS]: `a:b,${entry}`, [OWN]: entry }, { [MAPPINGS]: 'a:b', [OWN]: undefined }],
    ["does not remove somebody else's", remove, { [MAPPINGS]: entry }, undefined],
    ["does not remove somebody else's beside another of ours", remove, { [MAPPINGS]: entry, [OWN]: 'a:b' }, undefined],
    ['does not remove one that is gone', remove, { [MAPPINGS]: 'a:b' }, undefined],
    [
      'removes what says that it is ours where somebody took it out',
      remove,
      { [OWN]: entry },
      { [MAPPINGS]: undefined, [OWN]: undefined },
    ],
  ];
  for (const [what, operation, now, change] of changes) {
    it(what, () => {
      expect(bridgeMappingChange(operation, now)).to.deep.equal(change);
    });
  }
});
