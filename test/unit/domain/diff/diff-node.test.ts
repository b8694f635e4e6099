import { clusterNetworkKey } from '../../../../src/domain/network/key.ts';
import { expect } from 'chai';
import { diffNode } from '../../../../src/domain/index.ts';
import { normalForm } from '../../../../src/testing/normal-form.ts';
import { domains, type InputBrief } from '../dataplane/dataplane-input.ts';
import { carriedOut, dataplane, nodeOf, planOf, plannedLines, programmedNode } from './plans.ts';

const routes = [
  { destination: '0.0.0.0/0', nextHops: [{ device: 'br-blue', gateway: '192.0.2.1' }] },
  { destination: '::/0', metric: 1024, nextHops: [{ device: 'br-blue', gateway: '2001:db8:b::1' }] },
];
const sysctls = {
  'net.ipv4.conf.all.rp_filter': '1',
  'net.ipv4.conf.br-blue.rp_filter': '0',
  'net.ipv6.conf.br-blue.keep_addr_on_down': '0',
};
const fresh = () => nodeOf({ routes, sysctls });
const families = { IPv4: [4], IPv6: [6], 'both families': [4, 6] } as const;

describe('the operations for a network on a node without any of its entities', () => {
  it('are, in the default domain, everything before the mapping', () => {
    const node = fresh();
    expect(plannedLines(node, [dataplane(node, { defaultGateways: ['192.0.2.1'] })])).to.deep.equal([
      '+ blue add-vrf: VRF blue with table 1012',
      '~ blue set-vrf: VRF blue: up, signed as ovn-uplinks:cluster_udn_blue',
      '~ blue set-sysctl: net.ipv4.conf.br-blue.rp_filter = 2',
      '+ blue add-route: route default via 192.0.2.1 dev br-blue table 1012',
      '+ blue add-route: route unreachable default metric 4278198272 table 1012',
      '+ blue add-route: route 10.96.0.0/16 via 169.254.0.4 dev br-blue onlink src 169.254.0.2 table 1012',
      '+ blue add-neighbour: neighbour 169.254.0.4 at 0a:58:a9:fe:00:04 on br-blue',
      '+ blue add-rule: IPv4 rule 1999: mark 0x1007 looks up table 1012',
      '+ blue add-bridge-mapping: bridge mapping cluster_udn_blue:br-blue',
    ]);
  });

  it("include, in its own VRF, moving the interface there with the administrator's routes", () => {
    const node = fresh();
    expect(plannedLines(node, [dataplane(node, { domain: domains['its own VRF'] })])).to.deep.equal([
      '+ blue add-vrf: VRF blue with table 1012',
      '~ blue set-vrf: VRF blue: up, signed as ovn-uplinks:cluster_udn_blue',
      '+ blue add-address: address 169.254.0.2/32 on blue',
      '+ blue add-address: address 169.254.0.3/32 on blue',
      '~ blue set-sysctl: net.ipv6.conf.br-blue.keep_addr_on_down = 1',
      '~ blue set-sysctl: net.ipv4.conf.br-blue.rp_filter = 2',
      '+ blue enslave: br-blue into VRF blue',
      '+ blue put-back: route default via 192.0.2.1 dev br-blue table 1012, moved from table main',
      '+ blue put-back: route IPv6 default via 2001:db8:b::1 dev br-blue metric 1024 table 1012, moved from table main',
      '+ blue add-route: route unreachable default metric 4278198272 table 1012',
      '+ blue add-route: route 10.96.0.0/16 via 169.254.0.4 dev br-blue onlink src 169.254.0.2 table 1012',
      '+ blue add-neighbour: neighbour 169.254.0.4 at 0a:58:a9:fe:00:04 on br-blue',
      '+ blue add-rule: IPv4 rule 1999: mark 0x1007 looks up table 1012',
      '+ blue add-bridge-mapping: bridge mapping cluster_udn_blue:br-blue',
    ]);
  });

  it("include, in another program's VRF, no change of the VRF itself", () => {
    const node = fresh();
    const lines = plannedLines(node, [dataplane(node, { domain: domains['another existing VRF'] })]);
    expect(lines.filter((line) => line.includes('-vrf:'))).to.deep.equal([]);
    expect(lines).to.include('+ blue enslave: br-blue into VRF corp');
    expect(lines).to.include('+ blue add-address: address 169.254.0.2/32 on corp');
  });
});

