import { expect } from 'chai';
import {
  api,
  namespacedPodCluster,
  podCluster,
  podNode,
  web,
  withWaysOut,
} from '../domain/explanation/trace/pod-situation.ts';
import { runInProcess, type Situation } from './run-in-process.ts';

const pods = [web, api];
const situation: Situation = { cluster: podCluster(pods), nodes: [podNode('a', pods), podNode('b', pods)] };

describe('trace between pods, the command', () => {
  const run = (packet: string, networks = 'all', of = situation) =>
    runInProcess(of, ['trace', 'blue', 'a', packet, '--networks', networks]);

  it('names the node of each hop on the other node, and where the packet arrives', async () => {
    const { out, err, exitCode } = await run('tcp pod/web > pod/api:8080');
    expect({ err, exitCode }).to.deep.equal({ err: [], exitCode: 0 });
    expect(out[0]).to.equal('blue on a, as planned: tcp 10.20.0.5:40000 > 10.20.1.6:8080 from a pod');
    expect(out.map((line) => line.trim().split(/ {2,}/)[0]).slice(5, 8)).to.deep.equal([
      'Geneve tunnel',
      'b: cluster_udn_blue_transit_switch',
      'b: cluster_udn_blue_ovn_cluster_router',
    ]);
    expect(out.at(-1)).to.equal('arrives at the pod with 10.20.1.6 on b');
  });

  it('ends at the tunnel without a capture of the other node', async () => {
    const { out, exitCode } = await run('icmp pod/web > pod/api', 'all', {
      ...situation,
      nodes: situation.nodes.slice(0, 1),
    });
    expect({ last: out.at(-1), exitCode }).to.deep.equal({
      last: 'leaves by the tunnel to b, of which there is no capture',
      exitCode: 0,
    });
  });

  it('exits with 3 if it is dropped', async () => {
    const { out, exitCode } = await run('icmp pod/web > 10.20.1.66');
    expect(out.at(-1)).to.match(/^dropped at cluster_udn_blue_b: no port has 10\.20\.1\.66/);
    expect(exitCode).to.equal(3);
  });

  it('shows as JSON the node of each hop on the other one, and what decided', async () => {
    const { out } = await runInProcess(situation, [
      ...['trace', 'blue', 'a', 'icmp pod/web > pod/api', '--networks', 'all', '--output', 'json'],
    ]);
    const { hops, verdict } = JSON.parse(out.join('\n')) as { hops: Record<string, string>[]; verdict: object };
    expect(hops.map(({ node }) => node)).to.deep.equal([...Array<undefined>(5).fill(undefined), 'b', 'b', 'b', 'b']);
    expect(hops.at(-1)).to.include({ where: 'br-int', decidedBy: 'iface-id demo.blue_demo_api' });
    expect(verdict).to.deep.equal({ kind: 'arrives', at: 'the pod with 10.20.1.6 on b' });
  });

  it('expects addresses if another implementation provides the network', async () => {
    const { err, exitCode } = await run('icmp pod/web > pod/api', 'none');
    expect(err).to.deep.equal([
      'error: packet: ovn-uplinks does not provide network blue (--networks none): expected addresses, not pods',
    ]);
    expect(exitCode).to.equal(1);
  });

  it('follows packets of a UserDefinedNetwork by its namespace and name, and says so of one that does not exist', async () => {
    const nodes = (['a', 'b'] as const).map((name) => podNode(name, pods, 'demo_blue'));
    const of = { cluster: namespacedPodCluster(pods), nodes };
    const followed = (network: string, packet: string) =>
      runInProcess(of, ['trace', network, 'a', packet, '--networks', 'all']);
    expect((await followed('demo/blue', 'tcp pod/web > pod/api:8080')).out.at(-1)).to.equal(
      'arrives at the pod with 10.20.1.6 on b',
    );
    const named = ['trace', 'blue', 'a', 'tcp pod/web > pod/api:8080', '-n', 'demo', '--networks', 'all'];
    expect((await runInProcess(of, named)).out.at(-1)).to.equal('arrives at the pod with 10.20.1.6 on b');
    expect((await followed('demo/blue', 'tcp pod/web > 198.51.100.1:80')).err).to.deep.equal([
      'error: network demo/blue has no uplinks: its packets leave nodes only for its pods on others',
    ]);
    expect((await followed('demo/red', 'tcp 10.20.0.5:1 > 10.20.1.6:80')).err).to.deep.equal([
      'error: the cluster objects have no UserDefinedNetwork demo/red; they have demo/blue',
    ]);
    expect((await followed('blue', 'tcp pod/web > pod/api:80')).err).to.deep.equal([
      'error: the cluster objects have no ClusterUserDefinedNetwork blue; they have none; UserDefinedNetworks of this name are demo/blue',
    ]);
  });

  it('exits with 1 for a pod that does not exist', async () => {
    const { err, exitCode } = await run('icmp pod/gone > pod/api');
    expect({ err, exitCode }).to.deep.equal({
      err: ['error: packet: the cluster objects have no pod demo/gone'],
      exitCode: 1,
    });
  });
});

