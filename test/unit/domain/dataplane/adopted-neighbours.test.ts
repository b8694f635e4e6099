import { expect } from 'chai';
import { adoptedNeighbours, type UplinkLink } from '../../../../src/domain/dataplane/adopted-neighbours.ts';
import { virtualMacOf } from '../../../../src/domain/dataplane/pipeline/virtual-mac.ts';
import type { BridgeFlow } from '../../../../src/domain/snapshot/datapath.ts';
import { viewNode } from '../../../../src/domain/snapshot/node-view.ts';
import { type BriefNode, completeNode } from '../../../../src/testing/index.ts';

const blue: UplinkLink = {
  uplink: 'blue',
  device: 'br-blue',
  bridge: 'br-blue',
  addresses: ['192.0.2.6/24'],
  gateways: ['192.0.2.1'],
};

interface FlowBrief {
  readonly bridge?: string;
  readonly link?: string;
  readonly isAdopted?: boolean;
}

/** A flow about a neighbour: one that was learned, or one of ours. */
function about(
  address: string,
  { bridge = 'br-blue', link = 'vlan_tci=0x0000/0x1fff', isAdopted = false }: FlowBrief = {},
): BridgeFlow {
  const match = `${link},dl_dst=${virtualMacOf(address)}`;
  const [cookie, priority] = isAdopted ? ['0x75706c6b', 95] : ['0x75706c6c', 90];
  return { bridge, cookie, table: 21, priority, match, actions: 'load:0x20000007777->NXM_OF_ETH_DST[],output:eth1' };
}

function entry(address: string, state: string, protocol = '95') {
  return { device: 'br-blue', address, states: [state, 'managed'], protocol };
}

function adopted(node: Omit<BriefNode, 'nodeName'>, links: readonly UplinkLink[] = [blue]) {
  const found = adoptedNeighbours(links, viewNode(completeNode({ nodeName: 'a', ...node })));
  return Object.fromEntries(found);
}

/** Addresses of a subnet of 512. */
const many = (count: number) => Array.from({ length: count }, (_, index) => `10.0.${index >> 8}.${index & 255}`);
const wide: UplinkLink = { ...blue, addresses: ['10.0.2.6/22'], gateways: [] };

describe('the neighbours that are adopted', () => {
  it('are those that flows of the bridge and VLAN have learned in the subnet of the uplink', () => {
    const flows = [
      about('192.0.2.10'),
      about('192.0.2.9'),
      about('192.0.3.9'),
      about('192.0.2.11', { bridge: 'br-red' }),
      about('192.0.2.12', { link: 'dl_vlan=7' }),
    ];
    expect(adopted({ flows })).to.deep.equal({ blue: ['192.0.2.9', '192.0.2.10'] });
    const tagged = { ...blue, vlan: 7 };
    expect(adopted({ flows }, [tagged])).to.deep.equal({ blue: ['192.0.2.12'] });
  });

  it('are neither gateways nor the node itself', () => {
    expect(adopted({ flows: [about('192.0.2.1'), about('192.0.2.6')] })).to.deep.equal({ blue: [] });
  });

  it('stay after ovs-vswitchd has lost the flows, and after the kernel has lost its entries', () => {
    expect(adopted({ neighbours: [entry('192.0.2.9', 'reachable')] })).to.deep.equal({ blue: ['192.0.2.9'] });
    expect(adopted({ flows: [about('192.0.2.9', { isAdopted: true })] })).to.deep.equal({ blue: ['192.0.2.9'] });
  });

  it('are not former gateways', () => {
    const former = { ...about('192.0.2.9', { isAdopted: true }), priority: 100 };
    expect(adopted({ flows: [former], neighbours: [entry('192.0.2.8', 'reachable', '94')] })).to.deep.equal({
      blue: [],
    });
  });

  it('stay while they are silent', () => {
    expect(adopted({ neighbours: [entry('192.0.2.9', 'failed')] })).to.deep.equal({ blue: ['192.0.2.9'] });
  });

  it('are 256 on a node', () => {
    const flows = many(300).map((address) => about(address));
    expect(adopted({ flows }, [wide])['blue']).to.deep.equal(many(256));
    const red = { ...wide, uplink: 'red', bridge: 'br-red', device: 'br-red' };
    const ofBoth = adopted({ flows: [...flows, about('10.0.0.1', { bridge: 'br-red' })] }, [red, wide]);
    expect([ofBoth['blue']?.length, ofBoth['red']]).to.deep.equal([256, []]);
  });

  it('are those that answer, and then earlier ones, if there are more', () => {
    const addresses = many(300);
    const flows = addresses.slice(0, 250).map((address) => about(address));
    const neighbours = addresses.slice(250).map((address, index) => entry(address, index < 20 ? 'stale' : 'failed'));
    const expected = [...addresses.slice(0, 236), ...addresses.slice(250, 270)];
    expect(adopted({ flows, neighbours }, [wide])['blue']).to.have.members(expected);
  });
});
