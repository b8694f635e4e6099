import { clusterNetworkKey } from '../../../src/domain/network/key.ts';
import { expect } from 'chai';
import { semanticsOf, type NodeSnapshot, type Operation, type Route, type Rule } from '../../../src/domain/index.ts';
import { vrfSignature } from '../../../src/domain/network/names/vrf-signature.ts';
import { applyOperation } from '../../../src/domain/entities/operations/operation-semantics.ts';
import { bridge } from './bridge.ts';
import { ip, ovsVsctl } from './commands.ts';
import type { LabNode, Run } from './node.ts';
import { sharedMachine } from './shared-machine.ts';
import { commandOf, isRefused } from './node-and-model.ts';

const networks = [clusterNetworkKey('blue')];
const networkName = 'cluster_udn_blue';
const rule: Rule = { family: 4, priority: 1999, mark: 0x1007, table: 77, protocol: '94', others: {} };
const blackhole = { id: 7, protocol: 'static', blackhole: true } as const;

function route(more: Partial<Route> = {}): Route {
  const plain = { table: 254, metric: 0, type: 'unicast', protocol: '94', destination: '198.51.99.0/24' };
  return { ...plain, family: more.destination?.includes(':') === true ? 6 : 4, nextHops: [], ...more };
}

const addRoute = (more: Partial<Route>): Operation => ({
  verb: 'add',
  networks,
  entity: { kind: 'route', route: route(more) },
});
const addVrf = (vrf: string, table = 1012): Operation => ({
  verb: 'add',
  networks,
  entity: { kind: 'vrf', name: vrf, table, alias: vrfSignature(networkName), up: true },
});
const enslave = (device: string, vrf: string): Operation => ({
  ...{ verb: 'add', networks, entity: { kind: 'membership', device, vrf, table: 1012, network: networkName } },
});
const via = (gateway: string, device = 'br-blue') => [{ device, gateway }];
const address = (prefixLength: number, more: object = {}) => ({
  ...{ address: '192.0.2.9', prefixLength, scope: 'global', flags: [], ...more },
});
const addAddress = (device: string, more: object = {}): Operation => ({
  ...{ verb: 'add', networks, entity: { kind: 'address', device, address: address(24, more) } },
});
const putBack = (object: { readonly id: number }): Operation => ({
  verb: 'put-back',
  networks,
  device: 'br-blue',
  entity: { kind: 'next-hop-object', object: { protocol: 'static', ...object } },
});

