import { clusterNetwork } from '../../../../src/domain/network/network.ts';
import { expect } from 'chai';
import {
  DEFAULT_JOIN_SUBNETS,
  NODE_ID_ANNOTATION,
  NODE_SUBNETS_ANNOTATION,
  PRIMARY_NETWORK_LABEL,
} from '../../../../src/domain/basics/conventions.ts';
import { defaultSettings, type NodeSettings } from '../../../../src/domain/index.ts';
import {
  attachmentsOf,
  attachmentTo,
  type PodFacts,
  withDefaultServices,
} from '../../../../src/domain/pods/pod-attachment.ts';
import { checkFindings } from '../../../../src/domain/pods/pod-check.ts';
import { attachmentSentence } from '../../../../src/domain/status/pod-attachment.ts';
import { namespace, network, node, pod } from '../brief-objects.ts';

const subnets = [{ cidr: '10.20.0.0/16' }, { cidr: 'fd20::/48' }];

const facts: PodFacts = {
  pod: pod('web', 'demo', 'worker-a', { metadata: { name: 'web', namespace: 'demo', uid: '1' } }),
  namespace: namespace('demo', { tenant: 'blue', [PRIMARY_NETWORK_LABEL]: '' }),
  nodeId: 3,
  node: {
    ...node('worker-a', { annotations: { [NODE_ID_ANNOTATION]: '3' } }),
    spec: { podCIDRs: ['10.244.1.0/24'] },
    status: {
      addresses: [
        { type: 'InternalIP', address: '172.18.0.2' },
        { type: 'InternalIP', address: 'fc00::2' },
      ],
    },
  },
  networks: [
    clusterNetwork(
      network('blue', {
        namespaceSelector: { matchLabels: { tenant: 'blue' } },
        network: { layer3: { role: 'Primary', subnets, mtu: 1300 } },
      }),
      { providedNetworks: 'all', egress: 'none' },
    ),
  ],
};

const find = (changed: Partial<PodFacts> = {}, uid = '1', settings: NodeSettings = defaultSettings) =>
  attachmentsOf({ ...facts, ...changed }, uid, settings);

/** The missing part, for a person. */
const missing = (changed: Partial<PodFacts> = {}, uid = '1') => {
  const found = find(changed, uid);
  if (found.kind === 'found') return found;
  return [found.isAwaited, attachmentSentence(found.problem, 'Pod/demo/web', 'demo')];
};

describe('the attachment of a pod', () => {
  it('follows from the network of its namespace and the id of its node', () => {
    expect(find()).to.deep.equal({
      kind: 'found',
      attachments: [
        {
          pod: { namespace: 'demo', name: 'web', uid: '1' },
          networkName: 'cluster_udn_blue',
          definition: 'demo/blue',
          portName: 'demo.blue_demo_web',
          switchName: 'cluster_udn_blue_worker-a',
          subnets: ['10.20.1.0/24', 'fd20:0:0:1::/64'],
          networkSubnets: ['10.20.0.0/16', 'fd20::/48', ...DEFAULT_JOIN_SUBNETS],
          mtu: 1300,
          byDefaultNetwork: ['172.18.0.2/32', 'fc00::2/128', '10.244.1.0/24'],
        },
      ],
    });
  });

  it('has routes by the default network to single Services, and to none of the others', () => {
    const defaultServices = ['10.96.0.1', '10.96.0.10', 'fd96::a', '172.18.0.2'];
    const byDefaultNetwork = ['172.18.0.2/32', '10.244.1.0/24'];
    const found = find();
    if (found.kind === 'missing') return expect.fail('it is missing');
    const complete = withDefaultServices({ ...found.attachments[0], byDefaultNetwork }, defaultServices);
    expect(complete.defaultServices).to.equal(defaultServices);
    expect(complete.byDefaultNetwork).to.deep.equal([
      '10.96.0.1/32',
      '10.96.0.10/32',
      'fd96::a/128',
      '172.18.0.2/32',
      '10.244.1.0/24',
    ]);
  });

  it('has the subnets of the default network in the settings too, for its routes', () => {
    const clusterCidrs = ['10.244.0.0/16'];
    expect(find({}, '1', { ...defaultSettings, clusterCidrs }))
      .to.have.nested.property('attachments[0].byDefaultNetwork')
      .that.includes('10.244.0.0/16');
  });

  it('follows from the id that is claimed for its node, not from one in an annotation that others write', () => {
    const forged = node('worker-a', { annotations: { [NODE_ID_ANNOTATION]: '7' } });
    expect(find({ node: forged }))
      .to.have.nested.property('attachments[0].subnets')
      .deep.equal(['10.20.1.0/24', 'fd20:0:0:1::/64']);
  });

  it('uses the subnets that another program has written for the node', () => {
    const annotations = {
      [NODE_ID_ANNOTATION]: '3',
      [NODE_SUBNETS_ANNOTATION]: '{"cluster_udn_blue":["fd20:0:0:9::/64","10.20.9.0/24"]}',
    };
    expect(find({ node: node('worker-a', { annotations }) }))
      .to.have.nested.property('attachments[0].subnets')
      .deep.equal(['10.20.9.0/24', 'fd20:0:0:9::/64']);
  });

  it('is to the network that a runtime names, or to that of the namespace', () => {
    const found = find();
    if (found.kind === 'missing') return expect.fail('it is missing');
    const [blue] = found.attachments;
    const red = { ...blue, networkName: 'cluster_udn_red' };
    expect(attachmentTo('cluster_udn_red', [blue, red])).to.equal(red);
    expect(attachmentTo('cluster_udn_other', [blue])).to.equal(blue);
  });

  it('waits for objects that come by themselves', () => {
    expect(missing({ pod: undefined })).to.deep.equal([true, 'Pod/demo/web is not known to the agent yet']);
    expect(missing({ namespace: undefined })).to.deep.equal([true, 'Namespace/demo is not known to the agent yet']);
    expect(missing({ node: undefined })).to.deep.equal([true, 'the agent has not read the Node of this node yet']);
    expect(missing({ nodeId: undefined })).to.deep.equal([
      true,
      'this node has no id yet; the cluster manager allocates it',
    ]);
    expect(missing({}, '2')).to.deep.equal([
      true,
      'Pod/demo/web has been replaced: the agent knows the one with uid 1',
    ]);
  });

  it('does not wait for what someone has to change', () => {
    const elsewhere = pod('web', 'demo', 'worker-b', { metadata: { name: 'web', namespace: 'demo', uid: '1' } });
    expect(missing({ pod: elsewhere })).to.deep.equal([false, 'Pod/demo/web is scheduled to node worker-b']);
    expect(missing({ nodeId: 300 })).to.deep.equal([
      false,
      'the subnets of network cluster_udn_blue have no part with addresses for pods for this node, whose id is 300; recreate the network with a larger cidr or another hostSubnet',
    ]);
    const layer2 = network('blue', {
      namespaceSelector: {},
      network: { topology: 'Layer2', layer2: { role: 'Primary' } },
    });
    expect(missing({ networks: [clusterNetwork(layer2, { providedNetworks: 'all', egress: 'none' })] })).to.deep.equal([
      false,
      'ClusterUserDefinedNetwork/blue: topology Layer2 is not supported by this version, only Layer3 is',
    ]);
    const red = clusterNetwork(network('red', { namespaceSelector: {} }), { providedNetworks: 'all', egress: 'none' });
    expect(missing({ networks: [...facts.networks, red] })).to.deep.equal([
      false,
      'several primary networks select Namespace/demo: ClusterUserDefinedNetwork/blue, ClusterUserDefinedNetwork/red; change or delete all but one',
    ]);
  });
});

