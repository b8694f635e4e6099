import { expect } from 'chai';
import type { ClusterSnapshot, NodeSnapshot } from '../../../../src/domain/index.ts';
import type { LabNode } from '../node.ts';
import { prepare } from '../prepare.ts';
import { sharedMachine } from '../shared-machine.ts';
import { countDifferences, ledgerDifferences } from './faults/node-differences.ts';
import { failed, preparedNode, runFaults } from './faults/run-faults.ts';
import { withoutTenants, withTenants } from './faults/scenario.ts';
import { leftovers } from './leftovers.ts';
import { labProgram, NodeAgent, nodeCommand } from './node-agent.ts';

const APPLIED = '/run/applied';

describe('an agent that is killed', () => {
  let node: LabNode;
  beforeEach(async () => {
    node = await (await sharedMachine()).node('worker-a');
  });
  afterEach(() => node.end());

  it('after any tenth change of set-up and removal creates no duplicate, and reaches the same state', async () => {
    await expectNoDifferences(node, 10);
  });

  /** The operations that an agent applies for a cluster. The agent is killed after a change, if any, and started again. */
  async function appliedFor(cluster: ClusterSnapshot, killedAfter?: number): Promise<readonly string[]> {
    await NodeAgent.save(node, cluster);
    const agent = (at: number) => {
      const words = [...nodeCommand(node.name), '--once', '--listen', 'none'];
      return labProgram('test/integration/lab/agent/faults/watched-agent.ts', APPLIED, String(at), ...words);
    };
    await node.write(APPLIED, '');
    if (killedAfter !== undefined) {
      const process = await node.start(agent(killedAfter), '/run/killed.log');
      expect(await process.exit()).to.deep.equal({ signal: 'SIGKILL' });
    }
    await node.does(agent(0));
    return (await node.read(APPLIED)).trim().split('\n');
  }

  function differing(before: NodeSnapshot, after: NodeSnapshot): readonly string[] {
    return [...leftovers(before, after), ...ledgerDifferences(before, after)];
  }

  it('by a real SIGKILL is followed by one that applies the rest', async () => {
    await prepare(node, preparedNode);
    await NodeAgent.prepare(node, withoutTenants);
    const setUp = await appliedFor(withTenants);
    const programmed = await node.snapshot();
    const removal = await appliedFor(withoutTenants);
    const clean = await node.snapshot();
    expect(countDifferences(setUp, await appliedFor(withTenants, 22))).to.deep.equal([]);
    expect(differing(programmed, await node.snapshot())).to.deep.equal([]);
    expect(countDifferences(removal, await appliedFor(withoutTenants, 15))).to.deep.equal([]);
    expect(differing(clean, await node.snapshot())).to.deep.equal([]);
  });
});

/** Lets agents crash after every STEPth change, and expects no difference in the end. */
async function expectNoDifferences(node: LabNode, step: number): Promise<void> {
  const { undisturbed, outcomes } = await runFaults(node, 'crash', 5, step);
  expect(undisturbed.differences).to.deep.equal([]);
  expect(outcomes.map(({ phase }) => phase)).to.include.members(['set-up', 'removal']);
  expect(outcomes.length).to.be.at.least(Math.floor((undisturbed.setUp + undisturbed.removal) / step));
  expect(failed(outcomes)).to.deep.equal([]);
}
