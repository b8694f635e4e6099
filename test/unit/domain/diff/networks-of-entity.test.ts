import { clusterNetworkKey } from '../../../../src/domain/network/key.ts';
import { expect } from 'chai';
import { networksOfEntity } from '../../../../src/domain/diff/networks-of-entity.ts';
import type { Anchor } from '../../../../src/domain/entities/entity-kind.ts';
import type { LedgerEntry, NodeDataplane, NodeSnapshot } from '../../../../src/domain/index.ts';
import { nameOfNetwork } from '../../../../src/domain/network/key.ts';
import { vrfSignature } from '../../../../src/domain/network/names/vrf-signature.ts';
import { domains } from '../dataplane/dataplane-input.ts';
import { membership, route } from '../entities/host-entities.ts';
import { dataplane, dataplaneOfNode, keptBy, nodeOf } from './plans.ts';

/** Names of the networks of an entity. */
function namesOf(dataplane: NodeDataplane, node: NodeSnapshot): (anchor: Anchor) => readonly string[] {
  const networksOf = networksOfEntity(dataplane, node);
  return (anchor) => networksOf(anchor).networks.map(nameOfNetwork);
}

const unplanned = (node: NodeSnapshot) => namesOf(dataplaneOfNode(node, []), node);
const signed = (name: string, alias: string, vrfTable = 1012) =>
  nodeOf({ links: [{ name, kind: 'vrf', vrfTable, alias }] });