describe('the check of an attached pod', () => {
  const link = { mac: '0a:58:0a:14:01:03', mtu: 1400, alias: '', isUp: true, addresses: ['10.20.1.3/24'] };
  const routes = [{ destination: '0.0.0.0/0', gateway: '10.20.1.1', interface: 'net1' }];
  const right = {
    ifname: 'net1',
    port: { mac: link.mac, addresses: ['10.20.1.3/24'] },
    gateways: ['10.20.1.1'],
    isInstalled: true,
    answers: [],
    observed: { link, routes, answers: [] },
  };

  it('finds nothing where it is attached, whatever else is there', () => {
    const more = { link: { ...link, addresses: ['fe80::1/64', ...link.addresses] }, routes: [...routes, ...routes] };
    expect(checkFindings(right)).to.deep.equal([]);
    expect(checkFindings({ ...right, observed: more })).to.deep.equal([]);
  });

  it('finds what is wrong', () => {
    const wrong = { ...link, mac: '02:00:00:00:00:01', isUp: false, addresses: [] };
    const byEth0 = routes.map((each) => ({ ...each, interface: 'eth0' }));
    expect(checkFindings({ ...right, isInstalled: false, observed: { link: wrong, routes: byEth0 } })).to.deep.equal([
      'OVN has not installed the flows of the logical switch port',
      'interface net1 is down',
      'interface net1 has MAC address 02:00:00:00:00:01, expected 0a:58:0a:14:01:03',
      'interface net1 does not have address 10.20.1.3/24',
      'there is no default route via 10.20.1.1 on interface net1',
    ]);
  });

  it('finds routes of answers by the default network that are gone, unless an older plugin does not report them', () => {
    const onLink = { destination: '10.244.0.0/24', gateway: '', interface: 'eth0' };
    const answers = [onLink, { destination: '0.0.0.0/0', gateway: '10.244.0.1', interface: 'eth0' }];
    const finding = (found?: typeof answers) =>
      checkFindings({ ...right, answers, observed: { link, routes, ...(found && { answers: found }) } });
    expect(finding(answers.toReversed())).to.deep.equal([]);
    expect(finding([])).to.deep.equal([
      'answers from the addresses of interface eth0 have no route to 10.244.0.0/24',
      'answers from the addresses of interface eth0 have no route to 0.0.0.0/0 via 10.244.0.1',
    ]);
    for (const changed of [{ gateway: '10.244.0.2' }, { interface: 'net2' }, { destination: '10.244.0.0/25' }])
      expect(finding([{ ...onLink, ...changed }, answers[1]!])).to.have.length(1);
    expect(finding()).to.deep.equal([]);
  });

  it('finds what is not there at all', () => {
    const { port: _, ...withoutPort } = right;
    const { isInstalled: __, ...withoutSwitchPort } = right;
    expect(checkFindings(withoutPort)).to.deep.equal(['the pod has no logical switch port']);
    expect(checkFindings(withoutSwitchPort)).to.deep.equal(['the interface is not in Open vSwitch']);
    expect(checkFindings({ ...right, observed: { routes } })).to.deep.equal([
      'there is no interface net1 in the namespace',
    ]);
  });
});
