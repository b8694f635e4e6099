import { expect } from 'chai';
import { attachmentCauses, networkReasons, readyReasons } from '../../../../src/domain/status/reasons.ts';
import { addAndRemovePod, dynamicNode, dynamicWords, emptyNetwork, untilUnused } from './first-pod.ts';
import { agentFixture } from './agent-fixture.ts';
import { DEADLINE, type NodeAgent } from './node-agent.ts';
import { untested, problems } from './reasons.ts';
import { healthyCluster, healthyNode } from './problems/healthy.ts';
import { runProblem, untilHealthy, type NodeProblem } from './problems/node-problem.ts';

/**
 * The refused operations in the log, each once. One is left out: an entity that is restored, and exists. The administrator of these problems makes a bridge
 * again with all that was on it while the agent restores it.
 */
async function refusals(agent: NodeAgent): Promise<readonly string[]> {
  const refused = (await agent.log()).matchAll(/"operation":"([^"]*)","error":"([^"]*)","msg":"refused: ([^"]*)/g);
  const unexpected = [...refused].filter(
    ([, name, error = '']) => name !== 'put-back' || !error.endsWith('File exists'),
  );
  return [...new Set(unexpected.map(([, , , operation = '']) => operation))];
}

describe('the reasons of an UplinkState', () => {
  it('are all tested, or listed with the reason', () => {
    const reasons = [...Object.keys(readyReasons), ...Object.keys(networkReasons)].filter(
      (problemsByReason) => problemsByReason !== 'Ready',
    );
    const known = [...problems.map(([reason]) => reason.split(',')[0]), ...Object.keys(untested)];
    expect(reasons.filter((reason) => !known.includes(reason))).to.deep.equal([]);
    const causes = Object.keys(attachmentCauses).map((cause) => `UplinkVRFAttachmentFailed, ${cause}`);
    expect(causes.filter((cause) => !problems.some(([reason]) => reason === cause))).to.deep.equal([]);
  });
});

describe('an agent whose node has a problem', () => {
  const { newAgent } = agentFixture();

  const problemsByReason = [...Map.groupBy(problems, ([reason]) => reason.split(',')[0] ?? '')];
  const [others, attachments] = [
    problemsByReason.filter(([reason]) => reason !== 'UplinkVRFAttachmentFailed'),
    problemsByReason.filter(([reason]) => reason === 'UplinkVRFAttachmentFailed'),
  ];
  const names = others.map(([reason]) => reason).join(', ');

  it(`reports ${names}, and when they are fixed`, async () => {
    expect(await refusalsIn(others.flatMap(([, rows]) => rows))).to.deep.equal([]);
  });

  it('reports each cause of UplinkVRFAttachmentFailed, and when it is fixed', async () => {
    const refused = await refusalsIn(attachments.flatMap(([, rows]) => rows));
    expect(refused).to.deep.equal(['~ net.ipv6.conf.br-green.keep_addr_on_down = 1']);
  });

  async function refusalsIn(rows: readonly (readonly [string, NodeProblem])[]): Promise<readonly string[]> {
    const agent = await newAgent(healthyCluster, healthyNode);
    await untilHealthy(agent);
    for (const [reason, problem] of rows) {
      expect(await runProblem(agent, problem), `${reason}: ${problem.title}`).to.be.within(0, DEADLINE);
    }
    return await refusals(agent);
  }
});

describe('a network that is active only on nodes with its pods', () => {
  const { newAgent } = agentFixture();

  it('is added with the first pod, removed with the last one, and added again', async () => {
    const agent = await newAgent(emptyNetwork, dynamicNode, { words: dynamicWords });
    await untilUnused(agent);
    for (const time of ['first', 'second']) expect(await addAndRemovePod(agent), time).to.be.within(0, DEADLINE);
    expect(await refusals(agent)).to.deep.equal([]);
  });
});
