import { expect } from 'chai';
import { GENEVE_PORT } from '../../../../src/domain/basics/conventions.ts';
import { ip, ovsVsctl } from '../commands.ts';
import type { LabNode } from '../node.ts';
import { prepare } from '../prepare.ts';
import { summary } from './clients.ts';
import { WireCapture } from './capture.ts';
import { exchange, startAnswering } from './exchange.ts';
import { managementPortInVrf, podAddresses, podNamespace } from './own-half.ts';
import { carrying, preparedNode } from './packet-node.ts';
import { providerNamespace } from './provider.ts';
import { addressesOf, common, type Tenant, uplinksOf } from './tenant.ts';

/** The name of the node's own network namespace, in which the host answers. */
const HOST = 'host';

/** Two tenants of the default routing domain, each with an uplink and a wire, whose addresses differ. */
const ofDefaultDomain: readonly Tenant[] = [
  { name: 'amber', networkId: 1, uplink: { name: 'north', macAddress: '02:00:00:00:0a:06' } },
  {
    name: 'green',
    networkId: 2,
    uplink: { name: 'south', macAddress: '02:00:00:00:0b:06', addresses: ['192.0.2.7', '2001:db8:b::7'] },
  },
];

/** A tenant in a VRF, whose pods are advertised. */
const violet: Tenant = {
  name: 'violet',
  networkId: 3,
  targetVRF: 'auto',
  uplink: { name: 'west', macAddress: '02:00:00:00:0c:06', addresses: ['192.0.2.8', '2001:db8:b::8'] },
};

const tenants = [...ofDefaultDomain, violet];

/** The tenant at whose uplink's addresses tunnels of the node end too. */
const [amber] = ofDefaultDomain as readonly [Tenant];

/** The uplinks whose addresses are the node's own for pods of a tenant. */
const ownUplinks = (tenant: Tenant) => (tenant === violet ? [violet.uplink] : uplinksOf(ofDefaultDomain));

describe('two uplinks of the default routing domain, and one in a VRF', () => {
  let node: LabNode;
  let wires: readonly WireCapture[];
  before(async () => {
    node = await preparedNode(tenants);
    await carrying(node, tenants);
    await prepare(node, [
      ...tenants.flatMap(managementPortInVrf),
      // Sockets of the host that are bound to nothing answer connections that come in by a VRF.
      ['sysctl', '--quiet', 'net.ipv4.tcp_l3mdev_accept=1'],
      ip`netns attach ${HOST} 1`,
      ovsVsctl`set Open_vSwitch . ${`external_ids:ovn-encap-ip="${addressesOf(amber.uplink).join(', ')}"`}`,
    ]);
    await startAnswering(node, [HOST]);
    wires = await Promise.all(uplinksOf(tenants).map((uplink) => WireCapture.start(node, providerNamespace(uplink))));
  });
  after(() => node.end());

  it('are reached from pods of their routing domain, without leaving the node', async () => {
    const cases = tenants.flatMap((tenant) =>
      ownUplinks(tenant).flatMap((uplink) => addressesOf(uplink).map((to) => ({ tenant, to }))),
    );
    const answers = await exchange(
      node,
      cases.map(({ tenant, to }) => ({ from: podNamespace(tenant), protocol: 'tcp', to, rounds: 3 })),
    );
    const described = cases.map(({ tenant, to }, index) => [tenant.name, to, summary(answers[index]!)]);
    expect(described).to.deep.equal(
      cases.map(({ tenant, to }, index) => [
        tenant.name,
        to,
        { answers: { [`${HOST} ${podAddresses[index % podAddresses.length]!}`]: 3 }, lost: 0 },
      ]),
    );
  });

  it('carry datagrams of pods to the port of tunnels, except from addresses where tunnels of the node end', async () => {
    const captures = await Promise.all(
      uplinksOf(tenants).map((uplink) => WireCapture.start(node, providerNamespace(uplink))),
    );
    const cases = tenants.flatMap((tenant) => common.outside.map((to) => ({ tenant, to })));
    const ports = [GENEVE_PORT, GENEVE_PORT + 1];
    for (const { tenant, to } of cases) {
      const sent = ports.map((port) => `echo > /dev/udp/${to}/${port}`).join('; ');
      await node.does(ip`netns exec ${podNamespace(tenant)} bash -c ${sent}`);
    }
    // Once these are answered, the datagrams before them have left.
    await exchange(
      node,
      cases.map(({ tenant, to }) => ({ from: podNamespace(tenant), protocol: 'tcp', to })),
    );
    await Promise.all(captures.map((capture) => capture.stop()));
    const carried = cases.map(async ({ tenant, to }) => {
      const capture = captures[tenants.indexOf(tenant)]!;
      const packets = ports.map((port) => capture.packets(`udp dst port ${port} and dst host ${to}`));
      return [tenant.name, to, ...(await Promise.all(packets)).map(({ length }) => length)];
    });
    expect(await Promise.all(carried)).to.deep.equal(
      cases.map(({ tenant, to }) => [tenant.name, to, tenant === amber ? 0 : 1, 1]),
    );
  });

  it('carry other packets of pods to the outside, and nothing else', async () => {
    const cases = tenants.flatMap((tenant) => common.outside.map((to, family) => ({ tenant, to, family })));
    const answers = await exchange(
      node,
      cases.map(({ tenant, to }) => ({ from: podNamespace(tenant), protocol: 'tcp', to })),
    );
    expect(
      answers.map(({ answers: counts }) => Object.keys(counts).map((text) => text.split(' ').slice(0, 2))),
    ).to.deep.equal(
      cases.map(({ tenant, family }) => [
        [
          providerNamespace(tenant.uplink),
          tenant === violet ? podAddresses[family] : addressesOf(tenant.uplink)[family],
        ],
      ]),
    );
    // The wires carry these connections, and none of those to the node's own addresses.
    const those = common.outside.map((to) => `host ${to}`);
    for (const wire of wires) {
      await wire.stop();
      for (const filter of those) expect(await wire.packets(`tcp and ${filter}`), filter).not.to.be.empty;
      expect(await wire.packets(`tcp and not (${those.join(' or ')})`)).to.deep.equal([]);
    }
  });
});
