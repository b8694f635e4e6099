import { clusterNetworkKey } from '../../../../src/domain/network/key.ts';
import { expect } from 'chai';
import { semanticsOf, type Operation } from '../../../../src/domain/index.ts';
import type { NorthboundOperation } from '../../../../src/domain/entities/operations/northbound-changes.ts';
import { changesOf } from '../../../../src/domain/entities/operations/operation.ts';
import { unconfirmedAfter, withUnconfirmed } from '../../../../src/domain/entities/operations/unconfirmed-rows.ts';
import { isAbout, reported, settled, simulate } from './registration-scene.ts';
import { capturedWorld, leftToDo, nameOf, Simulation } from './simulation.ts';

const UNCONFIRMED = 'ovn-controller did not confirm the change';

/** Has OVN not confirm the operations of a kind, as its adapter reads and reports that. */
function leaveUnconfirmed(simulation: Simulation, isMeant: (operation: Operation) => boolean): void {
  simulation.tells = (operation, result) => {
    if (!isMeant(operation)) return result;
    // The compiler cannot infer that these are operations on rows.
    const keys = unconfirmedAfter(operation as NorthboundOperation, false, new Map());
    simulation.node = { ...simulation.node, northbound: withUnconfirmed(simulation.node.northbound, keys) };
    return { done: false, error: UNCONFIRMED };
  };
}

const confirmAll = (simulation: Simulation): void => {
  simulation.tells = (_, result) => result;
};

const isOpeningOfBlue = (operation: Operation) =>
  nameOf(operation) === 'change-router-ports' && operation.networks.includes(clusterNetworkKey('blue'));
const isOnNorthbound = (operation: Operation) => semanticsOf(operation).port === 'northbound';
const isRemoval = (operation: Operation) => changesOf(operation).some(({ verb }) => verb === 'remove');

describe('a network whose change OVN has not confirmed', () => {
  it('is not ready though everything is made, until the change is confirmed', async () => {
    const simulation = new Simulation(await capturedWorld());
    leaveUnconfirmed(simulation, isOpeningOfBlue);
    simulation.start();
    const expected = { ready: 'False', reason: 'GatewayRouterFailed' };
    for (let minutes = 0; minutes < 3; minutes += 1) {
      expect(simulation.entry('blue')).to.include(expected);
      expect(simulation.entry('blue')?.message).to.include(UNCONFIRMED);
      expect(simulation.entry('red')).to.include({ ready: 'True' });
      simulation.pass(60_000);
    }
    confirmAll(simulation);
    simulation.pass(60_000);
    expect(simulation.entry('blue')).to.include({ ready: 'True' });
    expect(simulation.operations.filter((each) => isOnNorthbound(each) && isRemoval(each))).to.deep.equal([]);
    expect(simulation.reports.filter(({ kind }) => kind === 'drift')).to.deep.equal([]);
    expect(leftToDo(simulation)).to.deep.equal([]);
  });

  it('is reported as not ready where it is provided, until the change is confirmed', () => {
    const simulation = simulate();
    leaveUnconfirmed(simulation, (operation) => isAbout(operation, 'northbound-row'));
    simulation.start();
    simulation.pass(60_000);
    expect(reported(simulation)).not.to.have.property('ready');
    expect(reported(simulation)?.['not-ready-1']).to.match(
      /^LogicalNetworkFailed: failed: ~ network cluster_udn_blue in OVN: \d+ rows: ovn-controller did not confirm the change$/,
    );
    confirmAll(simulation);
    simulation.pass(60_000);
    expect(reported(simulation)).to.include({ ready: '1' }).and.not.to.have.property('not-ready-1');
  });

  it('is not ready while the binding of a port of another node is not confirmed', () => {
    const simulation = simulate();
    simulation.tells = (operation, result) => {
      if (!isAbout(operation, 'remote-port')) return result;
      const remotePorts = simulation.node.remotePorts.map((port) => ({ ...port, isUnconfirmed: true as const }));
      simulation.node = { ...simulation.node, remotePorts };
      return { done: false, error: UNCONFIRMED };
    };
    simulation.start();
    for (let minutes = 0; minutes < 3; minutes += 1) {
      expect(reported(simulation)).not.to.have.property('ready');
      expect(reported(simulation)?.['not-ready-1']).to.include(UNCONFIRMED);
      simulation.pass(60_000);
    }
    confirmAll(simulation);
    simulation.pass(60_000);
    expect(reported(simulation)).to.include({ ready: '1' }).and.not.to.have.property('not-ready-1');
  });

  it('is removed like any other, its gateway router closed first', async () => {
    const simulation = new Simulation(await capturedWorld());
    leaveUnconfirmed(simulation, isOpeningOfBlue);
    simulation.start();
    confirmAll(simulation);
    const before = simulation.operations.length;
    simulation.cluster = { ...simulation.cluster, clusterUserDefinedNetworks: [] };
    simulation.change('cluster');
    simulation.pass(60_000);
    const ofBlue = simulation.operations
      .slice(before)
      .filter(({ networks }) => networks.includes(clusterNetworkKey('blue')));
    expect(ofBlue.filter(isOnNorthbound).map(nameOf)).to.deep.equal(['change-router-ports', 'change-northbound']);
    expect(leftToDo(simulation)).to.deep.equal([]);
  });

  it('is ready as soon as all of its rows are confirmed', () => {
    const simulation = settled();
    const keys = new Map(simulation.node.northbound.map(({ table, name }) => [`${table} ${name}`, 1]));
    simulation.node = { ...simulation.node, northbound: withUnconfirmed(simulation.node.northbound, keys) };
    simulation.change();
    simulation.pass(1000);
    expect(reported(simulation)).to.include({ ready: '1' });
    expect(simulation.node.northbound.some(({ isUnconfirmed }) => isUnconfirmed)).to.equal(false);
  });
});
