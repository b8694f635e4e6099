import { expect } from 'chai';
import type { LabNode } from '../node.ts';
import { defaultUserland } from '../userland.ts';
import { WireCapture } from './capture.ts';
import { expectAnswers, podsAndHosts } from './clients.ts';
import { carrying, preparedNode } from './packet-node.ts';
import { providerNamespace } from './provider.ts';
import { common, type LabUplink, type Tenant, uplinksOf } from './tenant.ts';

/** An uplink whose provider reaches advertised pods on whichever node they are. */
const uplinkOf = (name: string, macAddress: string): LabUplink => ({
  name,
  macAddress,
  nodeSubnets: common.clusterSubnets,
});

/** Two Layer2 tenants with the same addresses, as each version of OVN-Kubernetes makes them: one advertised in its own VRF, one translated. */
const tenantsWith = (layer2: 'transit-router' | 'switch'): readonly Tenant[] => [
  { name: 'blue', networkId: 1, layer2, targetVRF: 'auto', uplink: uplinkOf('blue', '02:00:00:00:01:06') },
  { name: 'green', networkId: 2, layer2, uplink: uplinkOf('green', '02:00:00:00:02:06') },
];

describe('Layer2 tenants with the same addresses', () => {
  // OVN-Kubernetes has transit routers where OVN is 25.03 or newer.
  const kinds = defaultUserland() === 'debian-13' ? (['transit-router', 'switch'] as const) : (['switch'] as const);
  for (const layer2 of kinds) {
    describe(layer2 === 'transit-router' ? 'behind a transit router' : 'without transit router', () => {
      const tenants = tenantsWith(layer2);
      let node: LabNode;
      before(async () => {
        node = await preparedNode(tenants);
        await carrying(node, tenants);
      });
      after(() => node.end());

      for (const protocol of ['tcp', 'udp'] as const) {
        it(`reach their own providers by ${protocol} in both families, as does the host`, async () => {
          await expectAnswers(node, podsAndHosts(tenants), { protocol, rounds: 5 });
        });
      }

      it('send nothing by the wire of the other', async () => {
        const wires = await Promise.all(
          uplinksOf(tenants).map((uplink) => WireCapture.start(node, providerNamespace(uplink))),
        );
        const [first] = tenants;
        if (first === undefined) throw new Error('there is no tenant');
        await expectAnswers(node, [{ tenant: first, kind: 'pod' }], { protocol: 'udp', rounds: 20 });
        for (const wire of wires) await wire.stop();
        const counts = await Promise.all(wires.map(async (wire) => (await wire.packets('udp')).length));
        expect(counts[0]).to.be.at.least(40);
        expect(counts.slice(1)).to.deep.equal([0]);
      });
    });
  }
});
