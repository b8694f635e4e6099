import { expect } from 'chai';
import { devicesWithSettings } from '../../../../src/domain/plan/devices-with-settings.ts';
import type { LedgerEntry } from '../../../../src/domain/snapshot/ledger.ts';
import type { Uplink } from '../../../../src/domain/index.ts';
import { completeNode } from '../../../../src/testing/index.ts';
import { nodeConfig, uplink } from '../brief-objects.ts';

const links = [
  { name: 'veth1', kind: 'veth' },
  { name: 'veth2', kind: 'veth' },
  { name: 'veth2.7', kind: 'vlan', lowerDevice: 'veth2' },
  { name: 'veth2.7.8', kind: 'vlan', lowerDevice: 'veth2.7' },
  { name: 'br-red', master: 'red' },
  { name: 'br-port', master: 'br-red' },
  { name: 'red', kind: 'vrf', vrfTable: 1007 },
  { name: 'ovn-k8s-mp7' },
  { name: 'ovn-k8s-mpx' },
];

function devicesOn(uplinks: readonly Uplink[] = [], entries: readonly LedgerEntry[] = []): readonly string[] {
  const node = completeNode({ nodeName: 'worker', links });
  return [...devicesWithSettings({ uplinks }, { ...node, ledger: { ...node.ledger, entries } })];
}

/** Those of the node itself: VRFs, their members, management ports. */
const always = ['br-red', 'red', 'ovn-k8s-mp7'];

describe('the devices whose settings are read', () => {
  it('are VRFs, what is in them, and management ports', () => {
    expect(devicesOn()).to.deep.equal(always);
  });

  it('are interfaces that Uplinks name, whatever their kind and for whatever node, with what is stacked on them', () => {
    const ofOthers = uplink('green', [nodeConfig('eth7'), nodeConfig('veth1', { matchLabels: { rack: 'b' } })]);
    expect(devicesOn([uplink('blue', 'veth2')])).to.have.members([...always, 'veth2', 'veth2.7', 'veth2.7.8']);
    expect(devicesOn([ofOthers])).to.have.members([...always, 'veth1']);
  });

  it('are what the ledger has an entry about: it has to be put back as it was', () => {
    const name = 'net.ipv4.conf.veth1.rp_filter';
    const entry: LedgerEntry = { kind: 'sysctl', device: 'veth1', name, before: '1', value: '2' };
    expect(devicesOn([], [entry])).to.have.members([...always, 'veth1']);
  });
});
