import { expect } from 'chai';
import { defaultSettings, planNode } from '../../../src/domain/index.ts';
import { bridge } from './bridge.ts';
import { clusterOf } from './clusters.ts';
import { ip, sysctl } from './commands.ts';
import type { ArgumentVector, LabNode } from './node.ts';
import { prepare } from './prepare.ts';
import { sharedMachine } from './shared-machine.ts';
import { clusterNode } from './story-node.ts';
import { NodeAndModel } from './node-and-model.ts';

const nodes: LabNode[] = [];
afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.end()));
});

const blueBridge = bridge('br-blue', { addresses: ['192.0.2.6/24', '2001:db8:b::6/64'], physicalPort: 'eth1' });
const options = { devices: ['br-blue'], names: ['blue'] };
const withBlue = clusterOf([{ name: 'blue', device: 'br-blue', targetVRF: 'auto' }], options);
const withBlueOfIpv4 = clusterOf(
  [{ name: 'blue', device: 'br-blue', targetVRF: 'auto', subnets: ['10.20.0.0/16'] }],
  options,
);
const withoutBlue = clusterOf([], options);

async function newNode(...commands: readonly ArgumentVector[]): Promise<NodeAndModel> {
  const node = await (await sharedMachine()).node('unusual');
  nodes.push(node);
  await prepare(node, [...clusterNode, ...blueBridge, ...commands]);
  return NodeAndModel.of(node);
}

/** The link-local addresses of a device. */
function linkLocalAddresses({ model }: NodeAndModel, device: string): readonly string[] {
  const addresses = model.links.find(({ name }) => name === device)?.addresses ?? [];
  return addresses.flatMap(({ address, scope }) => (scope === 'link' ? [address] : []));
}

/** The kernel detects the carrier of a device within a second (net/core/link_watch.c). */
async function untilReady(both: NodeAndModel, ...devices: readonly string[]): Promise<void> {
  const deadline = performance.now() + 60_000;
  const isReady = () =>
    devices.every((device) => both.model.links.find(({ name }) => name === device)?.operationalState === 'up');
  while (!isReady() && performance.now() < deadline) await both.look();
  expect(isReady()).to.equal(true);
}

/** Adds and removes the network, each until there is nothing to do, without a permanent loss. */
async function addAndRemoveNetwork(both: NodeAndModel, check: () => void = () => {}): Promise<void> {
  for (const cluster of [withBlue, withoutBlue]) {
    const operations = await both.plan(cluster);
    expect(operations).not.to.be.empty;
    await both.do(...operations);
    expect(await both.plan(cluster)).to.deep.equal([]);
    check();
  }
}

describe('the link-local address of an interface whose VRF changes', () => {
  const generation: Readonly<Record<string, readonly ArgumentVector[]>> = {
    'is restored if the kernel generates none': [ip`link set br-blue addrgenmode none`],
    'is generated again by the kernel from the same secret': [
      ip`link set br-blue addrgenmode random`,
      ip`link set br-blue down`,
      ip`link set br-blue up`,
      ip`address add 2001:db8:b::6/64 dev br-blue`,
    ],
  };
  for (const [what, commands] of Object.entries(generation)) {
    it(what, async () => {
      const both = await newNode(...commands);
      const before = linkLocalAddresses(both, 'br-blue');
      expect(before).to.have.length(1);
      await addAndRemoveNetwork(both, () => expect(linkLocalAddresses(both, 'br-blue')).to.deep.equal(before));
    });
  }

  it('is restored if it came from a secret, and the kernel now derives one from the MAC address', async () => {
    const randomGeneration = generation['is generated again by the kernel from the same secret'] ?? [];
    const both = await newNode(...randomGeneration, ip`link set br-blue addrgenmode eui64`);
    const [before] = linkLocalAddresses(both, 'br-blue');
    await addAndRemoveNetwork(both, () =>
      expect(linkLocalAddresses(both, 'br-blue')).to.include(before).and.have.length(2),
    );
  });

  it('is added again if it was removed', async () => {
    const both = await newNode(ip`address flush dev br-blue scope link`);
    expect(linkLocalAddresses(both, 'br-blue')).to.be.empty;
    await addAndRemoveNetwork(both, () => expect(linkLocalAddresses(both, 'br-blue')).to.have.length(1));
  });
});

