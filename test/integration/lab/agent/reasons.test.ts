import { expect } from 'chai';
import { attachmentCauses, networkReasons, readyReasons } from '../../../../src/domain/status/reasons.ts';
import { comeAndGo, dynamicNode, dynamicWords, emptyNetwork, isUnused } from './first-pod.ts';
import { givenOn } from './given-agent.ts';
import { DEADLINE, type NodeAgent } from './node-agent.ts';
import { outOfReach, troubles } from './reasons.ts';
import { healthyCluster, healthyNode } from './troubles/healthy.ts';
import { goThrough, isHealthy, type Trouble } from './troubles/trouble.ts';

/** Operations that were refused, each once however often it was tried again, as the log tells of them. */
async function refusals(agent: NodeAgent): Promise<readonly string[]> {
  const refused = (await agent.log()).matchAll(/"msg":"refused: ([^"]*)/g);
  return [...new Set([...refused].map(([, operation = '']) => operation))];
}

describe('the reasons of an UplinkState', () => {
  it('are all tested, or listed with the reason', () => {
    const reasons = [...Object.keys(readyReasons), ...Object.keys(networkReasons)].filter((each) => each !== 'Ready');
    const known = [...troubles.map(([reason]) => reason.split(',')[0]), ...Object.keys(outOfReach)];
    expect(reasons.filter((reason) => !known.includes(reason))).to.deep.equal([]);
    const causes = Object.keys(attachmentCauses).map((cause) => `UplinkVRFAttachmentFailed, ${cause}`);
    expect(causes.filter((cause) => !troubles.some(([reason]) => reason === cause))).to.deep.equal([]);
  });
});

describe('an agent whose node has a problem', () => {
  const { givenAgent } = givenOn();

  const each = [...Map.groupBy(troubles, ([reason]) => reason.split(',')[0] ?? '')];
  const [others, attachments] = [
    each.filter(([reason]) => reason !== 'UplinkVRFAttachmentFailed'),
    each.filter(([reason]) => reason === 'UplinkVRFAttachmentFailed'),
  ];
  const names = others.map(([reason]) => reason).join(', ');

  it(`reports ${names}, and when that is fixed`, async () => {
    expect(await refusalsIn(others.flatMap(([, rows]) => rows))).to.deep.equal([]);
  });

  it('reports each cause of UplinkVRFAttachmentFailed, and when that is fixed', async () => {
    const refused = await refusalsIn(attachments.flatMap(([, rows]) => rows));
    expect(refused).to.deep.equal(['+ address fd69::2/128 on green']);
  });

  async function refusalsIn(rows: readonly (readonly [string, Trouble])[]): Promise<readonly string[]> {
    const agent = await givenAgent(healthyCluster, healthyNode);
    await isHealthy(agent);
    for (const [reason, trouble] of rows) {
      expect(await goThrough(agent, trouble), `${reason}: ${trouble.title}`).to.be.within(0, DEADLINE);
    }
    return await refusals(agent);
  }
});

describe('a network that is active where its pods are', () => {
  const { givenAgent } = givenOn();

  it('is added with the first pod, removed with the last one, and added again', async () => {
    const agent = await givenAgent(emptyNetwork, dynamicNode, { words: dynamicWords });
    await isUnused(agent);
    for (const time of ['first', 'second']) expect(await comeAndGo(agent), time).to.be.within(0, DEADLINE);
    expect(await refusals(agent)).to.deep.equal([]);
  });
});
