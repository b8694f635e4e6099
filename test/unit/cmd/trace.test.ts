import { expect } from 'chai';
import { capturedSituation } from './captured-situation.ts';
import { runInProcess } from './run-in-process.ts';

describe('trace, the command', () => {
  const run = async (...words: readonly string[]) => runInProcess(await capturedSituation(), ['trace', ...words]);

  it('shows an aligned line for each hop, and the result', async () => {
    const { out, err, exitCode } = await run('red', 'worker-a', 'tcp 10.30.1.5:40000 > 172.20.0.9:443');
    expect(err).to.deep.equal([]);
    expect(exitCode).to.equal(0);
    expect(out.map((line) => line.replaceAll(/ {2,}/g, ' | '))).to.deep.equal([
      'red on worker-a, as planned: tcp 10.30.1.5:40000 > 172.20.0.9:443 from a pod',
      ' | cluster_udn_red_worker-a | to the cluster router | OVN',
      ' | cluster_udn_red_ovn_cluster_router | from 10.30.1.0/24 via 100.65.0.2 | pods of this node leave by its gateway router',
      ' | GR_cluster_udn_red_worker-a | default via 203.0.113.1, 203.0.113.2 (here 203.0.113.1); source becomes 169.254.0.13 | out by the default gateway of the uplink',
      ' | br-red, classify 100 | source becomes 203.0.113.6, connection marked 5 | egress leaves with the address of the uplink',
      ' | br-red, translated 100 | continues | egress with the address of the uplink goes to its next hop',
      ' | br-red, nextHop 100 | to MAC address 00:00:5e:00:53:01, to eth2 | the MAC address behind a virtual one, assumed',
      ' | eth2 | leaves with VLAN 100 as tcp 203.0.113.6:40000 > 172.20.0.9:443 to 203.0.113.1 | wire',
      'assumed: red0 has resolved 203.0.113.1; until then, packets to this gateway are dropped',
      'leaves by eth2',
    ]);
  });

  it('names the packet that a reply answers', async () => {
    const { out } = await run('red', 'worker-a', 'tcp 172.20.0.9:443 > 10.30.1.5:40000', '--state', 'established');
    expect(out[0]).to.equal(
      'red on worker-a, as planned: tcp 172.20.0.9:443 > 203.0.113.6:40000 from the wire, in reply to tcp 10.30.1.5:40000 > 172.20.0.9:443',
    );
    expect(out.at(-1)).to.equal('arrives at the pod with 10.30.1.5');
  });

  it('exits with 3 if the packet is dropped', async () => {
    const { out, exitCode } = await run('red', 'worker-a', 'udp 10.30.1.5:1 > 172.20.0.9:2', '--length', '9000');
    expect(out.at(-1)).to.equal('dropped at the pod: 9000 bytes exceed the MTU of 8900 bytes');
    expect(exitCode).to.equal(3);
  });

  it('shows as JSON what decided at each hop', async () => {
    const { out } = await run('blue', 'worker-a', 'tcp 192.0.2.6:1 > 172.20.0.9:2', '--output', 'json');
    const document = JSON.parse(out.join('\n')) as { hops: Record<string, string>[]; verdict: object };
    expect(document).to.include({ network: 'blue', node: 'worker-a', planned: true, from: 'host' });
    expect(document.verdict).to.deep.equal({ kind: 'leaves', by: 'eth1' });
    expect(document.hops[1]?.['decidedBy']).to.match(/^table=0, priority=100,ip,in_port=LOCAL.* actions=ct\(commit/);
  });

  /** Bad input, and the error. */
  const mistakes: readonly (readonly [readonly string[], string])[] = [
    [['red', 'worker-z', 'icmp 10.30.1.5 > 172.20.0.9'], 'no capture of node worker-z, only of worker-a'],
    [['green', 'worker-a', 'icmp 10.30.1.5 > 172.20.0.9'], 'no ClusterUserDefinedNetwork green; they have blue, red'],
    [['red', 'worker-a', 'icmp 10.30.1.5 > fd20::1'], 'packet: the source is an IPv4 address and the destination'],
    [['red', 'worker-a', 'tcp 10.30.1.5:70000 > 172.20.0.9:1'], 'the port of the source is "70000"'],
    [['red', 'worker-a', 'icmp 9.9.9.9 > 172.20.0.9', '--from', 'host'], 'no device of worker-a has 9.9.9.9'],
  ];

  for (const [words, message] of mistakes) {
    it(`exits with 1 for ${words.join(' ')}`, async () => {
      const { out, err, exitCode } = await run(...words);
      expect(out).to.deep.equal([]);
      expect(err.join('\n'))
        .to.match(/^error: /)
        .and.include(message);
      expect(exitCode).to.equal(1);
    });
  }
});
