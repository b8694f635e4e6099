import { expect } from 'chai';
import { ip } from '../commands.ts';
import type { LabNode } from '../node.ts';
import { prepare } from '../prepare.ts';
import { exchange, startAnswering } from './exchange.ts';
import { podNamespace } from './own-half.ts';
import { carrying, preparedNode } from './packet-node.ts';
import { behindNarrowLink, farAddresses, farNamespace, providerNamespace } from './provider.ts';
import { blue, common, type Tenant } from './tenant.ts';

const green: Tenant = { name: 'green', networkId: 2, uplink: { name: 'green', macAddress: '02:00:00:00:09:06' } };
const tenants = [blue, green];

/** Of a link behind the provider, in bytes: less than pods have. */
const NARROW = 1300;

describe('the path MTU', () => {
  let node: LabNode;
  before(async () => {
    node = await preparedNode(tenants);
    // The provider does not know the MTU of pods.
    for (const { uplink } of tenants) {
      const namespace = providerNamespace(uplink);
      for (const [index, subnet] of common.nodeSubnets.entries())
        await node.does(ip`-n ${namespace} route replace ${subnet} via ${common.uplink[index]!}`);
      for (const address of common.uplink) await node.does(ip`-n ${namespace} route delete ${address}`);
    }
    await prepare(
      node,
      tenants.flatMap(({ uplink }) => behindNarrowLink(uplink, NARROW)),
    );
    await startAnswering(
      node,
      tenants.map(({ uplink }) => farNamespace(uplink)),
    );
    await carrying(node, tenants);
  });
  after(() => node.end());

  // Towards nodes these pods have the address of the uplink.
  it('of pods of an advertised network is reported to other nodes that exceed it', async () => {
    const exchanges = common.otherNode.map(
      (to) => ({ from: podNamespace(blue), protocol: 'udp', to, size: 1440, rounds: 3 }) as const,
    );
    const answers = await exchange(node, exchanges);
    expect(answers.map(({ answers: counts, lost }) => [Object.values(counts), lost])).to.deep.equal([
      [[2], 1],
      [[2], 1],
    ]);
  });

  // The first answer is too long for the pod. The provider is told, and sends the next ones in fragments.
  for (const tenant of tenants) {
    const kind = tenant === blue ? 'an advertised network' : 'a network that is not advertised';
    it(`of pods of ${kind} is reported to senders that exceed it`, async () => {
      const exchanges = common.outside.map(
        (to) => ({ from: podNamespace(tenant), protocol: 'udp', to, size: 1440, rounds: 3 }) as const,
      );
      const answers = await exchange(node, exchanges);
      expect(answers.map(({ answers: counts, lost }) => [Object.values(counts), lost])).to.deep.equal([
        [[2], 1],
        [[2], 1],
      ]);
    });

    it(`of a link behind the provider is reported to pods of ${kind}: their TCP connections continue`, async () => {
      const exchanges = farAddresses.map(
        (to) => ({ from: podNamespace(tenant), protocol: 'tcp', to, size: 5000 }) as const,
      );
      const answers = await exchange(node, exchanges);
      expect(answers.map(({ answers: counts, lost }) => [Object.values(counts), lost])).to.deep.equal([
        [[1], 0],
        [[1], 0],
      ]);
      const routes = await node.runAll(farAddresses.map((to) => ip`-n ${podNamespace(tenant)} route get ${to}`));
      for (const { stdout } of routes) expect(stdout).to.include(`mtu ${NARROW}`);
    });
  }
});
