import { expect } from 'chai';
import { annotatedAddresses, withAnnotatedNetwork } from '../../../../src/domain/pods/pod-annotation.ts';
import { type InterfaceInput, podGateways, podInterface } from '../../../../src/domain/pods/pod-interface.ts';
import { hostInterfaceName, logicalPortName } from '../../../../src/domain/pods/pod-key.ts';

const eth0 = [
  { destination: '0.0.0.0/0', gateway: '10.244.0.1', interface: 'eth0' },
  { destination: '10.244.0.0/24', gateway: '', interface: 'eth0' },
  { destination: '::/0', gateway: 'fe80::1', interface: 'eth0' },
];

const input: InterfaceInput = {
  networkName: 'cluster_udn_blue',
  hostInterface: 'ovu0123456789ab',
  ifname: 'net1',
  mtu: 1400,
  mac: '0a:58:0a:14:01:03',
  addresses: ['10.20.1.3', 'fd20:0:0:1::3'],
  subnets: ['10.20.1.0/24', 'fd20:0:0:1::/64'],
  byDefaultNetwork: ['10.96.0.0/16', 'fd96::/112', '172.18.0.2/32', '10.244.0.0/24'],
  observed: { routes: eth0 },
};

const byDefaultNetwork = [
  { destination: '10.96.0.0/16', gateway: '10.244.0.1', interface: 'eth0' },
  { destination: '172.18.0.2/32', gateway: '10.244.0.1', interface: 'eth0' },
  { destination: 'fd96::/112', gateway: 'fe80::1', interface: 'eth0' },
];

const defaults = [
  { destination: '0.0.0.0/0', gateway: '10.20.1.1', interface: '' },
  { destination: '::/0', gateway: 'fd20:0:0:1::1', interface: '' },
];

/** Those of the interface: on its link, and by its gateway. */
const answers = [eth0[1], eth0[0], eth0[2]];

describe('the interface of a pod', () => {
  it('has the default routes, after the routes by the default network', () => {
    expect(podInterface(input)).to.deep.equal({
      hostInterface: 'ovu0123456789ab',
      mac: '0a:58:0a:14:01:03',
      mtu: 1400,
      alias: 'ovn-uplinks:cluster_udn_blue',
      addresses: ['10.20.1.3/24', 'fd20:0:0:1::3/64'],
      routes: [...byDefaultNetwork, ...defaults],
      answers,
      ipv6Settings: { disable_ipv6: '0', accept_ra: '0', accept_dad: '0' },
    });
  });

  it('finds the default network again after its default routes were replaced', () => {
    const observed = { routes: [...defaults.map((each) => ({ ...each, interface: 'net1' })), ...byDefaultNetwork] };
    const byNode = [...input.byDefaultNetwork, '192.0.2.9/32'];
    expect(podInterface({ ...input, observed, byDefaultNetwork: byNode }).routes).to.deep.equal([
      { destination: '10.244.0.0/24', gateway: '10.244.0.1', interface: 'eth0' },
      { destination: '192.0.2.9/32', gateway: '10.244.0.1', interface: 'eth0' },
      ...defaults,
    ]);
  });

  it('has no routes by the default network in a family that this does not have', () => {
    const observed = { routes: eth0.slice(0, 2) };
    expect(podInterface({ ...input, observed }).routes).to.deep.equal([...byDefaultNetwork.slice(0, 2), ...defaults]);
    expect(podInterface({ ...input, observed: { routes: [] } }).routes).to.deep.equal(defaults);
  });

  it('answers by the default network where questions come by it, also after its default routes were replaced', () => {
    const observed = { routes: [...byDefaultNetwork, eth0[1]!] };
    expect(podInterface({ ...input, observed }).answers).to.deep.equal(answers);
    expect(podInterface({ ...input, observed: { routes: eth0.slice(0, 2) } }).answers).to.deep.equal(
      answers.slice(0, 2),
    );
    expect(podInterface({ ...input, observed: { routes: [] } }).answers).to.deep.equal([]);
  });

  it('has no IPv6 in a network without it', () => {
    const only4 = podInterface({ ...input, subnets: ['10.20.1.0/24'], addresses: ['10.20.1.3'] });
    expect(only4.ipv6Settings).to.deep.equal({ disable_ipv6: '1' });
    expect(only4.routes).to.deep.equal([...byDefaultNetwork, defaults[0]]);
  });
});

