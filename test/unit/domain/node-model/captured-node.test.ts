import { expect } from 'chai';
import { CapturedNode } from '../../../../src/adapters/capture/captured-node.ts';
import { type Change, done } from '../../../../src/domain/node-model/change.ts';
import { enslave } from '../../../../src/domain/node-model/membership.ts';
import { withExternalIds } from '../../../../src/domain/node-model/switch/switch-external-ids.ts';
import { setSysctl } from '../../../../src/domain/node-model/sysctl.ts';
import { addVrf } from '../../../../src/domain/node-model/vrf.ts';
import type { Link, NodeSnapshot } from '../../../../src/domain/snapshot/node-snapshot.ts';
import { after, routeText } from './words.ts';

async function captured(name: string): Promise<NodeSnapshot> {
  const reading = await new CapturedNode('worker-a', `fixtures/captures/${name}`).read();
  if (!reading.read) expect.fail(JSON.stringify(reading.problems));
  return reading.value;
}

/** The steps that were taken on the node between the two captures. */
const steps: readonly ((node: NodeSnapshot) => Change)[] = [
  (node) => addVrf(node, { name: 'blue', table: 1007 }),
  (node) => setSysctl(node, 'net.ipv6.conf.br-blue.keep_addr_on_down', '1'),
  (node) => enslave(node, 'br-blue', 'blue'),
  (node) => enslave(node, 'ovn-k8s-mp1', 'blue'),
  (node) => {
    const before = 'physnet:br-ex,tenantnet:br-tenant';
    return done(withExternalIds(node, { 'ovn-bridge-mappings': `${before},cluster_udn_blue:br-blue` }));
  },
];

/** The model of a device, without the numbers and MAC addresses that the kernel draws, and without the flag of addresses that are tentative for a while. */
function comparable({ index: _index, macAddress: _mac, addresses, ...link }: Link): unknown {
  return {
    ...link,
    addresses: addresses.map((address) => ({
      ...address,
      flags: address.flags.filter((flag) => flag !== 'tentative'),
    })),
  };
}

describe('the model of a captured node', () => {
  it('is as the kernel left it after a VRF took its host interface', async () => {
    const before = await captured('worker-a');
    const seen = await captured('worker-a-blue-enslaved');
    const model = steps.reduce((node, step) => after(step(node)), before);

    expect(model.links.map(comparable)).to.have.deep.members(seen.links.map(comparable));
    expect(model.rules).to.have.deep.members(seen.rules);
    expect(model.sysctls).to.deep.equal(seen.sysctls);
    expect(model.nextHopObjects).to.deep.equal(seen.nextHopObjects);
    expect(model.switchExternalIds).to.deep.equal(seen.switchExternalIds);

    // The capture was taken within the two seconds of duplicate address detection: the link-local address was not ready for use.
    const late = ['1007 local fe80::42:c0ff:fe00:206/128 dev br-blue', '1007 anycast fe80::/128 dev br-blue'];
    const routes = model.routes.map((route) => ({ ...route, text: routeText(route) }));
    expect(routes.filter(({ text }) => !late.includes(text))).to.have.deep.members(
      seen.routes.map((route) => ({ ...route, text: routeText(route) })),
    );
    expect(routes.filter(({ text }) => late.includes(text))).to.have.length(2);
  });
});
