import { expect } from 'chai';
import { type NodeSettings, type NodeSnapshot, planNode } from '../../../../../src/domain/index.ts';
import { completeLink, completeRoute } from '../../../../../src/testing/brief-node.ts';
import { podCluster, podNode, provided, web, withWaysOut } from '../../explanation/trace/pod-situation.ts';

const leaving: NodeSettings = { ...provided, egress: 'node', clusterCidrs: ['10.244.0.0/16'] };
const nodeA = withWaysOut(podNode('a', [web]));

/** The warnings about the node, where network blue leaves by it. */
function messages(changed: Partial<NodeSnapshot>, settings = leaving): readonly string[] {
  const { warnings } = planNode(podCluster([web]), { ...nodeA, ...changed }, settings);
  return warnings.map(({ message }) => message);
}

describe('a node that networks leave by', () => {
  it('has no warning where nothing is in their way', () => {
    expect(messages({})).to.deep.equal([]);
  });

  describe('with tables of iptables-legacy', () => {
    const forwardDrops = (['ip', 'ip6'] as const).map((family) => ({
      ...{ family, table: 'filter', chain: 'FORWARD' },
      isLegacy: true as const,
    }));

    it('has a warning for each family that its rules cannot be read, with the commands of that family', () => {
      const [four, six, ...others] = messages({ forwardDrops });
      expect(others).to.deep.equal([]);
      expect(four).to.equal(
        'chain FORWARD of table ip filter is one of iptables-legacy, which cannot be read: if it drops what passes the node, as "iptables-legacy -S FORWARD" shows, pods leave by the node only where a rule accepts it; where none does, "iptables-legacy -I FORWARD -s 169.254.0.0/17 -j ACCEPT" and "iptables-legacy -I FORWARD -d 169.254.0.0/17 -j ACCEPT" help; with Docker, in chain DOCKER-USER',
      );
      expect(six).to.equal(
        four
          ?.replaceAll('iptables', 'ip6tables')
          .replaceAll('169.254.0.0/17', 'fd69::/112')
          .replace('table ip ', 'table ip6 ')
          .replace('one of ip6tables', 'one of iptables'),
      );
    });

    it('has none where no network leaves by it', () => {
      expect(messages({ forwardDrops }, { ...leaving, egress: 'none' })).to.deep.equal([]);
    });
  });

  describe('in a subnet of such a network', () => {
    const withAddresses = (device: string, ...addresses: readonly string[]) =>
      nodeA.links.map((link) =>
        link.name === device ? completeLink({ ...link, addresses: addresses.map(addressOf) }, link.index - 1) : link,
      );
    const addressOf = (address: string) => ({ address, prefixLength: address.includes(':') ? 64 : 24 });
    const hidden = (network: string, addresses: string, subnet: string) =>
      `pods of ${network} do not reach ${addresses}, nor other hosts with addresses in ${subnet}, a subnet of their network: packets for these stay in the network, others leave all the same; if pods need such a host, for example a DNS server, give it another address, or recreate the network with other subnets`;

    it('has a warning of addresses of the devices that networks leave by', () => {
      const links = withAddresses('eth0', '192.0.2.11', '10.20.7.9', 'fd20::7', '10.20.7.10', '10.21.0.1');
      expect(messages({ links })).to.deep.equal([
        hidden('blue', '10.20.7.10 (of eth0), 10.20.7.9 (of eth0)', '10.20.0.0/16'),
        hidden('blue', 'fd20::7 (of eth0)', 'fd20::/48'),
      ]);
    });

    it('has a warning of the next hop of a default route, also of one of the other family', () => {
      const routes = [
        { destination: '0.0.0.0/0', nextHops: [{ device: 'eth0', gateway: '10.20.0.1' }] },
        { destination: '0.0.0.0/0', metric: 7, nextHops: [{ device: 'eth0', gateway: 'fd20::1' }] },
      ];
      expect(messages({ routes: [...routes.map(completeRoute), ...nodeA.routes] })).to.deep.equal([
        hidden('blue', '10.20.0.1 (next hop by eth0)', '10.20.0.0/16'),
        hidden('blue', 'fd20::1 (next hop by eth0)', 'fd20::/48'),
      ]);
    });

    it('has none of a device that none leaves by, until a setting says that they do', () => {
      const links = withAddresses('eth1', '10.20.7.9');
      const route = completeRoute({ destination: '0.0.0.0/1', nextHops: [{ device: 'eth1', gateway: '10.20.7.1' }] });
      const changed = { links, routes: [route, ...nodeA.routes] };
      expect(messages(changed)).to.deep.equal([]);
      expect(messages(changed, { ...leaving, egressDevices: ['eth1'] })).to.deep.equal([
        hidden('blue', '10.20.7.9 (of eth1)', '10.20.0.0/16'),
      ]);
    });

    it('has none of an IPv6 address of a device that only IPv4 leaves by', () => {
      const routes = nodeA.routes.filter(({ destination }) => destination !== '::/0');
      const links = withAddresses('eth0', '192.0.2.11', 'fd20::7');
      expect(messages({ links, routes }).filter((message) => message.includes('fd20::7'))).to.deep.equal([]);
    });

    it('has one for all networks with that subnet', () => {
      const objects = podCluster([web]);
      const [blue] = objects.clusterUserDefinedNetworks;
      const [claims, ...reports] = objects.configMaps;
      const red = { ...blue!, metadata: { name: 'red', uid: 'uid-red' } };
      const both = {
        ...objects,
        clusterUserDefinedNetworks: [red, blue!],
        namespaces: [],
        configMaps: [
          { ...claims!, data: { ...claims!.data, 'network-2': 'cluster_udn_red uid-red' } },
          ...reports.map((report) => ({ ...report, data: { ...report.data, networks: '1-2' } })),
        ],
      };
      const links = withAddresses('eth0', '192.0.2.11', '10.20.7.9');
      const { warnings } = planNode(both, { ...nodeA, links }, leaving);
      expect(warnings.map(({ message }) => message)).to.deep.equal([
        hidden('blue, red', '10.20.7.9 (of eth0)', '10.20.0.0/16'),
      ]);
    });

    it('has none where they do not leave by it', () => {
      const links = withAddresses('eth0', '192.0.2.11', '10.20.7.9');
      expect(messages({ links }, { ...leaving, egress: 'none' })).to.deep.equal([]);
    });
  });
});
