/** An address whose protocol was set, which Debian 13's ip prints and Debian 12's does not, is the same in the VRF and after it. */
import { expect } from 'chai';
import { bridge } from './bridge.ts';
import { clusterOf } from './clusters.ts';
import { ip } from './commands.ts';
import type { LabNode } from './node.ts';
import { sharedMachine } from './shared-machine.ts';
import { clusterNode } from './story-node.ts';
import { NodeAndModel } from './node-and-model.ts';

describe('the protocol of an address, on Debian 13', () => {
  const options = { devices: ['br-blue'], names: ['blue'] };
  const wanted = clusterOf([{ name: 'blue', device: 'br-blue', targetVRF: 'auto' }], options);
  const expected = { '192.0.2.6': '0x7', '2001:db8:b::6': '0x12' };

  let node: LabNode;
  before(async () => {
    node = await (await sharedMachine('debian-13')).node('address-protocol');
  });
  after(() => node.end());

  it('is kept when the interface is enslaved and released', async () => {
    await node.does(
      ...clusterNode,
      ...bridge('br-blue', { physicalPort: 'eth1' }),
      ip`address add 192.0.2.6/24 dev br-blue proto 7`,
      // The kernel drops only addresses with a lifetime.
      ip`address add 2001:db8:b::6/64 dev br-blue valid_lft 3000 preferred_lft 2000 proto 0x12`,
    );
    const both = await NodeAndModel.of(node);
    expect(protocols(both)).to.deep.equal(expected);
    for (const [cluster, master] of [[wanted, 'blue'] as const, [clusterOf([], options), undefined] as const]) {
      await both.do(...(await both.plan(cluster)));
      expect(both.model.links.find(({ name }) => name === 'br-blue')?.master).to.equal(master);
      expect(protocols(both)).to.deep.equal(expected);
    }
  });

  function protocols({ model }: NodeAndModel): Readonly<Record<string, string | undefined>> {
    const addresses = model.links.find(({ name }) => name === 'br-blue')?.addresses ?? [];
    return Object.fromEntries(
      addresses.filter(({ scope }) => scope === 'global').map(({ address, protocol }) => [address, protocol]),
    );
  }
});
