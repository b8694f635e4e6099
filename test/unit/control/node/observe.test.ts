import { expect } from 'chai';
import { observe } from '../../../../src/control/node/observation/observe.ts';
import { NoResources } from '../../../../src/control/no-resources.ts';
import { gatewayRouter, ownHalf } from '../../../contract/northbound-examples.ts';
import { FakeFlowTables } from '../../../fakes/flow-tables.ts';
import { FakeHostNetwork } from '../../../fakes/host-network.ts';
import { FakeKernelSettings } from '../../../fakes/kernel-settings.ts';
import { FakeLedgerStore } from '../../../fakes/ledger-store.ts';
import { FakeSouthbound } from '../../../fakes/southbound.ts';
import { FakeNorthbound } from '../../../fakes/northbound.ts';
import { FakeResourceStore } from '../../../fakes/resource-store.ts';
import { FakeSwitchDatabase } from '../../../fakes/switch-database.ts';
import { uplink } from '../../adapters/manifests/example-objects.ts';
import { inFile } from '../../../../src/ports/input-problem.ts';

function fakes() {
  const resourceStore = new FakeResourceStore();
  resourceStore.put({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'worker-a' } });
  return {
    hostNetwork: new FakeHostNetwork(),
    switchDatabase: new FakeSwitchDatabase(),
    kernelSettings: new FakeKernelSettings({ sysctls: {} }),
    ledgerStore: new FakeLedgerStore(),
    resourceStore,
  };
}

