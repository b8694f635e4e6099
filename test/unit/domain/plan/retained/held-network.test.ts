import { expect } from 'chai';
import { heldNetwork } from '../../../../../src/domain/plan/retained/held-network.ts';
import { viewNode } from '../../../../../src/domain/snapshot/node-view.ts';
import type { LedgerEntry } from '../../../../../src/domain/index.ts';
import { signedName, vrfSignature } from '../../../../../src/domain/network/names/vrf-signature.ts';
import { networkVrf } from '../../../../../src/domain/routing-domain/network-vrf.ts';
import type { RoutingDomain } from '../../../../../src/domain/routing-domain/routing-domain.ts';
import { type BriefBridge, type BriefLink, completeNode } from '../../../../../src/testing/index.ts';

interface KeptBrief {
  readonly networkName?: string;
  readonly ownVrf?: string | undefined;
  readonly vrf?: string;
  readonly device?: string | undefined;
  readonly links?: readonly BriefLink[];
  readonly ledger?: readonly LedgerEntry[];
  readonly bridge?: undefined;
  readonly bridges?: readonly BriefBridge[];
  readonly switchExternalIds?: Readonly<Record<string, string>>;
}

function kept({
  networkName = 'cluster_udn_blue',
  vrf,
  links = [],
  bridges = [],
  ledger = [],
  switchExternalIds = {},
  ...rest
}: KeptBrief = {}) {
  const ownVrf = 'ownVrf' in rest ? rest.ownVrf : 'blue';
  const domain: RoutingDomain = vrf === undefined || vrf === ownVrf ? { kind: 'own-vrf' } : { kind: 'other-vrf', vrf };
  const node = viewNode(completeNode({ nodeName: 'a', links, bridges, ledger, switchExternalIds }));
  return heldNetwork({
    network: 'ClusterUserDefinedNetwork/blue',
    networkName,
    ownVrf,
    vrf: networkVrf({ domain, ownVrf, networkId: 7, node }),
    bridge: 'bridge' in rest ? rest.bridge : 'br-blue',
    device: 'device' in rest ? rest.device : 'br-blue',
    node,
  });
}

function membership(brief: Partial<Extract<LedgerEntry, { kind: 'membership' }>> = {}): LedgerEntry {
  return { kind: 'membership', device: 'br-old', vrf: 'old', table: 1009, network: 'cluster_udn_blue', ...brief };
}