for (const [where, domain] of Object.entries(domains)) {
  for (const [what, has] of Object.entries(families)) {
    const brief: Omit<InputBrief, 'node'> = {
      domain,
      families: has,
      defaultGateways: ['192.0.2.1', '2001:db8:b::1'],
    };
    describe(`a network of ${what} in ${where}`, () => {
      const node = fresh();
      const done = programmedNode(node, brief);
      const changed = { ...brief, mtu: 8900, serviceCidrs: ['10.97.0.0/16', 'fd00:10:97::/112'] };

      it('has no operations left once all are done', () => {
        expect(plannedLines(done, [dataplane(done, brief)])).to.deep.equal([]);
      });

      it('has the same plan for the node before and after', () => {
        const [before, after] = [node, done].map((on) => dataplane(on, brief));
        expect(after).to.deep.equal(before);
      });

      it('leaves nothing behind once it is removed', () => {
        const after = carriedOut(done, diffNode(planOf(done, []), done));
        expect(normalForm(after)).to.deep.equal(normalForm(node));
      });

      it('has operations only for what changed', () => {
        const lines = plannedLines(done, [dataplane(done, changed)]);
        expect(lines.map((line) => line.split(':', 1)[0])).to.have.members([
          ...has.flatMap(() => ['- blue delete-route', '+ blue add-route']),
          ...(domain.kind === 'default' ? has.map(() => '~ blue replace-route') : []),
        ]);
      });

      for (const [other, otherDomain] of Object.entries(domains)) {
        if (other === where) continue;
        it(`moves to ${other} as if it had always been there`, () => {
          const moved = programmedNode(done, { ...brief, domain: otherDomain });
          const direct = programmedNode(fresh(), { ...brief, domain: otherDomain });
          expect(normalForm(moved)).to.deep.equal(normalForm(direct));
          const wanted = dataplane(moved, { ...brief, domain: otherDomain });
          expect(plannedLines(moved, [wanted])).to.deep.equal([]);
        });
      }
    });
  }
}

describe('several networks on one uplink', () => {
  const blue = { defaultGateways: ['192.0.2.1'] };
  const red = {
    ...blue,
    network: clusterNetworkKey('red'),
    networkName: 'cluster_udn_red',
    networkId: 8,
    ownVrf: 'red',
  };
  const links = [...nodeOf().links, { name: 'ovn-k8s-mp8', index: 13 }];
  const node = nodeOf({ links, routes, sysctls });

  it('share entities that both need', () => {
    const lines = plannedLines(node, [dataplane(node, blue), dataplane(node, red)]);
    expect(lines.filter((line) => line.includes('blue+red'))).to.deep.equal([
      '~ blue+red set-sysctl: net.ipv4.conf.br-blue.rp_filter = 2',
      '+ blue+red add-neighbour: neighbour 169.254.0.4 at 0a:58:a9:fe:00:04 on br-blue',
    ]);
    expect(new Set(lines).size).to.equal(lines.length);
  });

  it('keep shared entities when one of them is removed', () => {
    const done = programmedNode(node, blue, red);
    const lines = plannedLines(done, [dataplane(done, blue)]);
    expect(lines.every((line) => line.startsWith('- red '))).to.be.true;
    expect(lines.join()).not.to.match(/sysctl|neighbour/);
    const after = carriedOut(done, diffNode(planOf(done, [dataplane(done, blue)]), done));
    expect(normalForm(after)).to.deep.equal(normalForm(programmedNode(node, blue)));
  });
});

describe('a plan that is already applied', () => {
  it('needs no operation if nothing is desired and nothing is managed', () => {
    expect(diffNode(planOf(fresh(), []), fresh())).to.deep.equal([]);
  });

  it('is plain data', () => {
    const node = fresh();
    const operations = diffNode(planOf(node, [dataplane(node, { domain: domains['its own VRF'] })]), node);
    expect(JSON.parse(JSON.stringify(operations))).to.deep.equal(operations);
  });

  it('has the same operations in the same order in any order of the node', () => {
    const programmed = programmedNode(fresh(), { domain: domains['its own VRF'] });
    // A second one of each kind.
    const node = {
      ...programmed,
      rules: programmed.rules.flatMap((rule) => [rule, { ...rule, mark: 0x1099 }]),
      neighbours: programmed.neighbours.flatMap((neighbour) => [neighbour, { ...neighbour, address: '169.254.0.9' }]),
    };
    const shuffled = {
      ...node,
      links: node.links.toReversed(),
      routes: node.routes.toReversed(),
      rules: node.rules.toReversed(),
      neighbours: node.neighbours.toReversed(),
      ledger: { ...node.ledger, entries: node.ledger.entries.toReversed() },
    };
    expect(diffNode(planOf(shuffled, []), shuffled)).to.deep.equal(diffNode(planOf(node, []), node));
  });
});
