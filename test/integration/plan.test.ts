import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ovnUplinks, workerA } from './command.ts';
import { type PrintedPlan, printedPlan } from './printed-plan.ts';

const statusOf = ({ objects }: PrintedPlan, kind: string, name: string) =>
  objects.find((object) => object.kind === kind && object.metadata.name === name)?.status;

describe('plan of the captured node worker-a', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ovn-uplinks-plan-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('puts blue in VRF blue on br-blue, and red in the default domain on br-red with VLAN 100', async () => {
    const { nodes } = await printedPlan(workerA);
    const expected = { held: false, ready: true, reason: 'Ready', message: '' };
    const key = (name: string) => `ClusterUserDefinedNetwork/${name}`;
    expect(Object.keys(nodes)).to.deep.equal(['worker-a']);
    expect(nodes['worker-a']?.networks).to.deep.equal([
      {
        name: 'blue',
        key: key('blue'),
        uplink: 'blue-underlay',
        bridge: 'br-blue',
        vlan: null,
        vrf: 'blue',
        ...expected,
      },
      { name: 'red', key: key('red'), uplink: 'red-underlay', bridge: 'br-red', vlan: 100, vrf: null, ...expected },
    ]);
  });

  it('publishes what the node has: MAC, one address per family, the best gateways first', async () => {
    const blue = statusOf(await printedPlan(workerA), 'UplinkState', 'blue-underlay.worker-a');
    expect(blue).to.deep.include({
      uplinkName: 'blue-underlay',
      nodeName: 'worker-a',
      type: 'OVSBridge',
      hostInterfaceName: 'br-blue',
      ovsBridge: { name: 'br-blue' },
      macAddress: '02:42:c0:00:02:06',
      ipAddresses: ['192.0.2.6/24', '2001:db8:b::6/64'],
      defaultGateways: ['192.0.2.1', '2001:db8:b::1'],
    });
  });

  it('takes worker-b from the cluster file, where it has not reported on red-underlay', async () => {
    const { stdout } = await ovnUplinks(['plan', ...workerA]);
    expect(stdout).to.contain('Node worker-b not captured: from its UplinkStates');
    expect(statusOf(await printedPlan(workerA), 'Uplink', 'red-underlay')?.conditions).to.deep.equal([
      {
        type: 'Degraded',
        status: 'True',
        reason: 'UplinkStateMissing',
        message: '1 of 2 selected nodes not ready: worker-b (UplinkStateMissing)',
      },
    ]);
  });

  it('prints the same bytes for the same input, in any order', async () => {
    const args = (cluster: readonly string[]) => [
      'plan',
      '--output',
      'json',
      '--cluster',
      ...cluster,
      ...workerA.slice(2),
    ];
    const documents = readFileSync('fixtures/cluster.yaml', 'utf8');
    const forwards = await ovnUplinks(args(['fixtures/cluster.yaml']));
    const { stdout: objects } = forwards;
    const items = documents.split(/^(?=- apiVersion)/m);
    const [head = '', ...rest] = items;
    writeFileSync(join(folder, 'reversed.yaml'), head + rest.reverse().join(''));
    const backwards = await ovnUplinks(args([join(folder, 'reversed.yaml')]));
    const nameless = (text: string) => text.replaceAll(join(folder, 'reversed.yaml'), 'fixtures/cluster.yaml');
    expect(nameless(backwards.stdout)).to.equal(objects);
  });

  const verdicts: readonly (readonly [hostInterfaceName: string, reason: string, message: string])[] = [
    ['lo', 'GatewayInfoUnavailable', 'interface lo has no unicast MAC address'],
    ['eth0', 'GatewayInfoUnavailable', 'interface eth0 has no global address that can be published'],
    ['ovs-netdev', 'GatewayInfoUnavailable', 'interface ovs-netdev is administratively down'],
    ['br-ex', 'BridgeInvalid', 'bridge br-ex is the default gateway bridge'],
    ['br-int', 'GatewayInfoUnavailable', 'interface br-int has no global address that can be published'],
    ['ovn-k8s-mp0', 'BridgeInvalid', "bridge br-int is OVN's integration bridge"],
    ['ovn-k8s-mp1', 'BridgeInvalid', "bridge br-int is OVN's integration bridge"],
    ['ovn-k8s-mp2', 'BridgeInvalid', "bridge br-int is OVN's integration bridge"],
    ['ovn-k8s-mp3', 'BridgeInvalid', "bridge br-int is OVN's integration bridge"],
    ['eth1', 'GatewayInfoUnavailable', 'interface eth1 has no global address that can be published'],
    ['br-blue', 'Ready', 'interface br-blue on bridge br-blue, physical port eth1'],
    ['eth2', 'GatewayInfoUnavailable', 'interface eth2 has no global address that can be published'],
    ['br-red', 'GatewayInfoUnavailable', 'interface br-red has no global address that can be published'],
    ['red0', 'Ready', 'interface red0 on bridge br-red, physical port eth2'],
    ['bond0', 'GatewayInfoUnavailable', 'interface bond0 has no global address that can be published'],
    ['eth3', 'GatewayInfoUnavailable', 'interface eth3 has no global address that can be published'],
    ['br-bonded', 'Ready', 'interface br-bonded on bridge br-bonded, physical port bond0'],
    [
      'br-two',
      'BridgeInvalid',
      'bridge br-two has several physical ports (eth5, eth6) and no external_ids:bridge-uplink',
    ],
    [
      'br-obond',
      'BridgeInvalid',
      'physical port obond of bridge br-obond is an Open vSwitch bond; use a kernel bond instead',
    ],
    ['br-empty', 'BridgeInvalid', 'bridge br-empty has no physical port'],
    ['br-thin', 'MTUInvalid', 'MTU 1300 of br-thin is below 1400, the MTU of the default network'],
    ['br-off', 'GatewayInfoUnavailable', 'interface br-off is administratively down'],
    ['br-noip', 'GatewayInfoUnavailable', 'interface br-noip has no global address that can be published'],
    ['lonely', 'BridgeNotFound', 'interface lonely is not on an Open vSwitch bridge'],
    ['absent', 'HostInterfaceNotFound', 'interface absent does not exist'],
  ];

  it('reports every other interface of the node', async () => {
    const probe = (name: string, index: number) => `
- apiVersion: k8s.ovn.org/v1alpha1
  kind: Uplink
  metadata: {name: probe-${index}}
  spec: {nodeConfigs: [{type: OVSBridge, nodeSelector: {}, hostInterfaceName: ${name}}]}`;
    const file = join(folder, 'probes.yaml');
    writeFileSync(
      file,
      `apiVersion: v1\nkind: List\nitems:${verdicts.map(([name], index) => probe(name, index)).join('')}`,
    );
    const document = await printedPlan(['--cluster', 'fixtures/cluster.yaml', file, ...workerA.slice(2)]);
    const found = verdicts.map(([name], index) => {
      const [condition] = statusOf(document, 'UplinkState', `probe-${index}.worker-a`)?.conditions ?? [];
      return [name, condition?.reason, (condition as { message?: string } | undefined)?.message];
    });
    expect(found).to.deep.equal(verdicts);
  });

  it('holds two networks on one bridge with targetVRF auto, in any order of input', async () => {
    const objects = readFileSync('fixtures/cluster.yaml', 'utf8')
      .replace('uplinks: [red-underlay]', 'uplinks: [blue-underlay]')
      .replace('matchLabels: {k8s.ovn.org/metadata.name: blue}}}', 'matchExpressions: []}}')
      .replace('mtu: 8900, ', '')
      .replace('"mtu":8900,', '');
    const [head = '', ...items] = objects.split(/^(?=- apiVersion)/m);
    for (const order of [items, [...items].reverse()]) {
      const file = join(folder, 'conflict.yaml');
      writeFileSync(file, head + order.join(''));
      const document = await printedPlan(['--cluster', file, ...workerA.slice(2)]);
      const rows = document.nodes['worker-a']?.networks.map(({ name, held, reason }) => ({ name, held, reason }));
      const conflict = { held: true, reason: 'UplinkConfigurationConflict' };
      expect(rows).to.deep.equal([
        { name: 'blue', ...conflict },
        { name: 'red', ...conflict },
      ]);
      for (const name of ['blue', 'red']) {
        const [condition] = statusOf(document, 'ClusterUserDefinedNetwork', name)?.conditions ?? [];
        expect(condition?.reason).to.equal('UplinkConfigurationConflict');
      }
    }
  });

  it('shows the enslaved node: without gateways, otherwise unchanged', async () => {
    const args = ['--cluster', 'fixtures/cluster.yaml', '--host', 'worker-a=fixtures/captures/worker-a-blue-enslaved'];
    const status = statusOf(await printedPlan(args), 'UplinkState', 'blue-underlay.worker-a');
    expect(status?.['ipAddresses']).to.deep.equal(['192.0.2.6/24', '2001:db8:b::6/64']);
    expect(status?.['defaultGateways']).to.deep.equal([]);
  });
});