describe('an observation', () => {
  it('reads the node after the cluster', async () => {
    const ports = fakes();
    const { resourceStore } = ports;
    const read = resourceStore.read.bind(resourceStore);
    resourceStore.read = async () => {
      // An administrator prepares the node at the last moment, and then writes the objects.
      await new Promise(setImmediate);
      ports.hostNetwork.addLink('br-blue');
      return await read();
    };
    const observation = await observe(ports, 'worker-a');
    expect(observation).to.have.property('read', true);
    const links = observation.read ? observation.value.node.links.map(({ name }) => name) : [];
    expect(links).to.include('br-blue');
  });

  it('reads the outdated parts, and reuses the others', async () => {
    const ports = fakes();
    const first = await observe(ports, 'worker-a');
    ports.hostNetwork.addLink('eth7');
    ports.switchDatabase.addPort('br-blue', 'eth1');
    const last = first.read ? first.value.parts : undefined;

    const second = await observe(ports, 'worker-a', new Set(['switchDatabase']), last);
    const neighbours = await observe(ports, 'worker-a', new Set(['neighbours']), last);
    const third = await observe(ports, 'worker-a', new Set(['hostNetwork']), last);

    expect(second.read && second.value.node).to.deep.include({ links: last?.hostNetwork.links });
    expect(second.read && second.value.node.bridges).to.have.lengthOf(1);
    expect(neighbours.read && neighbours.value.node).to.deep.equal(first.read && first.value.node);
    expect(third.read && third.value.node.links.map(({ name }) => name)).to.include('eth7');
  });

  it('reads the settings of devices that matter, of another one as soon as an object of the cluster names it', async () => {
    const setting = (device: string) => `net.ipv4.conf.${device}.rp_filter`;
    const names = ['all', 'br-blue', 'veth0'].map(setting);
    const sysctls = Object.fromEntries(names.map((name) => [name, '1']));
    const ports = { ...fakes(), kernelSettings: new FakeKernelSettings({ sysctls }) };
    for (const name of ['br-blue', 'veth0']) ports.hostNetwork.addLink(name);
    const first = await observe(ports, 'worker-a');
    expect(first.read && Object.keys(first.value.node.sysctls)).to.deep.equal([setting('all')]);

    ports.resourceStore.put(uplink('blue'));
    const second = await observe(ports, 'worker-a', new Set(), first.read ? first.value.parts : undefined);
    expect(second.read && Object.keys(second.value.node.sysctls)).to.deep.equal([setting('all'), setting('br-blue')]);

    ports.kernelSettings.change(setting('br-blue'), '2');
    const third = await observe(ports, 'worker-a', new Set(), second.read ? second.value.parts : undefined);
    expect(third.read && third.value.node.sysctls).to.equal(second.read && second.value.node.sysctls);
  });

  it('warns if the Node has no address while there are Uplinks: which interface must stay is unknown', async () => {
    const ports = fakes();
    const paths = async () => {
      const observation = await observe(ports, 'worker-a');
      return observation.read ? observation.value.warnings.map(({ path }) => path) : [];
    };
    expect(await paths()).to.deep.equal([]);
    ports.resourceStore.put(uplink('blue'));
    expect(await paths()).to.deep.equal(['status.addresses']);
    const addresses = [{ type: 'InternalIP', address: '198.51.100.10' }];
    ports.resourceStore.put({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'worker-a' }, status: { addresses } });
    expect(await paths()).to.deep.equal([]);
  });

  it('fails if the cluster lacks the node: with a wrong name every managed entity would be removed', async () => {
    expect(await observe(fakes(), 'worker-a.example.org')).to.deep.equal({
      read: false,
      problems: [
        {
          origin: { kind: 'object', object: 'Node/worker-a.example.org' },
          message:
            'does not exist, so nothing is changed on this node; the Nodes are: worker-a; expected the name of this node (--node)',
        },
      ],
    });
  });

  it('has no objects but the node for a cleanup', async () => {
    const observation = await observe({ ...fakes(), resourceStore: new NoResources('worker-z') }, 'worker-z');
    expect(observation.read && observation.value.cluster.uplinks).to.deep.equal([]);
  });

  it('fails while anything cannot be read, with every problem', async () => {
    const ports = fakes();
    ports.hostNetwork.fail('hung');
    ports.ledgerStore.fail('is a folder');
    expect(await observe(ports, 'worker-a')).to.deep.equal({
      read: false,
      problems: [
        { origin: inFile('ip'), message: 'hung' },
        { origin: inFile('ledger.json'), message: 'is a folder' },
      ],
    });
  });

  it('reuses rows of OVN while they cannot be read, and warns', async () => {
    const northbound = new FakeNorthbound(ownHalf(gatewayRouter('blue')));
    const ports = { ...fakes(), datapath: { flowTables: new FakeFlowTables(), northbound } };
    const first = await observe(ports, 'worker-a');
    expect(first.read && first.value.node.northbound).to.have.lengthOf.above(0);
    northbound.fail('nobody answers');

    const second = await observe(
      ports,
      'worker-a',
      new Set(['northbound']),
      first.read ? first.value.parts : undefined,
    );

    expect(second.read && second.value.node).to.deep.equal(
      first.read && { ...first.value.node, isNorthboundOutdated: true },
    );
    expect(second.read && second.value.warnings).to.deep.equal([
      { origin: inFile('ovnnb_db.sock'), message: 'nobody answers' },
    ]);
  });

  it('reuses chassis while they cannot be read, warns, and reads them as soon as they can be', async () => {
    const southbound = new FakeSouthbound();
    southbound.insert({ name: 'b', hostname: 'worker-b', addresses: ['198.51.100.11'], isRemote: true });
    const northbound = new FakeNorthbound(ownHalf(gatewayRouter('blue')));
    const ports = { ...fakes(), datapath: { flowTables: new FakeFlowTables(), northbound, southbound } };
    const first = await observe(ports, 'worker-a');
    const node = first.read ? first.value.node : undefined;
    expect(node?.chassis.map(({ name }) => name)).to.deep.equal(['b']);
    southbound.setFailure('nobody answers');

    const parts = first.read ? first.value.parts : undefined;
    const second = await observe(ports, 'worker-a', new Set(['southbound']), parts);
    expect(second.read && second.value.node).to.deep.equal({ ...node, isSouthboundOutdated: true });
    expect(second.read && second.value.warnings).to.deep.equal([
      { origin: inFile('ovnsb_db.sock'), message: 'nobody answers' },
    ]);

    southbound.setFailure(undefined);
    const third = await observe(ports, 'worker-a', new Set(), second.read ? second.value.parts : undefined);
    expect(third.read && third.value.node).to.deep.equal(node);
  });

  it('has no rows of OVN before they were read', async () => {
    const northbound = new FakeNorthbound(ownHalf(gatewayRouter('blue')));
    northbound.fail('nobody answers');
    const ports = { ...fakes(), datapath: { flowTables: new FakeFlowTables(), northbound } };
    const observation = await observe(ports, 'worker-a');
    expect(observation.read && observation.value.node).to.deep.include({ northbound: [] });
    expect(observation.read && observation.value.node).not.to.have.property('isNorthboundRead');
  });
});
