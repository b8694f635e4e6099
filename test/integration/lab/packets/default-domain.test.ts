import { describeOnEachUserland } from '../each-userland.ts';
import type { LabNode } from '../node.ts';
import { expectAnswers, podsAndHosts } from './asks.ts';
import { carrying, preparedNode } from './packet-node.ts';
import type { Tenant } from './tenant.ts';

const uplink = { name: 'shared', macAddress: '02:00:00:00:09:06' };
const tenants = ['amber', 'green', 'violet'].map((name, index): Tenant => ({ name, networkId: index + 1, uplink }));
const askers = podsAndHosts(tenants);

describeOnEachUserland('three networks of the default domain on one bridge', (machine) => {
  let node: LabNode;

  before(async () => {
    node = await preparedNode(tenants, machine);
    await carrying(node, tenants);
  });
  after(() => node.end());

  it("leave with the uplink's address, as TCP", () => expectAnswers(node, askers, { protocol: 'tcp', rounds: 50 }));
  it("leave with the uplink's address, as UDP", () => expectAnswers(node, askers, { protocol: 'udp', rounds: 200 }));
  it('have echo requests answered', () => expectAnswers(node, askers, { protocol: 'icmp', rounds: 50 }));
  it('exchange datagrams in fragments', () => expectAnswers(node, askers, { protocol: 'udp', size: 4000, rounds: 10 }));
  it('use one source port in all pods and on the host at the same time', () =>
    expectAnswers(node, askers, { protocol: 'tcp', sourcePort: 43_000, rounds: 10 }));
});
