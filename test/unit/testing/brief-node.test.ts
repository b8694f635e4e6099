import { expect } from 'chai';
import { emptyLedger } from '../../../src/domain/ownership/ledger.ts';
import { type BriefNode, completeNode } from '../../../src/testing/brief-node.ts';

function complete(brief: Omit<BriefNode, 'nodeName'>) {
  return completeNode({ nodeName: 'n', ...brief });
}

const kernel = { protocol: 'kernel', others: {} };

describe('a brief node', () => {
  it('has what every node has, and nothing else', () => {
    expect(complete({})).to.deep.equal({
      nodeName: 'n',
      links: [],
      routes: [],
      nextHopObjects: [],
      rules: [
        { family: 4, priority: 0, table: 255, ...kernel },
        { family: 4, priority: 32766, table: 254, ...kernel },
        { family: 4, priority: 32767, table: 253, ...kernel },
        { family: 6, priority: 0, table: 255, ...kernel },
        { family: 6, priority: 32766, table: 254, ...kernel },
      ],
      neighbours: [],
      switchExternalIds: {},
      bridges: [],
      devlinkPorts: [],
      sysctls: {},
      ledger: emptyLedger,
    });
  });

  it('has the rules that it says, and no others', () => {
    expect(complete({ rules: [] }).rules).to.deep.equal([]);
    expect(complete({ rules: [{ priority: 5 }, { priority: 6, family: 6, table: 7, mark: 1 }] }).rules).to.deep.equal([
      { family: 4, priority: 5, protocol: 'static', others: {} },
      { family: 6, priority: 6, table: 7, mark: 1, protocol: 'static', others: {} },
    ]);
  });

  it('has permanent neighbours where nothing else is said', () => {
    const neighbours = [
      { device: 'eth1', address: '192.0.2.1' },
      { device: 'eth1', address: '192.0.2.2', states: ['stale'] },
    ];
    expect(complete({ neighbours }).neighbours).to.deep.equal([
      { device: 'eth1', address: '192.0.2.1', states: ['permanent'] },
      { device: 'eth1', address: '192.0.2.2', states: ['stale'] },
    ]);
  });

  it('has next hop objects of the family of their gateways', () => {
    const nextHopObjects = [
      { id: 1, gateway: 'fe80::1', device: 'eth1' },
      { id: 2, gateway: '192.0.2.1' },
      { id: 3, device: 'eth1' },
      { id: 4, family: 6, blackhole: true },
      { id: 5, group: [{ id: 1, weight: 2 }] },
    ] as const;
    expect(complete({ nextHopObjects }).nextHopObjects).to.deep.equal([
      { id: 1, family: 6, protocol: 'static', gateway: 'fe80::1', device: 'eth1' },
      { id: 2, family: 4, protocol: 'static', gateway: '192.0.2.1' },
      { id: 3, family: 4, protocol: 'static', device: 'eth1' },
      { id: 4, family: 6, protocol: 'static', blackhole: true },
      { id: 5, protocol: 'static', group: [{ id: 1, weight: 2 }] },
    ]);
  });

  it('has the ledger that its entries make', () => {
    const ledger = [{ kind: 'unsigned-vrf', name: 'blue', network: 'cluster_udn_blue' }] as const;
    expect(complete({ ledger }).ledger).to.deep.equal({ version: 1, entries: ledger, unknown: [] });
  });
});