describe('a VLAN device with loose binding', () => {
  const vlan = ip`link add link br-blue name br-blue.5 type vlan id 5 loose_binding on`;
  const administratorConfig = [
    ip`address add 198.51.120.1/24 dev br-blue.5`,
    ip`address add 2001:db8:7::1/64 dev br-blue.5`,
    ip`route add 198.51.121.0/24 via 198.51.120.254 dev br-blue.5`,
    ip`route add 2001:db8:2::/48 via 2001:db8:7::fe dev br-blue.5`,
    ip`neighbour add 198.51.120.77 lladdr 02:00:00:00:77:77 dev br-blue.5 nud permanent`,
    ip`nexthop add id 5 via 198.51.120.9 dev br-blue.5`,
  ];

  it('keeps its configuration while its lower device is enslaved, as does a device stacked on it', async () => {
    const inner = [
      ip`link add link br-blue.5 name br-blue.5.6 up type vlan id 6`,
      ip`address add 2001:db8:8::1/64 dev br-blue.5.6`,
    ];
    const both = await newNode(vlan, ip`link set br-blue.5 up`, ...administratorConfig, ...inner);
    await untilReady(both, 'br-blue.5', 'br-blue.5.6');
    await addAndRemoveNetwork(both);
  });

  it('may be down when the interface is enslaved, and stays down', async () => {
    const both = await newNode(vlan, ip`address add 198.51.120.1/24 dev br-blue.5`);
    await addAndRemoveNetwork(both, () =>
      expect(both.model.links.find(({ name }) => name === 'br-blue.5')?.up).to.equal(false),
    );
  });
});

describe('a node that disables IPv6 on new devices', () => {
  const disabling = sysctl`-qw net.ipv6.conf.default.disable_ipv6=1`;
  const setting = 'net.ipv6.conf.blue.disable_ipv6';

  it('has IPv6 on a new VRF, whose addresses are added', async () => {
    const both = await newNode(disabling);
    const found: unknown[] = [];
    await addAndRemoveNetwork(both, () => found.push(both.model.sysctls[setting]));
    expect(found).to.deep.equal(['0', undefined]);
  });

  it('has IPv6 on a VRF of another program while a network uses it', async () => {
    const both = await newNode(disabling, ip`link add blue up type vrf table 1011`);
    for (const [cluster, value] of [
      [withBlue, '0'],
      [withBlueOfIpv4, '1'],
      [withBlue, '0'],
      [withoutBlue, '1'],
    ] as const) {
      await both.do(...(await both.plan(cluster)));
      expect(await both.plan(cluster)).to.deep.equal([]);
      expect(both.model.sysctls[setting]).to.equal(value);
    }
  });
});

describe('an alternative name of a device that is the name of a VRF', () => {
  it('is reported as a conflict, without a change', async () => {
    const both = await newNode(ip`link property add dev br-ex altname blue`);
    expect(await both.plan(withBlue)).to.deep.equal([]);
    const [network] = planNode(withBlue, both.model, defaultSettings).networks;
    expect(network?.failure).to.deep.equal({
      reason: 'UplinkVRFAttachmentFailed',
      cause: 'other-device',
      wanted: 'own',
      vrf: 'blue',
      kind: 'openvswitch',
      alternativeNameOf: 'br-ex',
    });
  });
});

describe('the only other default route, by a device without a carrier', () => {
  const wire = ip`link add wan0 up type veth peer name wan1`;

  it('is no way out until the device has one', async () => {
    const both = await newNode(
      ip`route delete default via 198.51.100.1 dev br-ex metric 48`,
      ip`route add default via 192.0.2.1 dev br-blue metric 100`,
      wire,
      ip`address add 203.0.113.6/24 dev wan0`,
      ip`route add default via 203.0.113.1 dev wan0`,
    );
    expect(await both.plan(withBlue)).to.deep.equal([]);
    expect(planNode(withBlue, both.model, defaultSettings).networks[0]?.failure).to.deep.equal({
      reason: 'UplinkVRFAttachmentFailed',
      cause: 'cuts-node-off',
      device: 'br-blue',
      vrf: 'blue',
      by: { lastDefaultRoute: 4, alongside: [], unusable: ['wan0'] },
    });
    await both.node.run(ip`link set wan1 up`);
    await untilReady(both, 'wan0');
    expect(await both.plan(withBlue)).not.to.be.empty;
  });
});