describe('the networks of an entity', () => {
  it('are those that want it', () => {
    const node = nodeOf();
    const red = { network: clusterNetworkKey('red'), networkName: 'cluster_udn_red', networkId: 7, ownVrf: 'red' };
    const programmed = [dataplane(node, red), dataplane(node, { domain: domains['another existing VRF'] })];
    const networksOf = namesOf(dataplaneOfNode(node, programmed), node);
    expect(networksOf({ vrf: 'red' })).to.deep.equal(['red']);
    expect(networksOf({ vrf: 'corp' })).to.deep.equal(['blue']);
    expect(networksOf({ table: 1012 })).to.deep.equal(['red']);
    expect(networksOf({ table: 500 })).to.deep.equal(['blue']);
    expect(networksOf({ device: 'br-blue' }), 'in name order').to.deep.equal(['blue', 'red']);
  });

  it('are known by the signature of a VRF that no network needs any more', () => {
    const networksOf = unplanned(signed('mp7-udn-vrf', 'ovn-uplinks:cluster_udn_a-network-with-a-long-name'));
    expect(networksOf({ vrf: 'mp7-udn-vrf' })).to.deep.equal(['a-network-with-a-long-name']);
    expect(networksOf({ table: 1012 })).to.deep.equal(['a-network-with-a-long-name']);
  });

  it("are none if the name is too long for the VRF's signature", () => {
    const networksOf = unplanned(signed('mp7-udn-vrf', vrfSignature(`cluster_udn_${'a'.repeat(240)}`)));
    expect(networksOf({ vrf: 'mp7-udn-vrf' })).to.deep.equal([]);
    expect(networksOf({ table: 1012 })).to.deep.equal([]);
    expect(networksOf({ networkName: `cluster_udn_${'a'.repeat(240)}`, part: 'uplink' })).to.deep.equal([
      'a'.repeat(240),
    ]);
  });

  it('are known by the ledger', () => {
    const ledger: readonly LedgerEntry[] = [
      membership({ device: 'br-red', vrf: 'corp', table: 500, network: 'cluster_udn_red' }),
      { kind: 'unsigned-vrf', name: 'green', table: 1012, network: 'cluster_udn_green' },
    ];
    const networksOf = unplanned(nodeOf({ ledger }));
    expect(networksOf({ vrf: 'corp' })).to.deep.equal(['red']);
    expect(networksOf({ table: 500 })).to.deep.equal(['red']);
    expect(networksOf({ device: 'br-red' })).to.deep.equal(['red']);
    expect(networksOf({ vrf: 'green' })).to.deep.equal(['green']);
  });

  it('are those into whose tables the managed routes out of an interface lead', () => {
    const vrf = signed('blue', 'ovn-uplinks:cluster_udn_blue');
    const routes = [
      route('0.0.0.0/0', { table: 1012, protocol: '94', nextHops: [{ device: 'br-blue' }, { gateway: '192.0.2.1' }] }),
      route('10.0.0.0/8', { table: 1012, nextHops: [{ device: 'eth9' }] }),
      route('10.1.0.0/16', { table: 77, protocol: '94', nextHops: [{ device: 'eth8' }] }),
    ];
    const networksOf = unplanned({ ...vrf, routes });
    expect(networksOf({ device: 'br-blue' })).to.deep.equal(['blue']);
    expect(networksOf({ device: 'eth9' }), 'a route that is not ours').to.deep.equal([]);
    expect(networksOf({ device: 'eth8' }), 'a table that is nobody’s').to.deep.equal([]);
  });

  it('do not include held ones on the same interface', () => {
    const node = nodeOf({ ledger: [membership({ device: 'br-blue', network: 'cluster_udn_red' })] });
    const programmed = [dataplane(node)];
    expect(namesOf(dataplaneOfNode(node, programmed), node)({ device: 'br-blue' })).to.deep.equal(['blue', 'red']);
    expect(namesOf(dataplaneOfNode(node, programmed, [keptBy('red')]), node)({ device: 'br-blue' })).to.deep.equal([
      'blue',
    ]);
  });

  it('are those that a bridge carries, and those mapped to it', () => {
    const node = nodeOf({ switchExternalIds: { 'ovn-uplinks-bridge-mappings': 'cluster_udn_red:br-x' } });
    const plan = dataplaneOfNode(node, [dataplane(node, { bridge: 'br-x', device: 'ten-blue' })]);
    expect(namesOf(plan, node)({ bridge: 'br-x' })).to.deep.equal(['blue', 'red']);
    expect(namesOf({ ...plan, kept: [keptBy('red')] }, node)({ bridge: 'br-x' }), 'one is kept').to.deep.equal([
      'blue',
    ]);
    expect(unplanned(node)({ bridge: 'br-x' }), 'when no network wants it').to.deep.equal(['red']);
    expect(unplanned(node)({ bridge: 'br-other' })).to.deep.equal([]);
  });

  it('are found in all sources', () => {
    const vrf = signed('blue', 'ovn-uplinks:cluster_udn_red');
    const node = { ...vrf, links: [...vrf.links, ...nodeOf().links] };
    expect(namesOf(dataplaneOfNode(node, [dataplane(node)]), node)({ vrf: 'blue' })).to.deep.equal(['blue', 'red']);
  });

  it('are none if none is known', () => {
    const networksOf = unplanned(signed('blue', 'theirs'));
    expect(networksOf({ vrf: 'blue' }), 'a VRF that is not managed').to.deep.equal([]);
    expect(networksOf({ table: 1012 })).to.deep.equal([]);
    expect(networksOf({ table: undefined })).to.deep.equal([]);
    expect(networksOf({ device: 'br-blue' })).to.deep.equal([]);
  });

  it('may be UserDefinedNetworks', () => {
    const networksOf = unplanned(signed('mp1-udn-vrf', 'ovn-uplinks:ns_blue'));
    expect(networksOf({ vrf: 'mp1-udn-vrf' })).to.deep.equal(['ns/blue']);
  });

  it('are found by the name in OVN', () => {
    const networksOf = unplanned(nodeOf());
    expect(networksOf({ networkName: 'cluster_udn_blue', part: 'uplink' })).to.deep.equal(['blue']);
    expect(networksOf({ networkName: 'cluster_udn_cluster_udn_x', part: 'uplink' })).to.deep.equal(['cluster_udn_x']);
    expect(networksOf({ networkName: 'cluster_udn_blue', part: 'network' })).to.deep.equal(['blue']);
  });

  it('need it themselves, for their uplinks, or for both', () => {
    const ledger = [membership({ device: 'ovn-k8s-mp1', vrf: 'mp1-udn-vrf', table: 300, network: 'ns_blue' })];
    const node = {
      ...signed('mp1-udn-vrf', 'ovn-uplinks:ns_blue', 300),
      ledger: { ...nodeOf().ledger, entries: ledger },
    };
    const partOf = (anchor: Anchor) => networksOfEntity(dataplaneOfNode(node, []), node)(anchor).part;
    expect(partOf({ vrf: 'mp1-udn-vrf' })).to.equal(undefined);
    expect(partOf({ device: 'ovn-k8s-mp1' })).to.equal('network');
    expect(partOf({ device: 'mp1-udn-vrf' }), 'an address on the VRF').to.equal('uplink');
    expect(partOf({ node: 'node-b' }), 'a chassis').to.equal('network');
  });
});
