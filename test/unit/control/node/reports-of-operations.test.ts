import { clusterNetworkKey, nameOfNetwork } from '../../../../src/domain/network/key.ts';
import { expect } from 'chai';
import { semanticsOf } from '../../../../src/domain/index.ts';
import { changesOf } from '../../../../src/domain/entities/operations/operation.ts';
import { capturedWorld, nameOf, Simulation, type World } from './simulation.ts';

describe('a report on an operation', () => {
  let world: World;
  before(async () => {
    world = await capturedWorld();
  });

  /** Reports on operations as `KIND NETWORKS on UPLINKS`, each once. */
  function operationReports({ reports }: Simulation): readonly string[] {
    const lines = reports.flatMap((report) =>
      'operation' in report
        ? [`${report.kind} ${report.operation.networks.map(nameOfNetwork).join()} on ${report.uplinks.join()}`]
        : [],
    );
    return [...new Set(lines)];
  }

  it('has the uplinks of its networks, whatever its result', () => {
    const simulation = new Simulation(world).start();
    expect(operationReports(simulation)).to.have.members([
      'applied blue on blue-underlay',
      'applied red on red-underlay',
    ]);
    simulation.refuses = ({ networks }) => (networks.includes(clusterNetworkKey('red')) ? 'No' : undefined);
    const isOurs = ({ protocol, family, type }: { protocol?: string; family: number; type: string }) =>
      protocol === '94' && family === 4 && type === 'unreachable';
    simulation.node = { ...simulation.node, routes: simulation.node.routes.filter((route) => !isOurs(route)) };
    simulation.change();
    simulation.pass(1000);
    expect(operationReports(simulation)).to.include.members([
      'drift blue on blue-underlay',
      'drift-repaired blue on blue-underlay',
      'drift red on red-underlay',
      'refused red on red-underlay',
      'failed red on red-underlay',
    ]);
  });

  it('distinguishes refused ones that are still planned from superseded ones', () => {
    const simulation = new Simulation(world);
    simulation.meanwhile = (effect) => {
      if (effect.do !== 'apply' || nameOf(effect.operation) !== 'put-back') return;
      const change = semanticsOf(effect.operation).effect(effect.operation, simulation.node);
      if (change.done) simulation.node = change.node;
    };
    simulation.refuses = (operation) => (nameOf(operation) === 'put-back' ? 'File exists' : undefined);
    simulation.start();
    expect(operationReports(simulation)).to.have.members([
      'applied blue on blue-underlay',
      'superseded blue on blue-underlay',
      'applied red on red-underlay',
    ]);
    expect(['blue', 'red'].map((name) => simulation.entry(name)?.reason)).to.deep.equal(['Ready', 'Ready']);
  });

  it('has drift as repaired if another program made a part of the change', () => {
    const simulation = new Simulation(world).start();
    simulation.tells = (operation, result) => {
      const changes = changesOf(operation);
      if (nameOf(operation) !== 'change-flows' || changes.length === 1) return result;
      return { done: true, leftOut: changes.slice(0, 1).map((change) => ({ change, error: 'added meanwhile' })) };
    };
    simulation.node = { ...simulation.node, flows: [] };
    simulation.change();
    simulation.pass(1000);
    const flowReports = simulation.reports.flatMap((report) =>
      'operation' in report &&
      nameOf(report.operation) === 'change-flows' &&
      report.operation.networks.includes(clusterNetworkKey('blue'))
        ? [[report.kind, changesOf(report.operation).length] as const]
        : [],
    );
    const [, number] = flowReports.find(([kind]) => kind === 'drift')!;
    expect(flowReports).to.deep.include.members([
      ['drift-repaired', number - 1],
      ['superseded', 1],
    ]);
  });

  it('has no uplink for a network that is removed', () => {
    const simulation = new Simulation(world).start();
    simulation.reports.length = 0;
    simulation.cluster = { ...simulation.cluster, clusterUserDefinedNetworks: [] };
    simulation.change('cluster');
    simulation.pass(1000);
    expect(operationReports(simulation)).to.include.members(['applied blue on ', 'applied red on ']);
  });
});
