import { expect } from 'chai';
import { recorded, reported, rowsOf, settled, simulateOnce } from './registration-scene.ts';

describe('a single pass on a node that provides networks and is not registered yet', () => {
  it('ends once the node is registered, and what may only follow then is programmed', () => {
    const simulation = simulateOnce();
    const events = recorded(simulation);
    simulation.start();
    expect(simulation.finished).to.equal(true);
    expect(events.at(-1)).to.equal('report 1, ready');
    const expected = settled();
    expect(reported(simulation)).to.deep.equal(reported(expected));
    expect(rowsOf(simulation, 'blue')).to.equal(rowsOf(expected, 'blue'));
  });

  it('waits until the registration is observed as stored, however late that is', () => {
    const simulation = simulateOnce();
    simulation.publishesLater = true;
    simulation.start();
    for (let writes = 1; simulation.finished === undefined; writes += 1) {
      expect(writes, 'writes').to.be.lessThan(10);
      simulation.pass(10_000);
      simulation.publishNow();
      simulation.pass(1000);
    }
    expect(simulation.finished).to.equal(true);
    expect(reported(simulation)).to.deep.equal(reported(settled()));
  });

  it('fails if the registration cannot be stored: a single pass does not retry', () => {
    const simulation = simulateOnce();
    simulation.unregistrable = 'cannot be reached';
    simulation.start();
    expect(simulation.finished).to.equal(false);
    expect(simulation.reports.at(-1)).to.deep.equal({
      kind: 'unpublished',
      refused: new Map([['Node/a', 'cannot be reached']]),
    });
    expect(rowsOf(simulation, 'blue')).to.equal(0);
  });
});
