import { expect } from 'chai';
import type { NodeSnapshot } from '../../../../src/domain/index.ts';
import { changesOf, type Operation } from '../../../../src/domain/entities/operations/operation.ts';
import { capturedWorld, leftToDo, Simulation } from './simulation.ts';

/** Milliseconds in which a network is to be ready once the cause is gone. */
const SOON = 500;

/** The kinds of entities that need what cannot be reached. */
const cases = [
  {
    what: 'ovs-vswitchd does not run',
    kinds: ['flow', 'no-flood-port', 'fdb-entry'],
    gone: ({ bridges }: NodeSnapshot) => ({
      flows: [],
      fdbEntries: [],
      noFloodPorts: [],
      bridgesWithoutSwitch: bridges.map(({ name }) => name),
    }),
    back: ({ bridgesWithoutSwitch: _, ...node }: NodeSnapshot) => node,
  },
  {
    what: 'the Northbound database does not answer',
    kinds: ['northbound-row', 'open-router-port'],
    gone: () => ({ northbound: [], isNorthboundOutdated: true as const }),
    back: ({ isNorthboundOutdated: _, ...node }: NodeSnapshot) => node,
  },
];

describe('the node loop, after some time in which', () => {
  for (const { what, kinds, gone, back } of cases) {
    it(`${what}, programs what is missing as soon as that has ended`, async () => {
      const simulation = new Simulation(await capturedWorld()).start();
      expect(simulation.entry('blue')?.ready).to.equal('True');
      simulation.node = { ...simulation.node, ...gone(simulation.node) };
      simulation.refuses = (operation) =>
        changesOf(operation).some(({ entity }) => kinds.includes(entity.kind)) ? 'nobody answers' : undefined;
      simulation.change();
      simulation.pass(100_000);
      expect(simulation.entry('blue')?.ready).to.equal('False');

      simulation.refuses = () => undefined;
      simulation.node = back(simulation.node);
      simulation.change();
      simulation.pass(SOON);
      expect(simulation.entry('blue')?.ready).to.equal('True');
    });
  }
});

describe('the node loop, if ovs-vswitchd is restarted while its flows are changed,', () => {
  async function restartedFor(milliseconds: number): Promise<Simulation> {
    const simulation = new Simulation(await capturedWorld()).start();
    const isOfSwitch = (operation: Operation) => changesOf(operation).some(({ entity }) => entity.kind === 'flow');
    const back = simulation.now + milliseconds;
    simulation.node = { ...simulation.node, flows: simulation.node.flows.slice(1) };
    simulation.refuses = (operation) => (isOfSwitch(operation) && simulation.now < back ? 'nobody answers' : undefined);
    simulation.tells = (_, result) => (result.done ? result : { ...result, isUnavailable: true });
    simulation.change();
    return simulation;
  }
  const failures = ({ reports }: Simulation) => reports.filter(({ kind }) => kind === 'failed').length;

  it('reports no failure, and changes them as soon as it is back', async () => {
    const simulation = await restartedFor(3000);
    simulation.pass(2900);
    expect(simulation.entry('blue')?.ready).to.equal('True');
    simulation.pass(SOON);
    expect(leftToDo(simulation)).to.deep.equal([]);
    expect([failures(simulation), simulation.entry('blue')?.ready]).to.deep.equal([0, 'True']);
  });

  it('reports a failure if it is not back after five seconds', async () => {
    const simulation = await restartedFor(60_000);
    simulation.pass(5500);
    expect(simulation.entry('blue')).to.include({ ready: 'False', reason: 'UplinkBridgeMappingFailed' });
    expect(failures(simulation)).to.be.at.least(1);
  });
});

describe('the node loop, if flows of no network cannot be removed,', () => {
  it('retries with backoff', async () => {
    const simulation = new Simulation(await capturedWorld()).start();
    const leftover = { bridge: 'br-left', cookie: '0x75706c6b', table: 0, match: '', actions: 'drop' };
    const flows = [1, 2].map((priority) => ({ ...leftover, priority }));
    simulation.node = { ...simulation.node, flows: [...simulation.node.flows, ...flows] };
    let attempts = 0;
    simulation.refuses = () => {
      attempts += 1;
      return 'nobody answers';
    };
    simulation.change();
    simulation.pass(10_000);
    expect(attempts).to.be.within(2, 10);
  });
});
