import { expect } from 'chai';
import { clusterOf } from '../clusters.ts';
import { ip } from '../commands.ts';
import { blue, blueBridge, givenOn } from './given-agent.ts';
import { readyNetwork } from './node-agent.ts';
import { lastProcess, manyNetworks, metricsOf, settled, storm, writings } from './scale.ts';

/** How often something of the agent's is taken away in a storm, and milliseconds in which it is to be back: on a quiet machine it takes a twentieth. */
const [REPAIRS, SLOWEST_REPAIR] = [4, 10_000];

describe('an agent', function () {
  this.timeout(180_000);
  const { givenAgent } = givenOn();

  it('programs many networks on many bridges from nothing', async () => {
    const { cluster, commands } = manyNetworks(8);
    const agent = await givenAgent(cluster, commands);
    expect(await settled(agent)).to.be.below(60_000);
    const metrics = await metricsOf(agent.node);
    expect(metrics.get('ovn_uplinks_networks{reason="Ready"}')).to.equal(8);
    expect([...metrics.keys()].filter((name) => /result="(?:failed|refused)"/.test(name))).to.deep.equal([]);
  });

  it('writes no file and starts no program while nothing has to be done, and takes little memory', async () => {
    const agent = await givenAgent(clusterOf([blue]), blueBridge, { form: 'built' });
    await agent.until([], 'uplink-0', readyNetwork('blue'));
    await settled(agent);
    const { node } = agent;
    const [before, log] = [await writings(node), await agent.log()];
    const last = await lastProcess(node);
    // What makes it look, and is none of its business.
    const commands = [ip`link add other up type dummy`, ip`address add 10.250.0.1/24 dev other`];
    await node.does(...commands);
    await agent.says(`${escaped(log.trimEnd().split('\n').at(-1) ?? '')}.*nothing to do`);
    // The second time it is asked that is a program, too.
    expect((await lastProcess(node)) - last).to.equal(commands.length + 1);
    expect(await writings(node)).to.equal(before);
    const metrics = await metricsOf(node);
    expect(metrics.get('process_resident_memory_bytes')! / 2 ** 20).to.be.below(120);
  });

  it('misses nothing in a storm of changes that are none of its business', async () => {
    const agent = await givenAgent(clusterOf([blue]), blueBridge);
    await agent.until([], 'uplink-0', readyNetwork('blue'));
    await settled(agent);
    const { node } = agent;
    const raging = await node.start(storm(167, 6), '/run/storm.log');
    for (let repair = 1; repair <= REPAIRS; repair += 1) {
      const again = `(?:put right again: [^\\n]* IPv4 rule 1999.*?){${repair}}`;
      const milliseconds = await agent.says(again, 30_000, [ip`rule delete priority 1999 table 1011`]);
      expect(milliseconds, `repair ${repair}`).to.be.within(0, SLOWEST_REPAIR);
    }
    expect(await raging.exit()).to.deep.equal({ exitCode: 0 });
    expect(await node.does(ip`rule show priority 1999`)).to.include('lookup 1011');
  });
});

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
