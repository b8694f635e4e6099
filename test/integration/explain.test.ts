import { readFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readScenario } from '../scenarios/scenario-folders.ts';
import { service } from '../unit/domain/brief-services.ts';
import { ovnUplinks, ovnUplinksProcess, workerA } from './command.ts';

describe('explain of the captured node worker-a', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ovn-uplinks-explain-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  async function explained(network: string, args: readonly string[] = workerA): Promise<readonly string[]> {
    const { stdout, stderr, exitCode } = await ovnUplinks(['explain', network, 'worker-a', ...args]);
    expect(exitCode, stderr).to.equal(0);
    return stdout.split('\n').map((line) => line.replaceAll(/(?<=\S) {2,}/g, '  '));
  }

  it('explains why blue is in its VRF, the planned changes, and what would change that', async () => {
    expect(await explained('blue')).to.deep.equal([
      'blue on worker-a: VRF blue, bridge br-blue, ready',
      '  active on every node: networks are not dynamic  ClusterUserDefinedNetwork/blue',
      '  uplink blue-underlay, nodeConfigs[0] (rack=rack-a): interface br-blue  Uplink/blue-underlay',
      '    addresses 192.0.2.6/24, 2001:db8:b::6/64; gateways 192.0.2.1, 2001:db8:b::1  ip-address.json, ip-route4.json, ip-route6.json',
      '    br-blue is LOCAL of bridge br-blue, physical port eth1  ip-link.json, ovsdb.json',
      '  routing domain: VRF blue',
      '    targetVRF auto by RouteAdvertisements/blue-ra, with FRRConfiguration frr-k8s-system/vpn-blue  RouteAdvertisements/blue-ra, FRRConfiguration/frr-k8s-system/vpn-blue',
      '  alone on bridge br-blue',
      'planned changes:',
      '  + VRF blue with table 1007',
      '  ~ VRF blue: up, signed as ovn-uplinks:cluster_udn_blue',
      '  + address 169.254.0.2/32 on blue',
      '  + address 169.254.0.3/32 on blue',
      '  + address fd69::2/128 on blue',
      '  + br-blue into VRF blue (br-blue goes down and up: its connections pause)',
      '  … and 22 more, see plan',
      'would change with:',
      '  no RouteAdvertisements  → default routing domain, bridge br-blue, ready',
      '  another active network on br-blue  → VRF blue, bridge br-blue, held: UplinkConfigurationConflict',
      '  interface br-blue down  → VRF blue, held: UplinkNotReadyForNode',
    ]);
  });

  it('explains which address would cut the node off, and its source', async () => {
    const file = join(folder, 'cluster.yaml');
    const objects = readFileSync('fixtures/cluster.yaml', 'utf8');
    writeFileSync(file, objects.replace('hostInterfaceName: br-blue', 'hostInterfaceName: br-ex'));
    const lines = await explained('blue', ['--default-bridge', 'br-x', '--cluster', file, ...workerA.slice(2)]);
    expect(lines[0]).to.equal('blue on worker-a: VRF blue, bridge br-ex, held: UplinkVRFAttachmentFailed');
    expect(lines).to.include(
      '  UplinkVRFAttachmentFailed: enslaving br-ex to VRF blue would cut the node off: it has 198.51.100.10, an InternalIP of the Node  Node/worker-a, ip-address.json',
    );
    expect(lines).to.include('no changes planned');
  });

  it('prints every operation for the network as JSON', async () => {
    const { stdout } = await ovnUplinksProcess(['explain', 'red', 'worker-a', '--output', 'json', ...workerA]);
    const { operations } = JSON.parse(stdout) as { readonly operations: readonly Readonly<Record<string, string>>[] };
    expect(operations).to.have.length(17);
    expect(operations[0]).to.deep.equal({ mark: '+', summary: 'VRF red with table 1008', disruption: 'none' });
  });
});

