/** The kernel's settings of other devices than those that are read never change a decision. */
import { expect } from 'chai';
import fc from 'fast-check';
import { diffNode, type NodeSnapshot, nodeStatus, planNode } from '../../src/domain/index.ts';
import { foreseen } from '../../src/domain/diff/foresee.ts';
import { changesOf } from '../../src/domain/entities/operations/operation.ts';
import { devicesWithSettings } from '../../src/domain/plan/devices-with-settings.ts';
import { deviceInSetting, inSetting } from '../../src/domain/snapshot/device-settings.ts';
import { cases } from '../../src/testing/index.ts';
import { caseCount } from '../case-count.ts';
import { Coverage } from '../coverage.ts';

/** The node with no other settings of devices. */
function withSettingsOf(devices: ReadonlySet<string>, node: NodeSnapshot): NodeSnapshot {
  const kept = new Set<string | undefined>([undefined, 'all', 'default', ...[...devices].map(inSetting)]);
  const sysctls = Object.entries(node.sysctls).filter(([name]) => kept.has(deviceInSetting(name)));
  return { ...node, sysctls: Object.fromEntries(sysctls) };
}

describe('decisions about a node with the settings that are read', function () {
  this.timeout(0);

  it('are those with the settings of all devices, also after some of the planned operations', () => {
    const coverage = new Coverage();
    fc.assert(
      fc.property(cases, fc.array(fc.nat(), { maxLength: 3 }), ({ cluster, nodes, settings }, numbers) => {
        const decided = (node: NodeSnapshot) => {
          const plan = planNode(cluster, node, settings);
          const operations = diffNode(plan, node);
          return { operations, text: JSON.stringify({ plan, operations, states: nodeStatus(plan) }) };
        };
        for (const found of nodes) {
          let node = found;
          for (const number of [0, ...numbers]) {
            const { operations } = decided(node);
            node = foreseen(operations.slice(0, number % (operations.length + 1)), node);
            const read = withSettingsOf(devicesWithSettings(cluster, node), node);
            expect(decided(read).text).to.equal(decided(node).text);
            coverage.count({
              'settings are left out': Object.keys(read.sysctls).length < Object.keys(node.sysctls).length,
              'settings are changed': decided(node).operations.some(
                (operation) => changesOf(operation)[0]?.entity.kind === 'sysctl',
              ),
              'settings of ours are there': node.ledger.entries.some(({ kind }) => kind === 'sysctl'),
            });
          }
        }
      }),
      { numRuns: caseCount(300) },
    );
    coverage.expect({
      'settings are left out': 0.3,
      'settings are changed': 0.1,
      'settings of ours are there': 0.1,
    });
  });
});
