/** Flows of Services on real bridges, beside those of networks and of other programs. */
import { expect } from 'chai';
import { ExecaPrograms } from '../../src/adapters/execa/execa-programs.ts';
import { readSwitch } from '../../src/adapters/open-vswitch/switch.ts';
import { OfctlFlowTables, USUAL_TIMINGS } from '../../src/adapters/ovs-ofctl-wrapper/ofctl-flow-tables.ts';
import { FLOW_COOKIE, SERVICE_FLOW_COOKIE } from '../../src/domain/basics/conventions.ts';
import type { EntityOperation } from '../../src/domain/entities/operations/operation.ts';
import type { ServiceFlows } from '../../src/ports/node/service-flows.ts';
import { eventually } from '../unit/adapters/processes.ts';
import { valueOf } from '../unit/adapters/readings.ts';
import { OpenVSwitch } from './open-vswitch.ts';

const VIP = 'ct_state=+new+trk,tcp,nw_dst=192.0.2.50,tp_dst=80';

/** A flow of a Service. */
function flowOf(match = VIP, actions = 'output:patch', verb: 'add' | 'remove' = 'add'): EntityOperation<'flow'> {
  const flow = { bridge: 'br-blue', cookie: SERVICE_FLOW_COOKIE, table: 1, priority: 60, match, actions };
  return { verb, networks: [], entity: { kind: 'flow', flow } };
}

describe('flows of Services', () => {
  let openVSwitch: OpenVSwitch;
  let tables: OfctlFlowTables;
  let flows: ServiceFlows;
  let changes: { networks: number; services: number };
  const switches = () => valueOf(readSwitch(openVSwitch.dump(), 'dump'));
  const found = async () => valueOf(await flows.read()).map(({ match, actions }) => `${match} ${actions}`);
  const ofNetworks = async () => valueOf(await tables.read(switches())).flows.map(({ match }) => match);

  beforeEach(async () => {
    openVSwitch = await OpenVSwitch.start();
    openVSwitch.configure(
      'add-br',
      'br-blue',
      '--',
      'add-port',
      'br-blue',
      'patch',
      '--',
      'set',
      'Interface',
      'patch',
      'type=internal',
    );
    tables = new OfctlFlowTables(new ExecaPrograms(openVSwitch.environment), openVSwitch.runDirectory, USUAL_TIMINGS);
    flows = tables.services({ read: () => Promise.resolve(readSwitch(openVSwitch.dump(), 'dump')) });
    changes = { networks: 0, services: 0 };
    tables.onChange(() => (changes.networks += 1));
    flows.onChange(() => (changes.services += 1));
    await tables.read(switches());
    await flows.read();
  });
  afterEach(async () => {
    await tables.close();
    await openVSwitch.stop();
  });

  it('are added, read with the names of ports, and removed, and the loop of the node sees none of it', async () => {
    const before = await ofNetworks();
    expect(await flows.apply([flowOf()])).to.deep.equal({ done: true });
    expect(await found()).to.deep.equal([`${VIP} output:patch`]);
    expect(await ofNetworks()).to.deep.equal(before);
    expect(await flows.apply([flowOf(VIP, 'output:patch', 'remove')])).to.deep.equal({ done: true });
    expect(await found()).to.deep.equal([]);
    expect(changes).to.deep.equal({ networks: 0, services: 0 });
  });

  it('are the same objects as long as they do not change, and are not read again', async () => {
    await flows.apply([flowOf()]);
    const [first] = valueOf(await flows.read());
    const other = VIP.replace('80', '443');
    await flows.apply([flowOf(other)]);
    const second = valueOf(await flows.read());
    expect(second).to.have.length(2);
    expect(second).to.include(first);
  });

  it('that another program changes are reported to their loop alone', async () => {
    await flows.apply([flowOf()]);
    openVSwitch.addFlow('br-blue', `cookie=${SERVICE_FLOW_COOKIE},table=1,priority=60,${VIP},actions=drop`);
    await eventually('their loop is told', () => changes.services > 0);
    expect(await found()).to.deep.equal([`${VIP} drop`]);
    expect(changes.networks).to.equal(0);
  });

  it('do not replace a flow of another program, and say whose it is', async () => {
    openVSwitch.addFlow('br-blue', `cookie=0x5,table=1,priority=60,${VIP},actions=drop`);
    await eventually('it is reported', () => changes.networks > 0);
    const result = await flows.apply([flowOf(), flowOf(VIP.replace('80', '443'))]);
    expect(result.done && result.leftOut?.map(({ error }) => error)).to.deep.equal([
      'would replace a flow that another program has added meanwhile, with cookie 0x5',
    ]);
    expect(await found()).to.deep.equal([`${VIP.replace('80', '443')} output:patch`]);
  });

  it('that the switch refuses, whose port is not there, or whose bridge, are left out, and others are added', async () => {
    const gone = flowOf();
    const elsewhere = { ...gone, entity: { ...gone.entity, flow: { ...gone.entity.flow, bridge: 'br-red' } } };
    const result = await flows.apply([
      flowOf('tcp,tp_dst=99999'),
      flowOf(VIP, 'output:absent'),
      elsewhere,
      flowOf(VIP.replace('80', '443')),
    ]);
    expect(result.done && result.leftOut).to.have.length(3);
    expect(await found()).to.deep.equal([`${VIP.replace('80', '443')} output:patch`]);
  });

  it('stay where those of networks are changed, which stay where they are', async () => {
    await flows.apply([flowOf()]);
    const flow = { bridge: 'br-blue', cookie: FLOW_COOKIE, table: 1, priority: 100, match: 'ip', actions: 'drop' };
    const change = { verb: 'add', networks: [], entity: { kind: 'flow', flow } } as const;
    const [result] = await Promise.all([
      tables.apply(change, switches().bridges),
      flows.apply([flowOf(VIP.replace('80', '443'))]),
    ]);
    expect(result).to.deep.equal({ done: true });
    expect(await found()).to.have.length(2);
    expect(await ofNetworks()).to.include('ip');
  });

  it('are none of a bridge whose switch is gone, and are added once it is back', async () => {
    await flows.apply([flowOf()]);
    await openVSwitch.killSwitch();
    await eventually('there are none', async () => (await found()).length === 0);
    expect(await flows.apply([flowOf()])).to.include({ done: false, isUnavailable: true });
    changes.services = 0;
    await openVSwitch.startSwitch();
    await eventually('their loop is told', () => changes.services > 0);
    await eventually('they are added', async () => (await flows.apply([flowOf()])).done);
    expect(await found()).to.deep.equal([`${VIP} output:patch`]);
  });
});
