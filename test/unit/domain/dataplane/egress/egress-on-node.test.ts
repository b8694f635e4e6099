import { expect } from 'chai';
import { egressOnNode, waysOn } from '../../../../../src/domain/dataplane/egress/egress-on-node.ts';
import { hostEgress } from '../../../../../src/domain/dataplane/egress/host-egress.ts';
import { defaultSettings, type NodeSettings } from '../../../../../src/domain/snapshot/settings.ts';
import { type BriefNode, completeNode } from '../../../../../src/testing/index.ts';

const sysctls = { 'net.ipv4.conf.all.forwarding': '1', 'net.ipv6.conf.all.forwarding': '1' };
const routes = ['0.0.0.0/0', '::/0'].map((destination) => ({ destination, nextHops: [{ device: 'eth0' }] }));
const usual: BriefNode = { nodeName: 'a', switchExternalIds: { 'system-id': 'chassis-a' }, sysctls, routes };

interface Surroundings {
  readonly subnets?: readonly string[];
  readonly node?: Partial<BriefNode>;
  readonly isDefaultNetworkKnown?: boolean;
  readonly settings?: Partial<NodeSettings>;
}

/** How a dual-stack network with id 1 leaves by its node. */
function leaving({
  subnets = ['10.20.0.0/16', 'fd20::/48'],
  node,
  isDefaultNetworkKnown = true,
  settings: others,
}: Surroundings = {}) {
  const network = { networkId: 1, subnets: subnets.map((cidr) => ({ cidr })) };
  const [found, settings] = [completeNode({ ...usual, ...node }), { ...defaultSettings, ...others }];
  const ways = waysOn(found.routes, settings);
  return egressOnNode(network, 'blue', isDefaultNetworkKnown, { node: found, settings, ways });
}

/** The rules by which a network with id 1 leaves. */
const rules = hostEgress({
  networkId: 1,
  routerAddresses: [],
  table: 300,
  networkAddresses: [{ family: 4, address: '169.254.0.12' }],
}).flatMap((entity) => (entity.kind === 'rule' ? [entity.rule] : []));

describe('a network that leaves by its node', () => {
  it('has an address of each family there, and is seen on its management port and its VRF', () => {
    expect(leaving()).to.deep.equal({
      subnets: ['10.20.0.0/16', 'fd20::/48'],
      networkAddresses: [
        { family: 4, address: '169.254.0.12' },
        { family: 6, address: 'fd69::c' },
      ],
      devices: ['ovn-k8s-mp1', 'blue'],
      chassis: 'chassis-a',
      unreached: ['100.88.0.0/16', '169.254.0.0/16', 'fd69::/112', 'fd97::/64', 'fe80::/10'],
      opened: [],
      isProgrammed: true,
    });
  });

  it('has an address of its own family only', () => {
    expect(leaving({ subnets: ['fd20::/48'] }).networkAddresses).to.deep.equal([{ family: 6, address: 'fd69::c' }]);
  });
});

describe('what is opened to a network that leaves by its node although OVN drops it', () => {
  const opened = (egressAllow: readonly string[], settings: Partial<NodeSettings> = {}, subnets?: readonly string[]) =>
    leaving({ settings: { egressAllow, ...settings }, ...(subnets && { subnets }) }).opened;
  const metadata = '169.254.169.254/32';

  it('is each allowed subnet of link-local addresses, once', () => {
    expect(opened([metadata])).to.deep.equal([metadata]);
    expect(opened(['169.254.192.0/24', '10.244.3.4/32', metadata, '169.254.192.7/32'])).to.deep.equal([
      metadata,
      '169.254.192.0/24',
    ]);
  });

  it('is nothing by a subnet that has other addresses too', () => {
    expect(opened(['0.0.0.0/0', '169.0.0.0/8', '169.254.0.0/15', '::/0'])).to.deep.equal([]);
  });

  it('is nothing that has masquerade addresses, by default the first half', () => {
    expect(opened(['169.254.0.0/16', '169.254.127.255/32'])).to.deep.equal([]);
    expect(opened(['169.254.128.0/17'])).to.deep.equal(['169.254.128.0/17']);
    expect(opened([metadata], { masqueradeSubnets: ['169.254.0.0/16', 'fd69::/112'] })).to.deep.equal([]);
  });

  it('is nothing that Services or pods of the network have', () => {
    expect(opened([metadata], { serviceCidrs: ['169.254.169.0/24'] })).to.deep.equal([]);
    expect(opened([metadata], {}, ['169.254.168.0/22'])).to.deep.equal([]);
  });

  it('is nothing of IPv6, whose link-local packets no router forwards', () => {
    expect(opened(['fe80::a9fe:a9fe/128', 'fd97::1/128'])).to.deep.equal([]);
  });
});

