import { expect } from 'chai';
import { completeNode } from '../../../../src/testing/index.ts';
import {
  claimed,
  claims,
  isAbout,
  networkOf,
  other,
  parts,
  reported,
  rowsOf,
  settled,
  simulate,
} from './registration-scene.ts';
import type { Simulation } from './simulation.ts';

describe('a node that provides networks reports of each', () => {
  const readinessOf = (simulation: Simulation) => {
    const { ready, 'not-ready-1': reason } = reported(simulation) ?? {};
    return { ready, reason };
  };

  it('that it is ready, all the time while another node is added to it', () => {
    const simulation = settled();
    const seen = new Set<string>();
    simulation.afterwards = () => seen.add(JSON.stringify(readinessOf(simulation)));
    const third = claims({ ...claimed, 'node-4': 'c uid-c' });
    const { nodes, configMaps } = simulation.cluster;
    simulation.cluster = {
      ...simulation.cluster,
      nodes: [...nodes, other('c', 'uid-c', '172.30.0.4')],
      configMaps: [third, ...configMaps.slice(1)],
    };
    const before = rowsOf(simulation, 'blue');
    simulation.change('cluster');
    simulation.pass(1000);
    expect(rowsOf(simulation, 'blue')).to.be.greaterThan(before);
    expect([...seen]).to.deep.equal(['{"ready":"1"}']);
  });

  for (const [kind, failure] of [
    [
      'interconnection',
      'InterconnectionFailed: failed: ~ tunnels to chassis of other zones (ovn-is-interconn): refused',
    ],
    ['remote-chassis', 'RemoteChassisFailed: failed: + 1 chassis of another node: refused'],
    ['northbound-row', 'LogicalNetworkFailed: failed: + network cluster_udn_blue in OVN: 16 rows: refused'],
    ['management-port', 'ManagementPortFailed: failed: + management port ovn-k8s-mp1 on br-int: refused'],
    ['remote-port', 'RemotePortFailed: failed: + 1 port of another node on its chassis: refused'],
  ] as const) {
    it(`why it is not ready if ${parts[kind]} cannot be changed, until it is`, () => {
      const simulation = simulate();
      simulation.refuses = (operation) => (isAbout(operation, kind) ? 'refused' : undefined);
      simulation.start();
      simulation.pass(10_000);
      expect(readinessOf(simulation)).to.deep.equal({ ready: undefined, reason: failure });
      simulation.refuses = () => undefined;
      simulation.pass(600_000);
      expect(readinessOf(simulation)).to.deep.equal({ ready: '1', reason: undefined });
    });
  }

  it('that it is not ready any more if it is held', () => {
    const before = settled();
    const [stored, ...rest] = before.cluster.configMaps;
    const two = claims({
      ...stored!.data,
      'network-2': 'cluster_udn_x-y uid-x-y',
      'network-3': 'cluster_udn_x.y uid-x.y',
    });
    const clusterUserDefinedNetworks = [networkOf('blue'), networkOf('x-y'), networkOf('x.y')];
    const simulation = simulate(
      { ...before.cluster, clusterUserDefinedNetworks, configMaps: [two, ...rest] },
      before.node,
    ).start();
    const alike =
      'EntityNamesEqual: OVN gives entities of ClusterUserDefinedNetwork/x-y, ClusterUserDefinedNetwork/x.y the same names, which begin with cluster_udn_x.y_; rename all but one of these networks';
    const { ready, 'not-ready-2': second, 'not-ready-3': third } = reported(simulation) ?? {};
    expect([ready, second, third]).to.deep.equal(['1', alike, alike]);
  });

  it('whether its Services are served, as long as nothing else is known', () => {
    const simulation = settled();
    const services = () => {
      const { 'services-ready': ready, 'services-not-ready-1': reason } = reported(simulation) ?? {};
      return { ready, reason };
    };
    const told = (servedNetworks: NonNullable<Simulation['cluster']['servedNetworks']> | undefined) => {
      const { servedNetworks: _, ...cluster } = simulation.cluster;
      simulation.cluster = { ...cluster, ...(servedNetworks && { servedNetworks }) };
      simulation.change('cluster');
      simulation.pass(1000);
      return services();
    };
    expect(services()).to.deep.equal({ ready: undefined, reason: undefined });
    const networkName = 'cluster_udn_blue';
    const ready = { ready: '1', reason: undefined };
    expect(told([{ networkName }])).to.deep.equal(ready);
    expect(told(undefined)).to.deep.equal(ready);
    const failure = { reason: 'ServicesPending', message: 'blue/web: late' } as const;
    const late = { ready: undefined, reason: 'ServicesPending: blue/web: late' };
    expect(told([{ networkName, failure }])).to.deep.equal(late);
    expect(told([{ networkName: 'cluster_udn_other' }])).to.deep.equal(late);
    expect(told([{ networkName }])).to.deep.equal(ready);
  });

  it('that the default network carries packets of pods past their locks, as long as it does', () => {
    const simulation = settled();
    const { links } = simulation.node;
    const cilium = { name: 'cilium_host', index: 90, kind: 'veth' };
    simulation.node = {
      ...simulation.node,
      links: [...links, ...completeNode({ nodeName: 'a', links: [cilium] }).links],
    };
    simulation.change();
    simulation.pass(1000);
    expect(reported(simulation)).to.include({ ready: '1', 'redirected-by': 'Cilium' });
    simulation.node = { ...simulation.node, links };
    simulation.change();
    simulation.pass(1000);
    expect(reported(simulation)).not.to.have.property('redirected-by');
  });

  it('how long packets of pods through its tunnels may be', () => {
    const simulation = settled();
    const address = { address: '172.30.0.2', prefixLength: 24 };
    const { links } = completeNode({
      nodeName: 'a',
      links: [{ name: 'eth0', index: 91, mtu: 1450, addresses: [address] }],
    });
    const switchExternalIds = { ...simulation.node.switchExternalIds, 'ovn-encap-ip': '172.30.0.2' };
    simulation.node = { ...simulation.node, switchExternalIds, links: [...simulation.node.links, ...links] };
    simulation.change();
    simulation.pass(1000);
    expect(reported(simulation)).to.include({ ready: '1', 'tunnel-mtu': '1392' });
  });

  it('which marks rules of other programs match, if that tells networks apart', () => {
    const simulation = settled();
    const rule = { family: 4, table: 2004, protocol: 'unspec', others: {} } as const;
    const rules = [
      { ...rule, priority: 9, mark: 0x200, markMask: 0xf00 },
      { ...rule, priority: 9, mark: 0x200, markMask: 0xf00, family: 6 } as const,
      { ...rule, priority: 10, mark: 0x1258 },
      { ...rule, priority: 11, mark: 0x1000, markMask: 0x1000 },
      { ...rule, priority: 12, mark: 0xca6c },
      { ...rule, priority: 13, mark: 0x80, markMask: 0x80, table: 255 },
      { ...rule, priority: 14, mark: 0x1bd, others: { not: 'null' } },
      { ...rule, priority: 2000, mark: 0x1007 },
    ];
    simulation.node = { ...simulation.node, rules: [...simulation.node.rules, ...rules] };
    simulation.change();
    simulation.pass(1000);
    expect(reported(simulation)).to.include({ 'foreign-marks': '0x1258,0x200/0xf00' });
  });
});
