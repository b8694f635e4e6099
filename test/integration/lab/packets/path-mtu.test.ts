import { expect } from 'chai';
import { describeOnEachUserland } from '../each-userland.ts';
import { ip } from '../commands.ts';
import type { LabNode } from '../node.ts';
import { exchange } from './exchange.ts';
import { podNamespace } from './own-half.ts';
import { carrying, preparedNode } from './packet-node.ts';
import { providerNamespace } from './provider.ts';
import { blue, common, type Tenant } from './tenant.ts';

const green: Tenant = { name: 'green', networkId: 2, uplink: { name: 'green', macAddress: '02:00:00:00:09:06' } };
const tenants = [blue, green];

describeOnEachUserland('the path MTU', (machine) => {
  let node: LabNode;
  before(async () => {
    node = await preparedNode(tenants, machine);
    // The provider does not know the MTU of pods.
    for (const { uplink } of tenants) {
      const namespace = providerNamespace(uplink);
      for (const [index, subnet] of common.nodeSubnets.entries())
        await node.does(ip`-n ${namespace} route replace ${subnet} via ${common.uplink[index]!}`);
      for (const address of common.uplink) await node.does(ip`-n ${namespace} route delete ${address}`);
    }
    await carrying(node, tenants);
  });
  after(() => node.end());

  // The first answer is too long for the pod. The provider is told, and sends the next ones in fragments.
  for (const tenant of tenants) {
    const kind = tenant === blue ? 'an advertised network' : 'a network that is not advertised';
    it(`of pods of ${kind} is told to who sends them more`, async () => {
      const exchanges = common.outside.map(
        (to) => ({ from: podNamespace(tenant), protocol: 'udp', to, size: 1440, rounds: 3 }) as const,
      );
      const answers = await exchange(node, exchanges);
      expect(answers.map(({ answers: counts, lost }) => [Object.values(counts), lost])).to.deep.equal([
        [[2], 1],
        [[2], 1],
      ]);
    });
  }
});
