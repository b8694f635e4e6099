import { expect } from 'chai';
import { viewNode } from '../../../../src/domain/snapshot/node-view.ts';
import type { LedgerEntry } from '../../../../src/domain/index.ts';
import { networkVrf } from '../../../../src/domain/routing-domain/network-vrf.ts';
import type { RoutingDomain } from '../../../../src/domain/routing-domain/routing-domain.ts';
import { type BriefLink, completeNode } from '../../../../src/testing/index.ts';

const managementPort: BriefLink = { name: 'ovn-k8s-mp7', index: 12 };
const corp: BriefLink = { name: 'corp', kind: 'vrf', vrfTable: 500 };

const base: RoutingDomain = { kind: 'default' };
const own: RoutingDomain = { kind: 'own-vrf', vrf: 'blue' };
const other: RoutingDomain = { kind: 'other-vrf', vrf: 'corp' };

/** The VRF of network `blue`, of id 7. */
function decide(
  domain: RoutingDomain,
  links: readonly BriefLink[] = [managementPort, corp],
  ledger: readonly LedgerEntry[] = [],
) {
  const node = viewNode(completeNode({ nodeName: 'a', links, ledger }));
  return networkVrf({ domain, ownVrf: 'blue', networkId: 7, node });
}

describe('the VRF of a network', () => {
  it('is its own in the default routing domain too, for its services: its interface is not enslaved there', () => {
    expect(decide(base)).to.deep.equal({ name: 'blue', table: 1012, own: true, enslaves: false });
    expect(decide(own)).to.deep.equal({ name: 'blue', table: 1012, own: true, enslaves: true });
  });

  it('is the one that RouteAdvertisements name, with its table', () => {
    expect(decide(other)).to.deep.equal({ name: 'corp', table: 500, own: false, enslaves: true });
    expect(decide(other, [corp]), 'without a management port').to.deep.equal(decide(other));
  });

  it('cannot be used if RouteAdvertisements name a missing one, or another kind of device', () => {
    const missing = { name: 'corp', own: false, enslaves: true, unusable: 'no-such-vrf' };
    for (const links of [[managementPort], [managementPort, { name: 'corp', kind: 'dummy' }]]) {
      expect(decide(other, links)).to.deep.equal(missing);
    }
  });

  it('cannot be used if RouteAdvertisements name one that ovn-uplinks created: it is removed with its network', () => {
    const made = { name: 'corp', own: false, enslaves: true, unusable: 'made-for-another' };
    expect(decide(other, [{ ...corp, alias: 'ovn-uplinks:cluster_udn_corp' }])).to.deep.equal(made);
    const unsigned = { kind: 'unsigned-vrf', name: 'corp', table: 500, network: 'cluster_udn_corp' } as const;
    expect(decide(other, [corp], [unsigned])).to.deep.equal(made);
  });

  it('is undefined while its name depends on an id that is not allocated', () => {
    const node = viewNode(completeNode({ nodeName: 'a', links: [corp] }));
    for (const domain of [base, { kind: 'own-vrf' }] as const) {
      const decision = networkVrf({ domain, ownVrf: undefined, networkId: undefined, node });
      expect(decision).to.deep.equal({ unusable: 'not-allocated' });
    }
  });

  it('is undefined for several targets', () => {
    const vrfs = ['blue', 'corp'];
    expect(decide({ kind: 'contradiction', vrfs })).to.deep.equal({ unusable: 'contradiction' });
  });
});

describe("the table of a network's own VRF", () => {
  for (const [index, table] of [
    [1, 1001],
    [12, 1012],
    [4_000, 5_000],
  ] as const) {
    it(`is ${table} where its management port is device ${index}`, () => {
      expect(decide(own, [{ name: 'ovn-k8s-mp7', index }])).to.include({ table });
    });
  }

  it('is its own, whatever table a VRF of its name has now', () => {
    expect(decide(own, [managementPort, { name: 'blue', kind: 'vrf', vrfTable: 1005 }])).to.include({ table: 1012 });
  });

  const missing = { name: 'blue', own: true, enslaves: true, unusable: 'no-management-port' };

  it('is that of its own management port only', () => {
    expect(decide(own, [{ name: 'ovn-k8s-mp77', index: 3 }])).to.deep.equal(missing);
  });

  it('is not that of a VRF with the name of its management port', () => {
    expect(decide(own, [{ name: 'ovn-k8s-mp7', kind: 'vrf', vrfTable: 5 }])).to.deep.equal(missing);
  });
});
