import { expect } from 'chai';
import { NodeAgent, readyNetwork } from '../agent/node-agent.ts';
import type { LabNode } from '../node.ts';
import {
  ask,
  type Asked,
  type Broadcasts,
  broadcasts,
  costRatio,
  linkNeighbours,
  linkReport,
  manyTenants,
  nodeOfMany,
  provider,
  silence,
  slowest,
} from './many-networks.ts';
import { NORTHBOUND } from './packet-node.ts';
import { clusterWith, common, type Tenant } from './tenant.ts';

const PODS = 100;
const tenants = manyTenants(PODS);

/** Networks to compare with. */
const FEW = 5;

/**
 * Seconds between two requests of a pod. They use the node's only processor too: they leave most of it to the agent, also where the machine that all tests
 * run on has little for the node.
 */
const INTERVAL = 2;

/** Seconds of broadcasts. */
const FLOOD = 3;

/**
 * How many times what they cost with few networks broadcasts may cost with all. It is about the same on an idle machine; what other programs use of a busy
 * one counts too. If each network got them they would cost many times that.
 */
const HIGHEST_RATIO = 4;

/** Expects that each pod got its answers, and those of no other pod. */
async function expectIsolated(node: LabNode, { unanswered, elsewhere }: Asked): Promise<void> {
  const outcome = { unanswered, elsewhere };
  if (unanswered.length > 0 || elsewhere > 0) expect.fail(`${JSON.stringify(outcome)}\n${await linkReport(node)}`);
}

describe(`${PODS} networks on one bridge`, () => {
  let node: LabNode;
  let withFew: Broadcasts;
  before(async () => {
    node = await nodeOfMany(tenants);
    const few = tenants.slice(0, FEW);
    await NodeAgent.save(node, clusterWith(few));
    const agent = await NodeAgent.start(node, { northbound: NORTHBOUND });
    const untilReady = async (those: readonly Tenant[]) => {
      for (const { name } of those) await agent.until([], 'uplink-0', readyNetwork(name), 180_000);
    };
    await untilReady(few);
    withFew = await broadcasts(node, FLOOD);
    await NodeAgent.save(node, clusterWith(tenants));
    await untilReady(tenants);
  });
  after(() => node.end());

  for (const to of common.outside)
    it(`reach ${to} behind the gateway with their first packets`, async () => {
      // On a busy machine answers come late: only after five seconds is a packet taken as lost, and repeated.
      const { requests, unanswered, elsewhere } = await ask(node, { pods: PODS, to, interval: 5, deadline: 90 });
      expect({ requests, unanswered, elsewhere }).to.deep.equal({ requests: PODS, unanswered: [], elsewhere: 0 });
    });

  for (const to of linkNeighbours)
    it(`resolve ${to} on the link`, async () => {
      const asked = await ask(node, { pods: PODS, to, interval: INTERVAL, deadline: 120 });
      await expectIsolated(node, asked);
      process.stdout.write(`      all after ${slowest(asked)} ms\n`);
    });

  for (const [family, to] of common.outside.entries()) {
    it(`follow the gateway to a new MAC address, asking ${to}`, async () => {
      const run = provider('link', 'set', 'eth0', 'address', `02:00:00:00:77:0${family}`);
      const asked = await ask(node, { pods: PODS, to, interval: INTERVAL, deadline: 60, run });
      await expectIsolated(node, asked);
      process.stdout.write(`      all after ${slowest(asked)} ms\n`);
    });
  }

  it('follow the gateway to a new MAC address after the kernel has dropped it', async () => {
    await silence(node);
    const announced = provider('link', 'set', 'eth0', 'up');
    await node.does(provider('link', 'set', 'eth0', 'address', '02:00:00:00:77:09'), announced);
    const asked = await Promise.all(
      common.outside.map((to) => ask(node, { pods: PODS, to, interval: INTERVAL, deadline: 60 })),
    );
    for (const each of asked) await expectIsolated(node, each);
    process.stdout.write(`      all after ${asked.map(slowest).join(' and ')} ms\n`);
  });

  it('do not multiply the cost of broadcasts', async () => {
    const ratio = costRatio(await broadcasts(node, FLOOD), withFew);
    process.stdout.write(`      ${ratio.toFixed(1)} times that of ${FEW} networks\n`);
    expect(ratio).to.be.below(HIGHEST_RATIO);
  });
});
