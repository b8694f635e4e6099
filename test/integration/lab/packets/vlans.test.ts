import { expect } from 'chai';
import type { LabNode } from '../node.ts';
import { datagramsOf, expectAnswers, podsAndHosts, summary } from './clients.ts';
import { WireCapture } from './capture.ts';
import { carrying, preparedNode } from './packet-node.ts';
import { exchange, type Exchange } from './exchange.ts';
import { podNamespace } from './own-half.ts';
import { providerNamespace, wireOf } from './provider.ts';
import { addressesOf, common, gatewaysOf, type Tenant } from './tenant.ts';

/** Two uplinks with the same addresses, in two VLANs of one bridge. */
const tenants = [10, 20].map((vlan, index): Tenant => ({
  name: `vlan${vlan}`,
  networkId: index + 1,
  uplink: { name: `v${vlan}`, macAddress: `02:00:00:00:${vlan}:06`, access: { bridge: 'br-vlans', vlan } },
}));
const clients = podsAndHosts(tenants);
const [ten, twenty] = tenants as [Tenant, Tenant];

/** The tenant of another uplink in one of these VLANs, with another gateway. */
const neighbour: Tenant = {
  name: 'vlan10-too',
  networkId: 3,
  uplink: {
    name: 'v10-too',
    macAddress: '02:00:00:00:10:07',
    access: { bridge: 'br-vlans', vlan: 10 },
    addresses: ['192.0.2.7', '2001:db8:b::7'],
    beside: { uplink: ten.uplink, gateways: ['192.0.2.2', '2001:db8:b::2'] },
  },
};
const all = [...tenants, neighbour];

describe('two uplinks with the same addresses in VLANs of one bridge', () => {
  let node: LabNode;
  let wire: WireCapture;
  before(async () => {
    node = await preparedNode(all);
    wire = await WireCapture.startAtNode(node, wireOf(tenants[0]!.uplink));
    await carrying(node, all);
  });
  after(() => node.end());

  it('have TCP connections of pods and hosts answered by their own providers', () =>
    expectAnswers(node, clients, { protocol: 'tcp', rounds: 20 }));
  it('have UDP of pods and hosts answered by their own providers', () =>
    expectAnswers(node, clients, { protocol: 'udp', ownPorts: true, rounds: 100 }));
  it('exchange datagrams in fragments', () =>
    expectAnswers(node, clients, { protocol: 'udp', size: 4000, rounds: 10 }));
  it('use one source port in all pods and hosts at the same time', () =>
    expectAnswers(node, clients, { protocol: 'tcp', sourcePort: 43_000, rounds: 3 }));

  it('keep their connections separate: an apparent reply in the other VLAN is for the host', async () => {
    const ports = { near: 42_100, far: 9000 };
    const ask = (from: string, addresses: readonly string[], sourcePort: number, port: number) =>
      exchange(
        node,
        addresses.map((to) => ({ from, protocol: 'udp', sourcePort, to, port })),
      );
    await ask(podNamespace(twenty), common.gateways, ports.near, ports.far);
    const refused = { answers: {}, lost: 0, error: '[Errno 111] Connection refused' };
    expect(await ask(providerNamespace(ten.uplink), common.uplink, ports.far, ports.near)).to.deep.equal([
      refused,
      refused,
    ]);
  });

  for (const [from, other] of [
    [ten, neighbour],
    [neighbour, ten],
  ] as const) {
    it(`reach the gateway of another uplink in the VLAN as a neighbour: ${from.name} that of ${other.name}`, async () => {
      const exchanges = gatewaysOf(other.uplink).map((to): Exchange => {
        return { from: podNamespace(from), protocol: 'tcp', to, rounds: 20 };
      });
      const answers = (await exchange(node, exchanges)).map(summary);
      const seen = addressesOf(from.uplink).map((address) => `${providerNamespace(other.uplink)} ${address}`);
      expect(answers).to.deep.equal(seen.map((answer) => ({ answers: { [answer]: 20 }, lost: 0 })));
    });
  }

  it('send every frame with the tag of their VLAN', async () => {
    await wire.stop();
    for (const tenant of tenants) {
      const tagged = `vlan ${tenant.uplink.access!.vlan}`;
      const own = datagramsOf(clients, (client) => client.tenant === tenant);
      const others = datagramsOf(clients, (client) => client.tenant !== tenant);
      expect(await wire.packets(`${tagged} and (${own})`)).not.to.deep.equal([]);
      expect(await wire.packets(`${tagged} and (${others})`)).to.deep.equal([]);
    }
    expect(await wire.packets(datagramsOf(clients, () => true))).to.deep.equal([]);
  });
});
