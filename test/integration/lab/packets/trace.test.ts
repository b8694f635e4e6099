import { expect } from 'chai';
import { ovnUplinks } from '../agent/node-agent.ts';
import type { LabNode, Run } from '../node.ts';
import { expectAnswers, podsAndHosts } from './clients.ts';
import { podAddresses } from './own-half.ts';
import { carrying, NORTHBOUND, preparedNode } from './packet-node.ts';
import { blue, common, type Tenant } from './tenant.ts';

/** A tenant in the default routing domain, whose pods are translated. */
const green: Tenant = {
  name: 'green',
  networkId: 2,
  uplink: { name: 'green', macAddress: '02:00:00:00:03:06' },
};

const tenants = [blue, green];

const [outside4, outside6] = common.outside;
const [pod4, pod6] = podAddresses;
const [host4] = common.uplink;
const [node4] = common.otherNode;

/** Network and packet of traces in which the switch does what is expected, with further words. */
const traces: readonly (readonly [string, string, ...(readonly string[])])[] = [
  ['blue', `udp ${outside4}:40000 > ${pod4}:53`],
  ['blue', `tcp ${pod4}:40000 > ${node4}:443`],
  ['blue', `tcp ${host4}:40000 > ${outside4}:443`],
  ['green', `tcp ${outside4}:443 > ${pod4}:40000`, '--state', 'established'],
  ['green', `tcp [${pod6}]:40000 > [${outside6}]:443`],
];

describe('flows, trace and capture on a node that carries packets', () => {
  let node: LabNode;

  before(async () => {
    node = await preparedNode(tenants);
    await carrying(node, tenants);
    // Whoever is answered has its gateways' MAC addresses in flows.
    await expectAnswers(node, podsAndHosts(tenants), { protocol: 'icmp', rounds: 5 });
  });
  after(() => node.end());

  const run = (...words: readonly string[]): Promise<Run> =>
    node.run(ovnUplinks(...words, '--manifests', '/run/manifests', '--local', '--ovn-northbound', NORTHBOUND));

  for (const [network, packet, ...words] of traces) {
    it(`trace of ${packet} of ${network}: the switch does the same`, async () => {
      const { stdout, stderr, exitCode } = await run('trace', network, 'worker-a', packet, '--check', ...words);
      expect(exitCode, `${stdout}\n${stderr}`).to.equal(0);
      expect(stdout).to.include('the switch does the same').and.not.include('assumed');
      expect(stdout.split('\n')[0]).to.match(new RegExp(`^${network} on worker-a: `));
    });
  }

  it('flows counts the packets that were sent', async () => {
    const { stdout } = await run('flows', 'worker-a', '--output', 'json');
    const flows = JSON.parse(stdout) as Record<string, { why: string; packets: number | null }[]>;
    const counted = (bridge: string, why: string) =>
      (flows[bridge] ?? []).filter((flow) => flow.why.startsWith(why)).map(({ packets }) => packets ?? 0);
    expect(Math.max(...counted('br-green', 'egress leaves'))).to.be.at.least(1);
    expect(Math.max(...counted('br-blue', 'pods keep their addresses'))).to.be.at.least(1);
    // Learned ones may have ended in between.
    const uncounted = Object.values(flows)
      .flat()
      .filter(({ why, packets }) => why !== 'learned' && packets === null);
    expect(uncounted).to.deep.equal([]);
  });

  it('a capture has the rows of both databases and the flows: nothing is left to do', async () => {
    await node.does(ovnUplinks('capture', '--out', '/run/captured', '--ovn-northbound', NORTHBOUND));
    const inputs = ['--cluster', '/run/manifests/cluster.yaml', '--host', 'worker-a=/run/captured'];
    const { stdout, stderr } = await node.run(ovnUplinks('plan', ...inputs));
    expect(stdout, stderr).to.include('Nothing to do on worker-a.');
    await node.does(['/bin/busybox', 'rm', '/run/captured/ovn-nb.json']);
    const without = await node.run(ovnUplinks('plan', ...inputs));
    expect(without.stdout).to.match(/\+ gateway router of cluster_udn_blue: \d+ rows/);
  });
});
