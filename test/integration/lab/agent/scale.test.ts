import { expect } from 'chai';
import { clusterOf } from '../clusters.ts';
import { ip } from '../commands.ts';
import { blue, blueBridge, agentFixture } from './agent-fixture.ts';
import { readyNetwork } from './node-agent.ts';
import { manyNetworks, metricsOf, settled, startedPrograms, storm, writings } from './scale.ts';

/** How often a managed rule is removed during a storm. */
const REPAIRS = 4;

describe('an agent', () => {
  const { newAgent } = agentFixture();

  it('programs many networks on many bridges', async () => {
    const { cluster, commands } = manyNetworks(8);
    const agent = await newAgent(cluster, commands);
    await settled(agent);
    const metrics = await metricsOf(agent.node);
    expect(metrics.get('ovn_uplinks_networks{reason="Ready"}')).to.equal(8);
    expect([...metrics.keys()].filter((name) => /result="(?:failed|refused)"/.test(name))).to.deep.equal([]);
  });

  it('writes no file and starts no program while idle, and uses little memory', async () => {
    // A devlink that succeeds: one that fails is run again every minute.
    const script = `mkdir /run/bin && echo '#!/bin/sh\necho "{}"' > /run/bin/devlink && chmod +x /run/bin/devlink`;
    const agent = await newAgent(clusterOf([blue]), [...blueBridge, ['/bin/busybox', 'ash', '-c', script]], {
      form: 'built',
      path: '/run/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    });
    await agent.until([], 'uplink-0', readyNetwork('blue'));
    await settled(agent);
    const { node } = agent;
    const log = await agent.log();
    const before = [await startedPrograms(node), await writings(node)];
    // Unrelated changes, after which the agent observes the node.
    await node.does(ip`link add other up type dummy`, ip`address add 10.250.0.1/24 dev other`);
    await agent.untilLogged(`${escaped(log.trimEnd().split('\n').at(-1) ?? '')}.*nothing to do`);
    expect([await startedPrograms(node), await writings(node)]).to.deep.equal(before);
    const metrics = await metricsOf(node);
    expect(metrics.get('process_resident_memory_bytes')! / 2 ** 20).to.be.below(120);
  });

  it('repairs drift during a storm of unrelated changes', async () => {
    const agent = await newAgent(clusterOf([blue]), blueBridge);
    await agent.until([], 'uplink-0', readyNetwork('blue'));
    await settled(agent);
    const { node } = agent;
    const stormProcess = await node.start(storm(167, 6), '/run/storm.log');
    for (let repair = 1; repair <= REPAIRS; repair += 1) {
      const again = `(?:repaired: [^\\n]* IPv4 rule 1999.*?){${repair}}`;
      const milliseconds = await agent.untilLogged(again, [ip`rule delete priority 1999 table 1011`]);
      expect(milliseconds, `repair ${repair}`).to.be.at.least(0);
    }
    expect(await stormProcess.exit()).to.deep.equal({ exitCode: 0 });
    expect(await node.does(ip`rule show priority 1999`)).to.include('lookup 1011');
  });
});

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