describe('what belongs to a held network', () => {
  it("is every interface of its bridge, with its VRF, if the network's own one is unknown", () => {
    const links = [
      { name: 'br-blue', master: 'corp' },
      { name: 'eth1' },
      { name: 'eth2' },
      { name: 'corp', kind: 'vrf', vrfTable: 500 },
    ];
    const bridges = [{ name: 'br-blue', ports: [{ name: 'eth1' }] }];
    expect(kept({ device: undefined, links, bridges })).to.deep.include({
      devices: ['br-blue', 'eth1'],
      vrfs: ['blue', 'corp'],
      tables: [500],
    });
  });

  it('is the bridge to which another program has mapped it, if its own is unknown', () => {
    const switchExternalIds = { 'ovn-bridge-mappings': 'cluster_udn_blue:br-other' };
    expect(kept({ bridge: undefined, switchExternalIds }).bridges).to.deep.equal(['br-other']);
  });

  it('is what it requires now: its VRFs, their tables, its interface', () => {
    const links = [
      { name: 'blue', kind: 'vrf', vrfTable: 1012 },
      { name: 'corp', kind: 'vrf', vrfTable: 500 },
    ];
    expect(kept({ vrf: 'corp', links })).to.deep.equal({
      network: 'ClusterUserDefinedNetwork/blue',
      networkName: 'cluster_udn_blue',
      vrfs: ['blue', 'corp'],
      tables: [500, 1012],
      devices: ['br-blue'],
      bridges: ['br-blue'],
      patchPorts: ['patch-br-blue_cluster_udn_blue_a-to-br-int'],
    });
  });

  it('is not a VRF created for another network, although this one requires it', () => {
    const links = [{ name: 'red', kind: 'vrf', vrfTable: 1013, alias: 'ovn-uplinks:cluster_udn_red' }];
    expect(kept({ vrf: 'red', links })).to.deep.include({ vrfs: ['blue'], tables: [] });
  });

  it('has no table without a VRF, and no interface if none is selected', () => {
    expect(kept({ device: undefined })).to.deep.include({ vrfs: ['blue'], tables: [], devices: [] });
  });

  it('is what the ledger records for it', () => {
    expect(kept({ ledger: [membership()] })).to.deep.include({
      vrfs: ['blue', 'old'],
      tables: [1009],
      devices: ['br-blue', 'br-old'],
    });
  });

  it('is nothing that was done for another network', () => {
    const ledger: LedgerEntry[] = [
      membership({ network: 'cluster_udn_red' }),
      { kind: 'unsigned-vrf', name: 'red', table: 1012, network: 'cluster_udn_red' },
    ];
    const links = [{ name: 'mp9-udn-vrf', kind: 'vrf', vrfTable: 1020, alias: 'ovn-uplinks:cluster_udn_blue-2' }];
    expect(kept({ ledger, links })).to.deep.include({ vrfs: ['blue'], tables: [], devices: ['br-blue'] });
  });

  it('is a VRF with its name in the signature, while the name of the VRF is unknown', () => {
    const links = [{ name: 'mp7-udn-vrf', kind: 'vrf', vrfTable: 1012, alias: 'ovn-uplinks:cluster_udn_blue' }];
    expect(kept({ ownVrf: undefined, links })).to.deep.include({ vrfs: ['mp7-udn-vrf'], tables: [1012] });
    const dummy = [{ name: 'mp7-udn-vrf', kind: 'dummy', alias: 'ovn-uplinks:cluster_udn_blue' }];
    expect(kept({ ownVrf: undefined, links: dummy }), 'no VRF').to.deep.include({ vrfs: [] });
  });

  it('is a VRF that was created for it and not signed yet', () => {
    const links = [{ name: 'mp7-udn-vrf', kind: 'vrf', vrfTable: 1012 }];
    const ledger: LedgerEntry[] = [
      { kind: 'unsigned-vrf', name: 'mp7-udn-vrf', table: 1012, network: 'cluster_udn_blue' },
    ];
    expect(kept({ ownVrf: undefined, links, ledger })).to.deep.include({ vrfs: ['mp7-udn-vrf'], tables: [1012] });
  });

  it('is a VRF with the signature of its name, which is too long for a VRF name', () => {
    const networkName = `cluster_udn_${'a'.repeat(240)}`;
    const alias = vrfSignature(networkName);
    const found = { vrfs: ['mp7-udn-vrf'], tables: [1012] };
    const vrf = { name: 'mp7-udn-vrf', kind: 'vrf', vrfTable: 1012 };
    expect(kept({ networkName, ownVrf: undefined, links: [{ ...vrf, alias }] })).to.deep.include(found);
    for (const network of [networkName, signedName(alias)]) {
      const ledger: LedgerEntry[] = [{ kind: 'unsigned-vrf', name: 'mp7-udn-vrf', table: 1012, network }];
      expect(kept({ networkName, ownVrf: undefined, links: [vrf], ledger })).to.deep.include(found);
    }
    const other = vrfSignature(`${networkName}b`);
    expect(kept({ networkName, ownVrf: undefined, links: [{ ...vrf, alias: other }] })).to.deep.include({ vrfs: [] });
    expect(kept({ networkName, vrf: 'mp7-udn-vrf', links: [{ ...vrf, alias }] })).to.deep.include({ tables: [1012] });
  });

  it('is the VRF of its interface, also one of another program', () => {
    const links = [
      { name: 'br-blue', master: 'corp' },
      { name: 'corp', kind: 'vrf', vrfTable: 500 },
    ];
    expect(kept({ links })).to.deep.include({ vrfs: ['blue', 'corp'], tables: [500] });
    const bond = [
      { name: 'br-blue', master: 'bond0' },
      { name: 'bond0', kind: 'bond' },
    ];
    expect(kept({ links: bond }), 'a slave of a bond').to.deep.include({ vrfs: ['blue'], tables: [] });
  });

  it('is not the VRF to which its interface was enslaved for another network: it is released', () => {
    const links = [
      { name: 'br-blue', master: 'red' },
      { name: 'red', kind: 'vrf', vrfTable: 1013, alias: 'ovn-uplinks:cluster_udn_red' },
    ];
    const ledger = [membership({ device: 'br-blue', vrf: 'red', table: 1013, network: 'cluster_udn_red' })];
    expect(kept({ links, ledger })).to.deep.include({ vrfs: ['blue'], tables: [], devices: ['br-blue'] });
  });

  it('is the bridge that carries it, and the one that it is still mapped to', () => {
    const switchExternalIds = { 'ovn-uplinks-bridge-mappings': 'cluster_udn_red:br-red,cluster_udn_blue:br-old' };
    expect(kept({ switchExternalIds })).to.deep.include({ bridges: ['br-blue', 'br-old'] });
  });

  it('has each entity once', () => {
    const links = [
      { name: 'br-blue', master: 'blue' },
      { name: 'blue', kind: 'vrf', vrfTable: 1012, alias: 'ovn-uplinks:cluster_udn_blue' },
    ];
    const ledger = [membership({ device: 'br-blue', vrf: 'blue', table: 1012 })];
    expect(kept({ vrf: 'blue', links, ledger })).to.deep.include({
      vrfs: ['blue'],
      tables: [1012],
      devices: ['br-blue'],
    });
  });
});