/** Operations with the error of the kernel or of the program. The model has the same error, except for the case of the first letter. */
const refusals: Readonly<Record<string, readonly [Operation, string | readonly [model: string, node: string]]>> = {
  'a VRF with an existing name': [addVrf('corp'), 'File exists'],
  'a VRF with an alternative name of a device': [addVrf('green'), 'File exists'],
  'a VRF with a name that is special in settings': [addVrf('all'), 'Invalid argument'],
  'a VRF with a slash in its name': [addVrf('a/b'), ['no name of a device', 'not a valid ifname']],
  'a VRF with a blank in its name': [addVrf('a b'), ['no name of a device', 'not a valid ifname']],
  'a VRF with a name of 16 characters': [addVrf('n'.repeat(16)), ['no name of a device', 'failed policy validation']],
  'a VRF with table 0': [addVrf('blue', 0), 'Invalid VRF table id'],
  'the deletion of a VRF that does not exist': [
    {
      verb: 'remove',
      networks,
      entity: { kind: 'vrf', name: 'blue', table: 1012, alias: 'ovn-uplinks:cluster_udn_blue', up: true },
    },
    'Cannot find device',
  ],
  'bringing up a VRF that does not exist': [
    {
      verb: 'replace',
      networks,
      entity: { kind: 'vrf', name: 'blue', table: 1012, alias: 'ovn-uplinks:cluster_udn_blue', up: true },
    },
    'Cannot find device',
  ],
  'a signature on a VRF that does not exist': [
    { verb: 'replace', networks, entity: { kind: 'vrf', name: 'blue', alias: 'ovn-uplinks:x', table: 1012, up: true } },
    'Cannot find device',
  ],
  'enslaving an interface that does not exist': [enslave('br-none', 'corp'), 'Cannot find device'],
  'enslaving to a VRF that does not exist': [enslave('br-blue', 'blue'), 'Device does not exist'],
  'enslaving to a device that is not a VRF': [enslave('br-blue', 'down0'), 'Operation not supported'],
  'enslaving a VRF to a VRF': [enslave('corp', 'other'), 'Can not enslave an L3 master device to a VRF'],
  'enslaving the loopback device to a VRF': [enslave('lo', 'corp'), 'Can not enslave loopback device to a VRF'],
  'releasing an interface that does not exist': [
    {
      verb: 'remove',
      networks,
      entity: { kind: 'membership', device: 'br-none', vrf: 'corp', table: 1012, network: 'cluster_udn_blue' },
    },
    'Cannot find device',
  ],
  'a route with an existing key': [
    addRoute({ destination: '198.51.101.0/24', nextHops: via('192.0.2.1') }),
    'File exists',
  ],
  'an IPv6 route with an existing key': [
    addRoute({ destination: '2001:db8:1::/48', metric: 1024, nextHops: via('2001:db8:b::1') }),
    'File exists',
  ],
  'a route via an unreachable gateway': [addRoute({ nextHops: via('203.0.113.1') }), 'Nexthop has invalid gateway'],
  'an IPv6 route via an unreachable gateway': [
    addRoute({ destination: '2001:db8:2::/48', metric: 1024, nextHops: via('2001:db8:c::1') }),
    'No route to host',
  ],
  'an IPv6 route via an address of the node': [
    addRoute({ destination: '2001:db8:2::/48', metric: 1024, nextHops: via('2001:db8:b::6') }),
    'Gateway can not be a local address',
  ],
  'a route through a device that does not exist': [
    addRoute({ nextHops: via('192.0.2.1', 'br-none') }),
    'Cannot find device',
  ],
  'a route through a device that is down': [addRoute({ nextHops: [{ device: 'down0' }] }), 'is not up'],
  'a route whose source is not an address of the node': [
    addRoute({ nextHops: via('192.0.2.1'), preferredSource: '192.0.2.99' }),
    'Invalid prefsrc address',
  ],
  'an IPv6 route whose source is not an address of the node': [
    addRoute({
      destination: '2001:db8:2::/48',
      metric: 1024,
      nextHops: via('2001:db8:b::1'),
      preferredSource: '2001:db8:b::99',
    }),
    'Invalid source address',
  ],
  'a route with host bits in its destination': [
    addRoute({ destination: '198.51.99.1/24', nextHops: via('192.0.2.1') }),
    'Invalid prefix for given prefix length',
  ],
  'a route with a next hop object that does not exist': [addRoute({ nextHopObject: 99 }), 'Nexthop id does not exist'],
  'the deletion of a route that does not exist': [
    { verb: 'remove', networks, entity: { kind: 'route', route: route({ nextHops: via('192.0.2.1') }) } },
    'No such process',
  ],
  'the deletion of an IPv6 route that does not exist': [
    {
      verb: 'remove',
      networks,
      entity: {
        kind: 'route',
        route: route({ destination: '2001:db8:2::/48', metric: 1024, nextHops: via('2001:db8:b::1') }),
      },
    },
    'No such process',
  ],
  'an existing rule': [{ verb: 'add', networks, entity: { kind: 'rule', rule } }, 'File exists'],
  'the deletion of a rule that does not exist': [
    { verb: 'remove', networks, entity: { kind: 'rule', rule: { ...rule, family: 6 } } },
    'No such file or directory',
  ],
  'an address on a device that does not exist': [addAddress('br-none'), 'Cannot find device'],
  'an existing address': [addAddress('br-blue', { address: '192.0.2.6' }), 'File exists'],
  'an existing IPv6 address with another prefix length': [
    addAddress('br-blue', { address: '2001:db8:b::6', prefixLength: 128 }),
    'File exists',
  ],
  'an address that is preferred for longer than it is valid': [
    addAddress('br-blue', { validSeconds: 10, preferredSeconds: 20 }),
    ['Invalid lifetime', 'preferred_lft is greater than valid_lft'],
  ],
  'the deletion of an address that does not exist': [
    { verb: 'remove', networks, entity: { kind: 'address', device: 'br-blue', address: address(24) } },
    'Cannot assign requested address',
  ],
  'the deletion of an address with another prefix length': [
    {
      verb: 'remove',
      networks,
      entity: { kind: 'address', device: 'br-blue', address: address(25, { address: '192.0.2.6' }) },
    },
    'Cannot assign requested address',
  ],
  'a setting of a device that does not exist': [
    {
      verb: 'add',
      networks,
      entity: { kind: 'sysctl', device: 'br-none', name: 'net.ipv4.conf.br-none.rp_filter', value: '2' },
    },
    'No such file or directory',
  ],
  'a setting with a value of more than 32 bits': [
    {
      verb: 'add',
      networks,
      entity: { kind: 'sysctl', device: 'br-blue', name: 'net.ipv4.conf.br-blue.rp_filter', value: '2147483648' },
    },
    'Invalid argument',
  ],
  'a neighbour on a device that does not exist': [
    {
      verb: 'add',
      networks,
      entity: {
        kind: 'neighbour',
        neighbour: { device: 'br-none', address: '192.0.2.1', macAddress: '02:00:00:00:00:01', states: ['permanent'] },
      },
    },
    'Cannot find device',
  ],
  'the deletion of a neighbour that does not exist': [
    {
      verb: 'remove',
      networks,
      entity: { kind: 'neighbour', neighbour: { device: 'br-blue', address: '192.0.2.77', states: ['permanent'] } },
    },
    'No such file or directory',
  ],
  'a next hop object on a device that is down': [
    putBack({ ...{ id: 8, device: 'down0', family: 4 } }),
    'Nexthop device is not up',
  ],
  'a next hop object via an unreachable gateway': [
    putBack({ ...{ id: 8, device: 'br-blue', gateway: '203.0.113.1', family: 4 } }),
    'Nexthop has invalid gateway',
  ],
  'a group of next hops with a member that does not exist': [
    putBack({ ...{ id: 8, group: [{ id: 99, weight: 1 }] } }),
    'Invalid nexthop id',
  ],
  'a next hop object with the id of a group': [
    putBack({ ...{ ...blackhole, id: 9 } }),
    'Can not replace a nexthop group with a nexthop',
  ],
};

