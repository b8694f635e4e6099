import { expect } from 'chai';
import { capturedWorld, nameOf, Simulation, type World } from './simulation.ts';

const isPatchPort = ({ externalIds }: { readonly externalIds: Readonly<Record<string, string>> }) =>
  externalIds['ovn-localnet-port'] !== undefined;

describe('the node loop, where the port of a network does not come,', () => {
  let world: World;
  before(async () => {
    world = await capturedWorld();
  });

  /** A node on which ovn-controller adds no port to the bridge of blue. */
  function withoutPort(): Simulation {
    const simulation = new Simulation(world);
    simulation.afterwards = () => {
      const bridges = simulation.node.bridges.map((bridge) =>
        bridge.name === 'br-blue' ? { ...bridge, ports: bridge.ports.filter((port) => !isPatchPort(port)) } : bridge,
      );
      simulation.node = { ...simulation.node, bridges };
    };
    return simulation.start();
  }

  it('programs the other networks, and nothing that names the port', () => {
    const simulation = withoutPort();
    expect(simulation.entry('red')?.ready).to.equal('True');
    expect(simulation.node.flows.filter(({ match }) => match.includes('patch-br-blue'))).to.deep.equal([]);
  });

  it('says so after 30 s', () => {
    const simulation = withoutPort();
    expect(simulation.entry('blue')).to.equal(undefined);
    simulation.pass(31_000);
    expect(simulation.entry('blue')).to.include({ ready: 'False', reason: 'UplinkBridgeMappingFailed' });
    expect(simulation.entry('blue')?.message).to.include('which ovn-controller adds').and.include('30 s');
  });

  it('goes on once the port is there', () => {
    const simulation = withoutPort();
    simulation.pass(31_000);
    simulation.afterwards = () => undefined;
    simulation.node = {
      ...simulation.node,
      northbound: simulation.node.northbound.filter(({ table }) => table !== 'Logical_Switch_Port'),
    };
    simulation.change();
    simulation.pass(61_000);
    expect(simulation.operations.map(nameOf)).to.include('change-flooding');
    expect(simulation.entry('blue')?.ready).to.equal('True');
  });
});
