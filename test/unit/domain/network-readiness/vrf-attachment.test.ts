import { expect } from 'chai';
import { viewNode } from '../../../../src/domain/snapshot/node-view.ts';
import type { LedgerEntry } from '../../../../src/domain/index.ts';
import { vrfAttachment } from '../../../../src/domain/network-readiness/vrf-attachment.ts';
import { networkVrf } from '../../../../src/domain/routing-domain/network-vrf.ts';
import type { RoutingDomain } from '../../../../src/domain/routing-domain/routing-domain.ts';
import { type BriefLink, type BriefNode, completeNode } from '../../../../src/testing/index.ts';

const managementPort: BriefLink = { name: 'ovn-k8s-mp7', index: 12 };

function judge(
  domain: RoutingDomain,
  links: readonly BriefLink[] = [],
  brief: Partial<Omit<Parameters<typeof networkVrf>[0], 'domain'>> = {},
): ReturnType<typeof vrfAttachment> {
  const node = viewNode(completeNode({ nodeName: 'a', links: [managementPort, ...links] }));
  const input = { ownVrf: 'blue', networkId: 7, node, ...brief };
  return vrfAttachment({ vrf: networkVrf({ domain, ...input }), node: input.node });
}

const reason = 'UplinkVRFAttachmentFailed';
const vrf = 'blue';
const own: RoutingDomain = { kind: 'own-vrf', vrf };
const corp: RoutingDomain = { kind: 'other-vrf', vrf: 'corp' };

for (const domain of [own, { kind: 'default' } as const]) {
  describe(`the own VRF of a network in domain ${domain.kind}`, () => {
    it('can be created if no device has its name', () => {
      expect(judge(domain)).to.be.undefined;
    });

    it('may exist with the table of the management port', () => {
      expect(judge(domain, [{ name: 'blue', kind: 'vrf', vrfTable: 1012 }])).to.be.undefined;
    });

    it('must not be an unmanaged VRF with another table', () => {
      const failure = { reason, cause: 'other-table', vrf, expected: 1012 };
      expect(judge(domain, [{ name: 'blue', kind: 'vrf', vrfTable: 1013 }])).to.deep.equal({ ...failure, table: 1013 });
      expect(judge(domain, [{ name: 'blue', kind: 'vrf' }])).to.deep.equal({ ...failure, table: undefined });
      const named = { name: 'blue', kind: 'vrf', vrfTable: 1013, alias: 'uplink of tenant blue' };
      expect(judge(domain, [named])).to.deep.equal({ ...failure, table: 1013 });
    });

    it('may be managed with another table, whichever network it was created for: it is recreated', () => {
      for (const alias of ['ovn-uplinks:cluster_udn_blue', 'ovn-uplinks:cluster_udn_red']) {
        expect(judge(domain, [{ name: 'blue', kind: 'vrf', vrfTable: 1013, alias }])).to.be.undefined;
      }
    });

    it('may be managed with another table before it is signed: the ledger has it', () => {
      const ledger: readonly LedgerEntry[] = [
        { kind: 'unsigned-vrf', name: 'blue', table: 1013, network: 'cluster_udn_blue' },
      ];
      const links = [managementPort, { name: 'blue', kind: 'vrf', vrfTable: 1013 }];
      expect(judge(domain, [], { node: viewNode(completeNode({ nodeName: 'a', links, ledger })) })).to.be.undefined;
    });

    it('cannot be recreated while an unmanaged member is in it', () => {
      const links: readonly BriefLink[] = [
        managementPort,
        { name: 'blue', kind: 'vrf', vrfTable: 1013, alias: 'ovn-uplinks:cluster_udn_blue' },
        { name: 'br-blue', master: 'blue' },
        { name: 'eth9', master: 'blue' },
        { name: 'eth8', master: 'blue' },
        { name: 'eth7', master: 'corp' },
      ];
      const membership = { kind: 'membership', device: 'br-blue', vrf: 'blue', table: 1013, network: 'n' } as const;
      const occupied = (node: BriefNode) => judge(domain, [], { node: viewNode(completeNode(node)) });
      expect(occupied({ nodeName: 'a', links, ledger: [membership] })).to.deep.equal({
        reason,
        cause: 'occupied',
        vrf,
        occupant: 'eth8 is in it',
        expected: 1012,
      });
      const ours = links.filter(({ name }) => name !== 'eth8' && name !== 'eth9');
      expect(occupied({ nodeName: 'a', links: ours, ledger: [membership] }), 'with our own one alone').to.be.undefined;
    });

    it('cannot be recreated while an unmanaged address is on it, or an unmanaged route is out of it', () => {
      const old = { name: 'blue', kind: 'vrf', vrfTable: 1013, alias: 'ovn-uplinks:cluster_udn_blue' };
      const ours = { address: '169.254.0.2', prefixLength: 32 };
      const ledger: readonly LedgerEntry[] = [{ kind: 'address', device: 'blue', ...ours }];
      const occupant = (node: Omit<BriefNode, 'nodeName'>) => {
        const failure = judge(domain, [], { node: viewNode(completeNode({ nodeName: 'a', ledger, ...node })) });
        return failure && 'occupant' in failure ? failure.occupant : undefined;
      };
      const bearing = (...addresses: NonNullable<BriefLink['addresses']>) => [managementPort, { ...old, addresses }];
      const theirs = { address: '203.0.113.77', prefixLength: 32 };
      expect(occupant({ links: bearing(ours, theirs) })).to.equal('address 203.0.113.77/32 is on it');
      expect(occupant({ links: bearing(ours, { ...theirs, scope: 'host' }) })).to.be.undefined;
      const out = { destination: '203.0.113.0/24', nextHops: [{ device: 'blue' }] };
      const leadsOut = 'route 203.0.113.0/24 dev blue leads out of it';
      expect(occupant({ links: bearing(ours), routes: [out] })).to.equal(leadsOut);
      for (const protocol of ['kernel', '94']) {
        expect(occupant({ links: bearing(ours), routes: [{ ...out, protocol }] }), protocol).to.be.undefined;
      }
    });

    it('cannot be created with the table of an unmanaged VRF', () => {
      const theirs: BriefLink = { name: 'corp', kind: 'vrf', vrfTable: 1012 };
      const failure = { reason, cause: 'table-taken', vrf, table: 1012, other: 'corp' };
      expect(judge(domain, [theirs])).to.deep.equal(failure);
      expect(judge(domain, [{ name: 'blue', kind: 'vrf', vrfTable: 1012 }, theirs])).to.deep.equal(failure);
      expect(judge(domain, [{ ...theirs, alias: 'ovn-uplinks:cluster_udn_red' }]), 'one of ours').to.be.undefined;
    });

    it('cannot be created if another device has its name', () => {
      const failure = { reason, cause: 'other-device', wanted: 'own', vrf };
      expect(judge(domain, [{ name: 'blue', kind: 'dummy' }])).to.deep.equal({ ...failure, kind: 'dummy' });
      expect(judge(domain, [{ name: 'blue', type: 'ether' }])).to.deep.equal(failure);
    });

    it('cannot be created if another device has its name as an alternative name', () => {
      const failure = { reason, cause: 'other-device', wanted: 'own', vrf, alternativeNameOf: 'br-ex' };
      const named = { name: 'br-ex', alternativeNames: ['green', 'blue'] };
      expect(judge(domain, [{ ...named, kind: 'openvswitch' }])).to.deep.equal({ ...failure, kind: 'openvswitch' });
      expect(judge(domain, [named])).to.deep.equal(failure);
      expect(judge(domain, [{ ...named, alternativeNames: ['green'] }])).to.be.undefined;
    });

    it('cannot be created if the kernel refuses its name', () => {
      expect(judge(domain, [], { ownVrf: 'all' })).to.deep.equal({ reason, cause: 'name-refused', vrf: 'all' });
    });

    it('cannot be created if its name is that of a management port', () => {
      for (const ownVrf of ['ovn-k8s-mp2', 'ovn-k8s-mp10']) {
        expect(judge(domain, [], { ownVrf })).to.deep.equal({ reason, cause: 'name-refused', vrf: ownVrf });
      }
      for (const ownVrf of ['ovn-k8s-mp', 'ovn-k8s-mp2a', 'x-ovn-k8s-mp2']) {
        expect(judge(domain, [], { ownVrf }), ownVrf).to.be.undefined;
      }
    });

    it('waits for the id that its name depends on', () => {
      const { vrf: _blue, ...unnamed } = { vrf, ...domain };
      expect(judge(unnamed, [], { ownVrf: undefined, networkId: undefined })).to.be.undefined;
    });
  });
}