describe('explain of a namespace, a pod and a Service', () => {
  const { pods, namespaces, nodes, configMaps, clusterUserDefinedNetworks, networkAttachmentDefinitions } =
    readScenario('provision/pods-in-the-network-to-nothing-to-do').cluster;
  let folder: string;
  let cluster: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'ovn-uplinks-explain-'));
    cluster = join(folder, 'cluster.yaml');
    const services = [service('web', 'demo', { ports: [{ port: 80 }] })];
    const lists = [
      pods,
      namespaces,
      nodes,
      configMaps,
      clusterUserDefinedNetworks,
      networkAttachmentDefinitions,
      services,
    ];
    writeFileSync(
      cluster,
      lists
        .flat()
        .map((object) => JSON.stringify(object))
        .join('\n---\n'),
    );
  });
  after(() => {
    rmSync(folder, { recursive: true });
  });

  const explainObject = (...args: readonly string[]) => ovnUplinks(['explain', ...args, '--cluster', cluster]);

  it('prints the facts and changes of a namespace', async () => {
    const { stdout, exitCode } = await explainObject('namespace/demo', '--networks', 'all');
    expect(exitCode).to.equal(0);
    expect(stdout.split('\n')[0]).to.equal('namespace demo: primary network ClusterUserDefinedNetwork/blue');
    expect(stdout).to.include('would change with:');
  });

  it('prints a pod as JSON', async () => {
    const { stdout } = await explainObject('pod/demo/member', '--networks', 'all', '--output', 'json');
    const { namespace, pod, verdict } = JSON.parse(stdout) as Readonly<Record<string, unknown>>;
    expect([namespace, pod]).to.deep.equal(['demo', 'member']);
    expect(verdict).to.deep.equal({ network: 'ClusterUserDefinedNetwork/blue', reason: 'NodeNotReporting' });
  });

  it('prints the load balancers of a Service on a node', async () => {
    const args = ['service/web', 'worker-a', '-n', 'demo', '--networks', 'all'];
    const { stdout, exitCode } = await explainObject(...args);
    expect(exitCode).to.equal(0);
    expect(stdout).to.include('    10.96.0.10:80 → refused, as it has no endpoint');
    const { onNode } = JSON.parse((await explainObject(...args, '--output', 'json')).stdout) as {
      readonly onNode: { readonly loadBalancers: readonly { readonly vips: unknown }[] };
    };
    expect(onNode.loadBalancers.map(({ vips }) => vips)).to.deep.equal([{ '10.96.0.10:80': '' }]);
  });

  it('takes the namespace of a pod or a UserDefinedNetwork from --namespace', async () => {
    const [whole, short] = [
      await explainObject('pod/demo/member', '--networks', 'all'),
      await explainObject('pod/member', '-n', 'demo', '--networks', 'all'),
    ];
    expect(short).to.deep.equal(whole);
    const { stderr } = await explainObject('green', 'worker-a', '--namespace', 'demo');
    expect(stderr).to.equal('error: the cluster objects have no UserDefinedNetwork demo/green; they have none');
  });

  const refused: Readonly<Record<string, readonly string[]>> = {
    'error: the cluster objects have no Namespace other; they have demo': ['namespace/other', '--networks', 'all'],
    'error: the cluster objects have no Pod demo/other; they have demo/member': ['pod/demo/other', '--networks', 'all'],
    'error: the cluster objects have no Namespace shop; they have demo': ['pod/shop/web', '--networks', 'all'],
    'error: --networks none: another implementation decides which network a namespace has; expected with-uplinks or all':
      ['namespace/demo'],
    'error: demo/web: expected a network and a node, namespace/NAME, pod/NAMESPACE/NAME, or service/NAMESPACE/NAME': [
      'demo/web',
    ],
    'error: the cluster objects have no UserDefinedNetwork demo/green; they have none': ['demo/green', 'worker-a'],
    'error: the cluster objects have no ClusterUserDefinedNetwork green; they have blue': ['green', 'worker-a'],
    'error: namespace/demo worker-a: expected no node after a namespace': ['namespace/demo', 'worker-a'],
    'error: pod/demo/member worker-a: expected no node after a pod': ['pod/demo/member', 'worker-a'],
    'error: the cluster objects have no Service demo/other; they have demo/web': [
      'service/demo/other',
      'worker-x',
      '--networks',
      'all',
    ],
    'error: the cluster objects have no Node other; they have worker-a': [
      'service/demo/web',
      'other',
      '--networks',
      'all',
    ],
  };
  for (const [message, args] of Object.entries(refused)) {
    it(`refuses "explain ${args.join(' ')}"`, async () => {
      const { stderr, exitCode } = await explainObject(...args);
      expect(stderr.trim()).to.equal(message);
      expect(exitCode).to.equal(1);
    });
  }
});