describe('the node model and a real node refuse', () => {
  let node: LabNode;
  let snapshot: NodeSnapshot;
  let runs: ReadonlyMap<string, Run>;

  before(async () => {
    node = await (await sharedMachine()).node('refusals');
    await node.does(
      ...bridge('br-blue', { addresses: ['192.0.2.6/24', '2001:db8:b::6/64'], physicalPort: 'eth1' }),
      ip`link add down0 type dummy`,
      ip`link property add dev down0 altname green`,
      ip`link add corp up type vrf table 500`,
      ip`link add other up type vrf table 501`,
      ip`route add 198.51.101.0/24 via 192.0.2.1 dev br-blue`,
      ip`route add 2001:db8:1::/48 via 2001:db8:b::1 dev br-blue metric 1024`,
      ip`rule add fwmark 0x1007 lookup 77 pref 1999 protocol 94`,
      ip`nexthop add id 7 blackhole`,
      ip`nexthop add id 9 group 7`,
    );
    snapshot = await node.snapshot();
    const done = await node.runAll(Object.values(refusals).map(([operation]) => commandOf(operation, snapshot)));
    runs = new Map(Object.keys(refusals).map((what, index) => [what, done[index]!]));
  });
  after(() => node.end());

  for (const [what, [operation, reason]] of Object.entries(refusals)) {
    it(what, () => {
      const [modelReason, nodeReason] = typeof reason === 'string' ? [reason, reason] : reason;
      const run = runs.get(what)!;
      expect(isRefused(run, commandOf(operation, snapshot)), run.stdout).to.be.true;
      expect(run.stderr.toLowerCase()).to.include(nodeReason.toLowerCase());
      const change = semanticsOf(operation).effect(operation, snapshot);
      expect(change.done ? 'done' : change.refusal.toLowerCase()).to.include(modelReason.toLowerCase());
    });
  }

  it('the deletion of a VRF with an enslaved interface: only the model', async () => {
    await node.does(ip`link set br-blue master corp`, ip`link set corp alias ovn-uplinks:${networkName}`);
    const operation: Operation = {
      verb: 'remove',
      networks,
      entity: { kind: 'vrf', name: 'corp', table: 1012, alias: 'ovn-uplinks:cluster_udn_blue', up: true },
    };
    const change = applyOperation(operation, await node.snapshot());
    expect(change.done ? 'done' : change.refusal).to.equal('br-blue is still in VRF corp');
    await node.does(commandOf(operation, snapshot));
  });
});

describe('an operation planned before another program changed the external_ids', () => {
  let node: LabNode;

  before(async () => {
    node = await (await sharedMachine()).node('refusals');
    await node.does(ovsVsctl`set Open_vSwitch . external_ids:ovn-bridge-mappings=physnet:br-ex`);
  });
  after(() => node.end());

  // The model applies each operation to the node for which it was planned, so only the real node refuses it.
  for (const verb of ['add', 'remove'] as const) {
    it(`changes nothing on a real node, and succeeds after it is planned again: ${verb} a bridge mapping`, async () => {
      const mapping: Operation = {
        verb,
        networks,
        entity: { kind: 'bridge-mapping', networkName, bridge: 'br-blue' },
      };
      const planned = await node.snapshot();
      await node.does(ovsVsctl`set Open_vSwitch . external_ids:hostname=${`before-${verb}`}`);
      const found = await node.snapshot();

      const stale = commandOf(mapping, planned);
      const run = await node.run(stale);
      expect([isRefused(run, stale), run.stdout.includes('timed out')]).to.deep.equal([true, true]);
      expect((await node.snapshot()).switchExternalIds).to.deep.equal(found.switchExternalIds);

      await node.does(commandOf(mapping, found));
      const change = applyOperation(mapping, found);
      const model = change.done ? change.node.switchExternalIds : change.refusal;
      expect((await node.snapshot()).switchExternalIds).to.deep.equal(model);
      expect(model).to.not.deep.equal(found.switchExternalIds);
    });
  }
});