describe('the commands, of a network that leaves by the node', () => {
  const leaving: Situation = { cluster: situation.cluster, nodes: [withWaysOut(podNode('a', pods))] };
  const asIs = ['--networks', 'all', '--egress', 'node'];
  const letOut = [...asIs, '--cluster-cidr', '10.244.0.0/16'];
  const run = (...words: readonly string[]) => runInProcess(leaving, words);

  it('trace follows packets of its pods to the device that they leave by', async () => {
    const { out, err, exitCode } = await run('trace', 'blue', 'a', 'tcp pod/web > 198.18.0.1:443', ...letOut);
    expect({ err, exitCode }).to.deep.equal({ err: [], exitCode: 0 });
    expect(out.slice(-2).map((line) => line.trim().split(/ {2,}/))).to.deep.equal([
      ['eth0', 'leaves to 192.0.2.1; source becomes 192.0.2.11', 'address of the node, by masquerading'],
      ['leaves by eth0'],
    ]);
  });

  it('trace exits with 3 if the filter drops them', async () => {
    const { out, exitCode } = await run('trace', 'blue', 'a', 'tcp pod/web > 10.244.1.1:443', ...letOut);
    expect(out.at(-1)).to.match(/denied destination: 10\.244\.0\.0\/16 \(pods of the default network\)$/);
    expect(exitCode).to.equal(3);
  });

  it('plan says that its pods leave by the node, or that it is not ready, and why', async () => {
    const tableOf = async (options: readonly string[]) => {
      const { out } = await run('plan', ...options);
      const [line = '', note = ''] = out.slice(out.findIndex((each) => /PROVIDED NETWORK/.test(each)) + 1);
      return { state: line.split(/ {2,}/).at(-1), note: note.trim() };
    };
    const left = 'pods leave the cluster by the node, with its address (--egress node)';
    expect(await tableOf(letOut)).to.deep.equal({ state: 'ready when done', note: left });
    const unknown = await tableOf(asIs);
    expect(unknown.state).to.equal('not ready');
    expect(unknown.note).to.match(/^pods do not leave by the node: no Node has spec\.podCIDRs/);
  });

  it('plan says the same as JSON', async () => {
    const networkOf = async (options: readonly string[]) => {
      const { out } = await run('plan', '--output', 'json', ...options);
      const { nodes } = JSON.parse(out.join('\n')) as {
        nodes: Record<string, { zones: Record<string, unknown>[] }>;
      };
      return nodes['a']?.zones[0];
    };
    expect(await networkOf(letOut)).to.deep.include({ ready: true, exit: 'node', message: '' });
    expect(await networkOf(letOut)).not.to.have.property('egressMessage');
    const unknown = await networkOf(asIs);
    expect(unknown).to.deep.include({ ready: false, exit: 'node', message: '' });
    expect(unknown?.['egressMessage']).to.match(/^pods do not leave by the node: no Node has spec\.podCIDRs/);
  });

  it('plan says that its pods leave by the Uplink of the setting, as text and as JSON', async () => {
    const options = ['--networks', 'all', '--egress', 'uplink=underlay'];
    const { out } = await run('plan', ...options);
    expect(out.map((line) => line.trim())).to.include(
      'pods leave the cluster by Uplink underlay (--egress uplink=underlay)',
    );
    expect(out.join('\n')).to.match(/UplinkNotFound.*Uplink underlay does not exist/s);
    const json = await run('plan', '--output', 'json', ...options);
    const { nodes } = JSON.parse(json.out.join('\n')) as {
      nodes: Record<string, { zones: Record<string, unknown>[] }>;
    };
    expect(nodes['a']?.zones[0]).to.deep.include({ ready: true, exit: 'uplink=underlay' });
  });

  it('explain says that the setting gives it the Uplink', async () => {
    const { out } = await run('explain', 'blue', 'a', '--networks', 'all', '--egress', 'uplink=underlay');
    expect(out.join('\n')).to.include('names no Uplink, and --egress uplink=underlay gives it that one');
    expect(out.join('\n')).to.include('UplinkNotFound');
  });

  it('flows says that there are none', async () => {
    expect((await run('flows', 'a', ...letOut)).out).to.deep.equal(['No network on a has flows.']);
  });
});
