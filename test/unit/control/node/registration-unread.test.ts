import { expect } from 'chai';
import type { ClusterSnapshot, NodeSnapshot } from '../../../../src/domain/index.ts';
import type { Operation } from '../../../../src/domain/entities/operations/operation.ts';
import { claimed, claims, isAbout, networkOf, other, reported, settled, simulate } from './registration-scene.ts';
import type { Simulation } from './simulation.ts';

describe('a node that provides networks, while OVN’s Northbound database cannot be read', () => {
  /** The node after a restart of its agent meanwhile: its rows are unknown. */
  const withoutNorthbound = ({ node: { isNorthboundRead: _, ...rest } }: Simulation): NodeSnapshot => ({
    ...rest,
    northbound: [],
    isNorthboundOutdated: true,
  });
  const released = { ...claimed, 'network-1': 'cluster_udn_blue uid-blue released', 'node-3': 'b uid-b released' };
  const refusesRows = (operation: Operation) => (isAbout(operation, 'northbound-row') ? 'nobody answers' : undefined);

  it('goes on reporting the networks that it has reported, and no further node as removed', () => {
    const before = settled();
    const gone: ClusterSnapshot = {
      ...before.cluster,
      nodes: [before.cluster.nodes[0]!],
      clusterUserDefinedNetworks: [],
      configMaps: [claims(released), ...before.cluster.configMaps.slice(1)],
    };
    const simulation = simulate(gone, { ...withoutNorthbound(before), chassis: [], remotePorts: [] }).start();
    expect(reported(simulation)).to.deep.equal({ node: 'a', uid: 'uid-a', networks: '1' });
  });

  it('reports networks whose rows cannot be changed as not ready, and as ready once they are', () => {
    const simulation = settled();
    const { node: read } = simulation;
    simulation.node = { ...simulation.node, isNorthboundOutdated: true };
    simulation.refuses = refusesRows;
    simulation.cluster = {
      ...simulation.cluster,
      nodes: [...simulation.cluster.nodes, other('c', 'uid-c', '172.30.0.4')],
      configMaps: [claims({ ...claimed, 'node-4': 'c uid-c' }), ...simulation.cluster.configMaps.slice(1)],
    };
    simulation.change('cluster');
    simulation.pass(10_000);
    expect(reported(simulation)).to.include({ networks: '1' });
    expect(reported(simulation)?.['not-ready-1']).to.match(/^LogicalNetworkFailed: .*nobody answers/);
    expect(reported(simulation)).not.to.have.property('ready');
    simulation.refuses = () => undefined;
    simulation.node = read;
    simulation.change();
    simulation.pass(60_000);
    expect(reported(simulation)).to.deep.equal({ node: 'a', uid: 'uid-a', networks: '1', ready: '1' });
  });

  it('reports new networks, which cannot be programmed, as not ready', () => {
    const before = settled();
    const simulation = simulate(
      {
        ...before.cluster,
        clusterUserDefinedNetworks: [networkOf('blue'), networkOf('red')],
        configMaps: [
          claims({ ...claimed, 'network-2': 'cluster_udn_red uid-red' }),
          ...before.cluster.configMaps.slice(1),
        ],
      },
      { ...before.node, isNorthboundOutdated: true },
    );
    simulation.refuses = refusesRows;
    simulation.start();
    simulation.pass(10_000);
    expect(reported(simulation)).to.include({ networks: '1-2', ready: '1' });
    expect(reported(simulation)?.['not-ready-2']).to.match(/^LogicalNetworkFailed: /);
  });

  it('tells nothing as long as it has no report, or one that says not which ids it uses', () => {
    const before = settled();
    const [stored, report] = before.cluster.configMaps;
    const malformed = { ...report!, data: { ...report!.data, networks: 'all' } };
    for (const configMaps of [[stored!], [stored!, malformed]]) {
      const simulation = simulate({ ...before.cluster, configMaps }, withoutNorthbound(before)).start();
      expect(simulation.registrations).to.deep.equal([]);
    }
  });
});
