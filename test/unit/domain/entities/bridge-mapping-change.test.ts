import { expect } from 'chai';
import {
  bridgeMappingChange,
  type MappingEntryChange,
} from '../../../../src/domain/entities/switch/bridge-mapping-change.ts';

const MAPPINGS = 'ovn-bridge-mappings';
const OWN = 'ovn-uplinks-bridge-mappings';
const add: MappingEntryChange = { verb: 'add', networkName: 'cluster_udn_blue', bridge: 'br-blue' };
const remove: MappingEntryChange = { ...add, verb: 'remove' };
const entry = 'cluster_udn_blue:br-blue';

type Ids = Readonly<Record<string, string>>;

describe('a change of the present bridge mappings', () => {
  const changes: readonly (readonly [
    what: string,
    change: MappingEntryChange,
    now: Ids,
    wanted: Readonly<Record<string, string | undefined>> | undefined,
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
  for (const [what, change, now, wanted] of changes) {
    it(what, () => {
      expect(bridgeMappingChange(change, now)).to.deep.equal(wanted);
    });
  }
});
