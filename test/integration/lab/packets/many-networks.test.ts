import { expect } from 'chai';
import { NodeAgent, readyNetwork } from '../agent/node-agent.ts';
import type { LabNode } from '../node.ts';
import { ask, linkNeighbours, manyTenants, nodeOfMany, provider, silence, slowest } from './many-networks.ts';
import { NORTHBOUND } from './packet-node.ts';
import { common } from './tenant.ts';

const PODS = 100;
const tenants = manyTenants(PODS);

describe(`${PODS} networks on one bridge`, () => {
  let node: LabNode;
  before(async () => {
    node = await nodeOfMany(tenants);
    const agent = await NodeAgent.start(node, { northbound: NORTHBOUND });
    for (const { name } of tenants) await agent.until([], 'uplink-0', readyNetwork(name), 180_000);
  });
  after(() => node.end());

  for (const to of common.outside)
    it(`reach ${to} behind the gateway with their first packets`, async () => {
      const { requests, unanswered, elsewhere } = await ask(node, { pods: PODS, to, interval: 1, deadline: 20 });
      expect({ requests, unanswered, elsewhere }).to.deep.equal({ requests: PODS, unanswered: [], elsewhere: 0 });
    });

  for (const to of linkNeighbours)
    it(`resolve ${to} on the link`, async () => {
      const asked = await ask(node, { pods: PODS, to, interval: 1, deadline: 120 });
      expect(asked.unanswered).to.deep.equal([]);
      process.stdout.write(`      all after ${slowest(asked)} ms\n`);
    });

  for (const [family, to] of common.outside.entries()) {
    it(`follow the gateway to a new MAC address, asking ${to}`, async () => {
      const run = provider('link', 'set', 'eth0', 'address', `02:00:00:00:77:0${family}`);
      const asked = await ask(node, { pods: PODS, to, interval: 0.5, deadline: 60, run });
      expect(asked.unanswered).to.deep.equal([]);
      process.stdout.write(`      all after ${slowest(asked)} ms\n`);
    });
  }

  it('follow the gateway to a new MAC address after the kernel has given it up', async () => {
    await silence(node);
    const announced = provider('link', 'set', 'eth0', 'up');
    const [to] = common.outside;
    await node.does(provider('link', 'set', 'eth0', 'address', '02:00:00:00:77:09'), announced);
    const asked = await ask(node, { pods: PODS, to, interval: 0.5, deadline: 60 });
    expect(asked.unanswered).to.deep.equal([]);
    process.stdout.write(`      all after ${slowest(asked)} ms\n`);
  });
});
