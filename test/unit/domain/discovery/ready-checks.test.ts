import { expect } from 'chai';
import type { DiscoveryInput, ReservedBridgeRole } from '../../../../src/domain/discovery/discovery.ts';
import { discover, readyChecks } from '../../../../src/domain/discovery/ready-checks.ts';
import type { BriefNode } from '../../../../src/testing/index.ts';
import { discoveryInput } from './discovery-input.ts';

type Brief = Omit<BriefNode, 'nodeName'>;

/** A node on which everything is wrong, mended step by step. Each step is what the check of its place asks for. */
const steps: readonly { mend: (node: Brief) => Brief; finds: Readonly<Record<string, unknown>>; fails: string }[] = [
  { mend: (node) => node, finds: {}, fails: 'HostInterfaceNotFound absent' },
  {
    mend: (node) => ({
      ...node,
      links: [
        { name: 'br-ex', type: 'ether', macAddress: '00:00:00:00:00:00', up: false, mtu: 500 },
        { name: 'eth1', up: false, mtu: 400 },
      ],
    }),
    finds: {},
    fails: 'GatewayInfoUnavailable no-mac-address',
  },
  {
    mend: (node) => withHost(node, { macAddress: '02:00:00:00:00:01' }),
    finds: { macAddress: '02:00:00:00:00:01' },
    fails: 'GatewayInfoUnavailable down',
  },
  { mend: (node) => withHost(node, { up: true }), finds: {}, fails: 'GatewayInfoUnavailable no-address' },
  {
    mend: (node) => withHost(node, { addresses: [{ address: '192.0.2.6', prefixLength: 24 }] }),
    finds: { ipAddresses: ['192.0.2.6/24'], defaultGateways: [] },
    fails: 'BridgeNotFound',
  },
  {
    mend: (node) => ({
      ...node,
      bridges: [
        {
          name: 'br,ex',
          ports: [
            { name: 'br-ex', tag: 7, vlanMode: 'native-tagged', interfaces: [{ name: 'br-ex', type: 'internal' }] },
          ],
        },
      ],
    }),
    finds: { bridge: 'br,ex', hostPort: 'br-ex' },
    fails: 'BridgeInvalid reserved',
  },
  { mend: (node) => node, finds: {}, fails: 'BridgeInvalid unmappable-name' },
  {
    mend: (node) => ({ ...node, bridges: node.bridges?.map((bridge) => ({ ...bridge, name: 'br-ex' })) ?? [] }),
    finds: { bridge: 'br-ex' },
    fails: 'BridgeInvalid no-untagged-frames',
  },
  {
    mend: (node) => ({
      ...node,
      bridges:
        node.bridges?.map((bridge) => ({
          ...bridge,
          ports: bridge.ports?.map((port) => ({ ...port, vlanMode: 'access' })) ?? [],
        })) ?? [],
    }),
    finds: { vlan: 7 },
    fails: 'BridgeInvalid no-physical-port',
  },
  {
    mend: (node) => ({
      ...node,
      bridges: node.bridges?.map((bridge) => ({ ...bridge, ports: [...(bridge.ports ?? []), { name: 'eth1' }] })) ?? [],
    }),
    finds: {},
    fails: 'BridgeInvalid physical-port-down',
  },
  {
    mend: (node) => ({
      ...node,
      links: node.links?.map((link) => (link.name === 'eth1' ? { ...link, up: true } : link)) ?? [],
    }),
    finds: { physicalPort: 'eth1', physicalInterface: 'eth1' },
    fails: 'MTUInvalid',
  },
  {
    mend: (node) => ({ ...node, links: node.links?.map((link) => ({ ...link, mtu: 1500 })) ?? [] }),
    finds: { narrowest: { device: 'br-ex', mtu: 1500 } },
    fails: 'nothing',
  },
];

function withHost(node: Brief, change: Partial<NonNullable<Brief['links']>[number]>): Brief {
  return { ...node, links: node.links?.map((link) => (link.name === 'br-ex' ? { ...link, ...change } : link)) ?? [] };
}

describe('the checks of condition Ready', () => {
  it('are in the order of precedence', () => {
    expect(readyChecks.map(({ name }) => name)).to.deep.equal([
      'host interface',
      'MAC address',
      'link state',
      'addresses',
      'bridge',
      'bridge role',
      'bridge name',
      'host port',
      'host VLAN',
      'physical port',
      'MTU',
    ]);
  });

  let node: Brief = {};
  let facts: Readonly<Record<string, unknown>> = {};
  for (const [position, { mend, finds, fails }] of steps.entries()) {
    node = mend(node);
    facts = { ...facts, ...finds };
    const [step, expected] = [node, facts];
    it(`end with ${fails} and publish ${Object.keys(expected).join(', ') || 'nothing'} after ${position} steps`, () => {
      // The seventh step takes the bridge's role away.
      const reservedBridges = new Map<string, ReservedBridgeRole>(position < 6 ? [['br,ex', 'default-gateway']] : []);
      const input: DiscoveryInput = discoveryInput(step, { hostInterfaceName: 'br-ex', reservedBridges });
      const { facts: found, failure } = discover(input);
      const cause =
        failure === undefined ? 'nothing' : [failure.reason, 'cause' in failure ? failure.cause : []].flat().join(' ');
      expect(cause).to.equal(fails);
      expect(found).to.deep.equal(expected);
    });
  }
});
