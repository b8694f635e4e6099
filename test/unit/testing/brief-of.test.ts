import { expect } from 'chai';
import type { NodeSnapshot } from '../../../src/domain/snapshot/node-snapshot.ts';
import { type BriefNode, completeNode } from '../../../src/testing/brief-node.ts';
import { briefOf } from '../../../src/testing/brief-of.ts';

const lower = { name: 'eth1', addresses: [{ address: '192.0.2.1', prefixLength: 24 }] };

describe('a brief node', () => {
  const briefs: readonly (readonly [what: string, brief: Omit<BriefNode, 'nodeName'>])[] = [
    ['nothing of what is as usual', {}],
    ['links with what is unusual about them', { links: [lower, { name: 'blue', kind: 'vrf', index: 9, up: false }] }],
    ['a link without a MAC address', { links: [{ name: 'tun0', macAddress: null }] }],
    ['bridges with their ports', { bridges: [{ name: 'br', ports: [{ name: 'eth1' }, { name: 'p', tag: 3 }] }] }],
    ['a bond', { bridges: [{ name: 'br', ports: [{ name: 'b', interfaces: [{ name: 'eth1' }, { name: 'eth2' }] }] }] }],
    ['a bridge without its own port', { bridges: [{ name: 'br', localPort: false }] }],
    [
      'a bridge whose own port is not as usual',
      { bridges: [{ name: 'br', ports: [{ name: 'eth1' }, { name: 'br' }] }] },
    ],
    [
      'an interface without an OpenFlow port',
      {
        bridges: [{ name: 'br', ports: [{ name: 'p', interfaces: [{ name: 'p', openFlowPort: null }] }] }],
      },
    ],
    ["the kernel's routes as such", { links: [lower], kernelRoutes: true }],
    ['no routes', { links: [lower] }],
    ['routes', { links: [lower], routes: [{ destination: '::/0', nextHops: [{ device: 'eth1' }], metric: 1024 }] }],
    [
      'next hop objects',
      {
        nextHopObjects: [
          { id: 1, gateway: 'fe80::1' },
          { id: 2, group: [{ id: 1, weight: 1 }] },
        ],
      },
    ],
    ['a next hop object without a family', { nextHopObjects: [{ id: 1, device: 'eth1', family: null }] }],
    ['rules, where they are not those of the kernel', { rules: [{ priority: 1, table: 7 }] }],
    ["rules after the kernel's", { kernelRules: true, rules: [{ priority: 1999, table: 7 }] }],
    ['no rules', { rules: [] }],
    ['neighbours', { neighbours: [{ device: 'eth1', address: '192.0.2.9', states: ['stale'] }] }],
    ['proxy entries', { neighbourProxies: [{ device: 'eth1', address: '192.0.2.9', router: true }] }],
    ['external_ids', { switchExternalIds: { 'ovn-bridge-mappings': 'physnet:br' } }],
    ['devlink ports', { devlinkPorts: [{ device: 'eth1', flavour: 'physical' }] }],
    ['a setting that all have', { links: [lower], sysctls: { 'net.ipv4.conf.*.rp_filter': '1' } }],
    ['a setting that not all have', { links: [lower], sysctls: { 'net.ipv4.conf.all.rp_filter': '1' } }],
    ['a setting of no device', { sysctls: { 'net.ipv4.tcp_l3mdev_accept': '1' } }],
    ["the ledger's entries", { ledger: [{ kind: 'unsigned-vrf', name: 'blue', table: 1012, network: 'n' }] }],
    [
      'routes of the ledger without what is usual',
      {
        ledger: [
          {
            kind: 'displaced',
            device: 'eth1',
            entity: { kind: 'route', route: { destination: '0.0.0.0/0', nextHops: [{ device: 'eth1' }] } },
            state: 'placed',
          },
        ],
      },
    ],
    ['a ledger that could not be read', { ledger: { problem: 'is not valid JSON' } }],
    ['which boot it is, and how long ago', { bootId: 'b', uptimeSeconds: 61.5 }],
    ['which versions it has', { kernelRelease: '6.1.0-18-amd64', openVSwitchVersion: '3.1.0' }],
  ];
  for (const [what, brief] of briefs) {
    it(`has ${what}`, () => {
      expect(briefOf(completeNode({ nodeName: 'n', ...brief }))).to.deep.equal({ nodeName: 'n', ...brief });
    });
  }

  it("has every route if the kernel's are not last, or not all there", () => {
    const { routes, ...node }: NodeSnapshot = completeNode({ nodeName: 'n', links: [lower], kernelRoutes: true });
    for (const others of [routes.toReversed(), routes.slice(1), [...routes, { ...routes[0]!, protocol: 'static' }]]) {
      const brief = briefOf({ ...node, routes: others });
      expect(brief).to.not.have.property('kernelRoutes');
      expect(completeNode(brief).routes).to.deep.equal(others);
    }
  });

  it('has the most frequent value of a setting once, and the others', () => {
    const links = [{ name: 'a' }, { name: 'b' }];
    const sysctls = { 'net.ipv4.conf.*.rp_filter': '1', 'net.ipv4.conf.b.rp_filter': '0' };
    const node = completeNode({ nodeName: 'n', links, sysctls });
    expect(briefOf(node).sysctls).to.deep.equal(sysctls);
  });
});
