import { expect } from 'chai';
import { unservedRows } from '../../../../../src/domain/dataplane/logical-network/unserved-rows.ts';
import { addressesOnNode } from '../../../../../src/domain/dataplane/logical-network/node-addresses.ts';

const network = { networkName: 'cluster_udn_blue', networkId: 1, subnets: [{ cidr: '10.20.0.0/16' }], joinSubnets: [] };
const node = { name: 'a', id: 2, allocatedSubnets: [] };

/** The rows of the network on its node, as `parent: action, match`. */
function rowsFor(serviceSubnets: readonly string[]) {
  const addresses = addressesOnNode(network, node);
  if ('exhausted' in addresses) throw new Error(addresses.exhausted);
  return unservedRows({ network, node, addresses }, serviceSubnets).map(
    ({ parents = [], columns: { action, match } }) =>
      `${parents.map(({ name }) => name).join()}: ${action as string}, ${match as string}`,
  );
}

describe('addresses of Services that no Service of the network has', () => {
  it('are refused on the switch of the pods, and dropped on the router, in each family', () => {
    expect(rowsFor(['10.96.0.0/16', 'fd10::/108'])).to.deep.equal([
      'cluster_udn_blue_a: reject, ip4.dst == 10.96.0.0/16',
      'cluster_udn_blue_ovn_cluster_router: drop, ip4.dst == 10.96.0.0/16',
      'cluster_udn_blue_a: reject, ip6.dst == fd10::/108',
      'cluster_udn_blue_ovn_cluster_router: drop, ip6.dst == fd10::/108',
    ]);
  });

  it('are those of the largest subnets, without the ones in them', () => {
    expect(rowsFor(['172.30.0.0/16', '172.30.1.0/24'])).to.have.length(2);
  });
});