describe('the names of a pod', () => {
  it('are those of OVN-Kubernetes in OVN', () => {
    expect(logicalPortName({ namespace: 'blue-demo', name: 'web-0.a' }, 'my-net')).to.equal(
      'blue.demo.my.net_blue-demo_web-0.a',
    );
  });

  it('fit into an interface name on the host, and differ by container and interface', () => {
    const names = [
      hostInterfaceName('c0ffee', 'net1'),
      hostInterfaceName('c0ffee', 'net2'),
      hostInterfaceName('c0ffef', 'net1'),
    ];
    expect(new Set(names).size).to.equal(3);
    for (const name of names) expect(name).to.match(/^ovu[0-9a-f]{12}$/);
  });
});

describe('the annotation of a pod', () => {
  const network = {
    definition: 'demo/blue',
    addresses: ['10.20.1.3/24', 'fd20:0:0:1::3/64'],
    mac: '0a:58:0a:14:01:03',
    gateways: podGateways(input.addresses, input.subnets),
    subnets: ['10.20.0.0/16', 'fd20::/48', '100.65.0.0/16'],
  };

  it('has an entry of each network, as OVN-Kubernetes writes it', () => {
    expect(JSON.parse(withAnnotatedNetwork(undefined, network))).to.deep.equal({
      'demo/blue': {
        ip_addresses: ['10.20.1.3/24', 'fd20:0:0:1::3/64'],
        mac_address: '0a:58:0a:14:01:03',
        gateway_ips: ['10.20.1.1', 'fd20:0:0:1::1'],
        routes: [
          { dest: '10.20.0.0/16', nextHop: '10.20.1.1' },
          { dest: 'fd20::/48', nextHop: 'fd20:0:0:1::1' },
          { dest: '100.65.0.0/16', nextHop: '10.20.1.1' },
        ],
        role: 'primary',
      },
    });
  });

  it('has the fields of one family for older readers', () => {
    const only4 = { addresses: ['10.20.1.3/24'], gateways: ['10.20.1.1'] };
    const text = withAnnotatedNetwork(undefined, { ...network, ...only4 });
    expect(JSON.parse(text)).to.have.property('demo/blue').that.include({
      ip_address: '10.20.1.3/24',
      gateway_ip: '10.20.1.1',
    });
  });

  it('keeps the entries of others as they are, and replaces its own', () => {
    const others = { default: { ip_addresses: ['10.244.0.3/24'], unknown: [1] }, odd: 7, 'demo/blue': { role: 'old' } };
    const written = JSON.parse(withAnnotatedNetwork(JSON.stringify(others), network)) as typeof others;
    expect({ ...written, 'demo/blue': undefined }).to.deep.equal({ ...others, 'demo/blue': undefined });
    expect(written['demo/blue'].role).to.equal('primary');
  });

  it('is read back', () => {
    const text = withAnnotatedNetwork('not JSON', network);
    expect(annotatedAddresses(text, 'demo/blue')).to.deep.equal(['10.20.1.3', 'fd20:0:0:1::3']);
    expect(annotatedAddresses(text, 'demo/red')).to.equal(undefined);
    expect(annotatedAddresses(text, 'constructor')).to.equal(undefined);
    expect(annotatedAddresses('{"demo/blue":{"ip_addresses":"10.20.1.3"}}', 'demo/blue')).to.equal(undefined);
    expect(annotatedAddresses('{"demo/blue":{"ip_addresses":["10.20.1.300"]}}', 'demo/blue')).to.equal(undefined);
    expect(annotatedAddresses('{"demo/blue":{"ip_addresses":["FD20:0::3/64"]}}', 'demo/blue')).to.deep.equal([
      'fd20::3',
    ]);
  });
});
