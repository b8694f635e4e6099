import { clusterNetworkKey } from '../../../../src/domain/network/key.ts';
import { expect } from 'chai';
import type { BridgeFlow } from '../../../../src/domain/snapshot/datapath.ts';
import { capturedWorld, nameOf, Simulation, type World } from './simulation.ts';

const READ_ONLY =
  'unix:/run/ovn/ovnnb_db.sock: ovsdb-server refused Logical_Router GR_cluster_udn_blue_worker-a: not allowed';
const REFUSED = 'OFPT_ERROR (OF1.4): OFPFMFC_TABLE_FULL';

/** Whether a flow translates what pods of network blue send. */
const isEgressOfBlue = ({ bridge, actions }: BridgeFlow): boolean =>
  bridge === 'br-blue' && actions.includes('nat(src=192.0.2.6)');

describe('a refused part of the datapath of one network', () => {
  let world: World;
  before(async () => {
    world = await capturedWorld();
  });

  const reasonsOf = (simulation: Simulation) => ['blue', 'red'].map((name) => simulation.entry(name)?.reason);

  it('is a gateway router that the Northbound database refuses: the network says so, the other one stays ready', () => {
    const simulation = new Simulation(world);
    simulation.refuses = (operation) =>
      nameOf(operation) === 'change-northbound' && operation.networks.includes(clusterNetworkKey('blue'))
        ? READ_ONLY
        : undefined;
    simulation.start();
    expect(simulation.entry('blue')).to.include({ ready: 'False', reason: 'GatewayRouterFailed' });
    expect(simulation.entry('blue')?.message).to.include(READ_ONLY);
    expect(simulation.entry('red')).to.include({ ready: 'True', reason: 'Ready' });

    simulation.refuses = () => undefined;
    simulation.pass(60_000);
    expect(reasonsOf(simulation)).to.deep.equal(['Ready', 'Ready']);
  });

  it('is a flow that the switch refuses: the network says so, the other one stays ready', () => {
    const simulation = new Simulation(world);
    simulation.leavesOut = (change) =>
      'entity' in change && change.entity.kind === 'flow' && isEgressOfBlue(change.entity.flow) ? REFUSED : undefined;
    simulation.start();
    expect(simulation.entry('blue')).to.include({ ready: 'False', reason: 'UplinkBridgeMappingFailed' });
    expect(simulation.entry('blue')?.message).to.include(REFUSED);
    expect(simulation.entry('red')).to.include({ ready: 'True', reason: 'Ready' });

    simulation.leavesOut = () => undefined;
    simulation.pass(60_000);
    expect(reasonsOf(simulation)).to.deep.equal(['Ready', 'Ready']);
  });
});