describe('the VRF that RouteAdvertisements name', () => {
  it('must exist, and may have any table', () => {
    expect(judge(corp, [{ name: 'corp', kind: 'vrf', vrfTable: 5 }])).to.be.undefined;
    expect(judge(corp)).to.deep.equal({ reason, cause: 'missing', vrf: 'corp' });
  });

  it('must not be one that ovn-uplinks created for another network, as it is removed with that', () => {
    const made = { name: 'corp', kind: 'vrf', vrfTable: 5, alias: 'ovn-uplinks:cluster_udn_corp' };
    expect(judge(corp, [made])).to.deep.equal({ reason, cause: 'missing', vrf: 'corp' });
  });

  it('must be a VRF', () => {
    const failure = { reason, cause: 'other-device', wanted: 'named', vrf: 'corp', kind: 'bridge' };
    expect(judge(corp, [{ name: 'corp', kind: 'bridge' }])).to.deep.equal(failure);
  });

  it('must have that name as its own: an alternative name does not select it', () => {
    expect(judge(corp, [{ name: 'corporate', kind: 'vrf', vrfTable: 5, alternativeNames: ['corp'] }])).to.deep.equal({
      reason,
      cause: 'other-device',
      wanted: 'named',
      vrf: 'corp',
      kind: 'vrf',
      alternativeNameOf: 'corporate',
    });
  });

  it('must have a name that a VRF can have', () => {
    const domain: RoutingDomain = { kind: 'other-vrf', vrf: 'a/b' };
    expect(judge(domain)).to.deep.equal({ reason, cause: 'name-refused', vrf: 'a/b' });
  });

  it("is used, whatever the network's own VRF is", () => {
    const links: readonly BriefLink[] = [
      { name: 'corp', kind: 'vrf', vrfTable: 5 },
      { name: 'blue', kind: 'dummy' },
    ];
    expect(judge(corp, links, { ownVrf: 'blue' })).to.be.undefined;
    expect(judge(corp, links, { ownVrf: undefined })).to.be.undefined;
  });
});

describe('a contradiction of VRFs', () => {
  it('is no failure of any of them', () => {
    expect(judge({ kind: 'contradiction', vrfs: ['a', 'b'] }, [{ name: 'blue', kind: 'dummy' }])).to.be.undefined;
  });
});

describe('the table of a VRF', () => {
  it('is not checked while the management port does not exist', () => {
    const node = viewNode(completeNode({ nodeName: 'a', links: [{ name: 'blue', kind: 'vrf', vrfTable: 5 }] }));
    expect(judge(own, [], { node })).to.be.undefined;
    expect(judge(own, [{ name: 'blue', kind: 'vrf', vrfTable: 5 }], { networkId: undefined })).to.be.undefined;
  });
});