describe('a network that is not let out', () => {
  it('is one on a node where nobody says which subnets the default network has', () => {
    expect(leaving({ isDefaultNetworkKnown: false })).to.deep.include({
      failure: { cause: 'cluster-subnets-unknown' },
      isProgrammed: false,
    });
  });

  it('is one on a node whose Open vSwitch has no chassis name, also where it was let out before', () => {
    for (const before of [[], rules]) {
      expect(leaving({ node: { switchExternalIds: {}, rules: before } })).to.deep.include({
        failure: { cause: 'no-chassis' },
        isProgrammed: false,
      });
    }
  });

  it('stays out where it was let out before it became unknown', () => {
    expect(rules).to.have.length(2);
    expect(leaving({ isDefaultNetworkKnown: false, node: { rules } })).to.deep.include({
      failure: { cause: 'cluster-subnets-unknown' },
      isProgrammed: true,
    });
  });

  it('is not let out by rules of others, nor by those of another network', () => {
    const foreign = rules.map((rule) => ({ ...rule, protocol: 'static' }));
    const other = rules.map((rule) => ({ ...rule, others: { src: '"169.254.0.14"' } }));
    for (const found of [foreign, other]) {
      expect(leaving({ isDefaultNetworkKnown: false, node: { rules: found } }).isProgrammed).to.equal(false);
    }
  });
});

describe('a network that is let out and does not get out', () => {
  const failureWith = (node: Partial<BriefNode>, subnets?: readonly string[]) => {
    const { failure, failureOfSecond, isProgrammed } = leaving({ node, ...(subnets && { subnets }) });
    expect(isProgrammed).to.equal(true);
    return failure ?? (failureOfSecond && { ofSecond: failureOfSecond });
  };
  const no4 = { ...sysctls, 'net.ipv4.conf.all.forwarding': '0' };
  const no6 = { ...sysctls, 'net.ipv6.conf.all.forwarding': '0' };
  const forwards4Not = { cause: 'forwarding-disabled', family: 4, setting: 'net.ipv4.conf.all.forwarding' };
  const forwards6Not = { cause: 'forwarding-disabled', family: 6, setting: 'net.ipv6.conf.all.forwarding' };

  it('is one on a node that does not forward its family', () => {
    expect(failureWith({ sysctls: no4 })).to.deep.equal(forwards4Not);
    expect(failureWith({ sysctls: no6 }, ['fd20::/48'])).to.deep.equal(forwards6Not);
    expect(failureWith({ sysctls: no6 }, ['10.20.0.0/16'])).to.equal(undefined);
  });

  it('is not one whose management port forwards IPv6 without the node', () => {
    for (const device of ['default', 'ovn-k8s-mp1']) {
      expect(failureWith({ sysctls: { ...no6, [`net.ipv6.conf.${device}.force_forwarding`]: '0' } })).to.equal(
        undefined,
      );
    }
    const ofAnother = { ...no6, 'net.ipv6.conf.ovn-k8s-mp2.force_forwarding': '1' };
    expect(failureWith({ sysctls: ofAnother })).to.deep.equal({ ofSecond: forwards6Not });
  });

  it('is one of IPv4 also where IPv6 can be forwarded without the node', () => {
    expect(failureWith({ sysctls: { ...no4, 'net.ipv6.conf.default.force_forwarding': '0' } })).to.deep.equal(
      forwards4Not,
    );
  });

  it('is one on a node without a default route of its family', () => {
    expect(failureWith({ routes: routes.slice(0, 1) })).to.deep.equal({
      ofSecond: { cause: 'no-default-route', family: 6 },
    });
    expect(failureWith({ routes: [] })).to.deep.equal({ cause: 'no-default-route', family: 4 });
    expect(failureWith({ routes: routes.slice(0, 1) }, ['10.20.0.0/16'])).to.equal(undefined);
  });

  it('is not one on a node where the settings name its devices', () => {
    const { failure } = leaving({ node: { routes: [] }, settings: { egressDevices: ['eth0'] } });
    expect(failure).to.equal(undefined);
  });
});
