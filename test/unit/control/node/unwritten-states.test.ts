import { expect } from 'chai';
import { capturedWorld, isRuleOfBlue, leftToDo, Simulation, type World } from './simulation.ts';

describe('the node loop, if UplinkStates are written late or not at all,', () => {
  let world: World;
  before(async () => {
    world = await capturedWorld();
  });

  it('corrects a state that was stale when it was written', () => {
    const simulation = new Simulation(world).start();
    expect(simulation.entry('blue')).to.include({ ready: 'True' });
    simulation.publishesLater = true;
    simulation.node = {
      ...simulation.node,
      rules: simulation.node.rules.filter(({ protocol }) => protocol !== '94'),
    };
    simulation.refuses = (operation) => (isRuleOfBlue(operation) ? 'No buffer space' : undefined);
    simulation.change();
    simulation.pass(100);
    simulation.refuses = () => undefined;
    simulation.pass(5000);
    expect(leftToDo(simulation)).to.deep.equal([]);
    simulation.publishesLater = false;
    simulation.publishNow();
    simulation.pass(1000);
    expect(simulation.entry('blue')).to.include({ ready: 'True' });
  });

  it('backs off while nothing can be written', () => {
    const simulation = new Simulation(world);
    simulation.unwritable = 'read-only file system';
    simulation.start();
    simulation.pass(20_000);
    const { observations } = simulation;
    simulation.pass(300_000);
    expect(simulation.observations - observations).to.be.below(30);
    simulation.unwritable = undefined;
    simulation.pass(60_000);
    expect(simulation.entry('blue')).to.include({ ready: 'True' });
  });

  describe('reports it', () => {
    let simulation: Simulation;
    const reports = () => simulation.reports.filter(({ kind }) => kind === 'unpublished').length;
    beforeEach(() => {
      simulation = new Simulation(world);
      simulation.unwritable = 'read-only file system';
      simulation.start();
    });

    it('once for each reason, and again every ten minutes', () => {
      simulation.pass(300_000);
      expect(reports()).to.equal(1);
      simulation.unwritable = 'no space left on device';
      simulation.pass(300_000);
      expect(reports()).to.equal(2);
      simulation.pass(660_000);
      expect(reports()).to.equal(3);
    });

    /** Has the loop want another state. */
    function wantAnother(): void {
      simulation.refuses = (operation) => (isRuleOfBlue(operation) ? 'No buffer space' : undefined);
      simulation.node = { ...simulation.node, rules: [] };
      simulation.change();
      simulation.pass(1000);
    }

    it('again after states were written in between', () => {
      simulation.unwritable = undefined;
      simulation.pass(100_000);
      simulation.unwritable = 'read-only file system';
      wantAnother();
      expect(reports()).to.equal(2);
    });

    it('again after there was nothing to write in between', () => {
      const { cluster } = simulation;
      simulation.cluster = { ...cluster, uplinks: [], clusterUserDefinedNetworks: [] };
      simulation.change('cluster');
      simulation.pass(5000);
      simulation.cluster = cluster;
      simulation.change('cluster');
      simulation.pass(5000);
      expect(reports()).to.equal(2);
    });
  });

  it('reports it after the loop has ended', () => {
    const simulation = new Simulation({ ...world, once: true });
    simulation.unwritable = 'read-only file system';
    simulation.start();
    simulation.pass(1000);
    expect(simulation.reports.map(({ kind }) => kind)).to.include('unpublished');
  });
});
