import { expect } from 'chai';
import { versionWarnings } from '../../../../../src/domain/plan/warnings/minimum-versions.ts';
import type { NodeSnapshot } from '../../../../../src/domain/index.ts';
import { completeNode } from '../../../../../src/testing/index.ts';

const KERNEL =
  'expected 5.16 or newer: gateways are not kept resolved (NTF_EXT_MANAGED), and interfaces in the default network cannot be locked';
const SWITCH = 'expected 3.1 or newer: ovn-uplinks is not tested with it, and flows may be refused';

describe('warnings of old versions', () => {
  const cases: readonly (readonly [Pick<NodeSnapshot, 'kernelRelease' | 'openVSwitchVersion'>, readonly string[]])[] = [
    [{}, []],
    [{ kernelRelease: '6.1.0-18-amd64', openVSwitchVersion: '3.1.0' }, []],
    [{ kernelRelease: '5.16.0', openVSwitchVersion: '10.0' }, []],
    [{ kernelRelease: '4.18.0-553.el8_10.x86_64' }, [`Linux is 4.18.0-553.el8_10.x86_64, ${KERNEL}`]],
    [{ kernelRelease: '5.15.0-91-generic' }, [`Linux is 5.15.0-91-generic, ${KERNEL}`]],
    [
      { kernelRelease: '5.4', openVSwitchVersion: '2.9.0' },
      [`Linux is 5.4, ${KERNEL}`, `Open vSwitch is 2.9.0, ${SWITCH}`],
    ],
    [{ openVSwitchVersion: '3.0.5' }, [`Open vSwitch is 3.0.5, ${SWITCH}`]],
    [{ kernelRelease: 'unknown', openVSwitchVersion: '' }, []],
  ];
  for (const [versions, messages] of cases) {
    it(`are ${messages.length} for ${JSON.stringify(versions)}`, () => {
      const node = { ...completeNode({ nodeName: 'a' }), ...versions };
      expect(versionWarnings(node)).to.deep.equal(
        messages.map((message) => ({ object: 'Node/a', message, seenOnNode: true })),
      );
    });
  }
});
