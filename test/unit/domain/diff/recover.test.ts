import { clusterNetworkKey } from '../../../../src/domain/network/key.ts';
import { expect } from 'chai';
import { diffNode, semanticsOf, type NodeSnapshot, type Operation, recover } from '../../../../src/domain/index.ts';
import { undoing } from '../../../../src/domain/diff/recover.ts';
import { defaultBridge, domains, hostInterface, managementPort } from '../dataplane/dataplane-input.ts';
import { carriedOut, dataplane, linesOf, nodeOf, planOf } from './plans.ts';

const own = domains['its own VRF'];
const red = {
  network: clusterNetworkKey('red'),
  networkName: 'cluster_udn_red',
  networkId: 8,
  ownVrf: 'red',
  device: 'br-red',
  bridge: 'br-red',
  domain: { kind: 'own-vrf', vrf: 'red' },
} as const;
const links = [
  hostInterface,
  { name: 'br-red', addresses: [{ address: '198.51.100.6', prefixLength: 24 }] },
  defaultBridge,
  managementPort,
  { name: 'ovn-k8s-mp8', index: 13 },
];
const node = nodeOf({
  links,
  routes: [
    { destination: '10.0.0.0/8', nextHops: [{ device: 'br-blue', gateway: '192.0.2.1' }] },
    { destination: '10.1.0.0/16', nextHops: [{ device: 'br-blue', gateway: '192.0.2.2' }] },
  ],
  sysctls: { 'net.ipv6.conf.br-blue.keep_addr_on_down': '0' },
});
const plan = planOf(node, [dataplane(node, { domain: own }), dataplane(node, red)]);
const operations = diffNode(plan, node);

/** The work that was done up to an operation, that operation, and the work that was still to be done. */
function failedAt(matches: (operation: Operation) => boolean, found = node) {
  const operations = diffNode(planOf(found, [dataplane(found, { domain: own }), dataplane(found, red)]), found);
  const position = operations.findIndex(matches);
  const now = carriedOut(found, operations.slice(0, position));
  const failed = operations[position];
  if (failed === undefined) throw new Error('nothing failed');
  const rest = operations.slice(position + 1);
  return { failed, rest, now, recovery: recover(failed, rest, now) };
}

const nameOf = (operation: Operation) => semanticsOf(operation).name;
const isOf = (network: string) => (operation: Operation) => operation.networks.includes(clusterNetworkKey(network));

describe('the operations that remain after a failure', () => {
  const shared: Operation = {
    verb: 'add',
    networks: [clusterNetworkKey('blue'), clusterNetworkKey('red')],
    entity: { kind: 'sysctl', device: 'd', name: 'n', value: '1' },
  };

  it('are all of other networks, in their order', () => {
    for (const name of ['add-vrf', 'enslave', 'put-back', 'add-route', 'add-rule', 'add-bridge-mapping']) {
      const { rest, recovery } = failedAt((operation) => nameOf(operation) === name && isOf('blue')(operation));
      expect(recovery.proceed, name).to.deep.equal(rest.filter(isOf('red')));
      expect(recovery.waiting, name).to.deep.equal(rest.filter(isOf('blue')));
    }
  });

  it('are those that do not depend on the failed one', () => {
    const { now, recovery } = failedAt((operation) => nameOf(operation) === 'enslave');
    const after = carriedOut(carriedOut(now, recovery.undo), recovery.proceed);
    expect(diffNode(planOf(after, [dataplane(after, red)]), after).filter(isOf('red'))).to.deep.equal([]);
  });

  it('include none that needs what failed, for any network', () => {
    const [failed, forBoth, dependent, independent] = [
      {
        verb: 'add',
        networks: [clusterNetworkKey('blue')],
        entity: { kind: 'vrf', name: 'blue', table: 1012, alias: 'ovn-uplinks:cluster_udn_blue', up: true },
      },
      {
        verb: 'add',
        networks: [clusterNetworkKey('red')],
        entity: { kind: 'membership', device: 'br-red', vrf: 'blue', table: 1012, network: 'cluster_udn_red' },
      },
      {
        verb: 'put-back',
        networks: [clusterNetworkKey('red')],
        device: 'br-red',
        entity: { kind: 'next-hop-object', object: { id: 5, protocol: 'static' } },
      },
      {
        verb: 'replace',
        networks: [clusterNetworkKey('red')],
        entity: { kind: 'vrf', name: 'red', table: 1013, alias: 'ovn-uplinks:cluster_udn_red', up: true },
      },
    ] as const satisfies readonly Operation[];
    const { proceed, waiting } = recover(failed, [forBoth, dependent, independent], node);
    expect(waiting).to.deep.equal([forBoth, dependent]);
    expect(proceed).to.deep.equal([independent]);
  });

  it('include none of a network that shares the operation', () => {
    const { proceed, waiting } = recover(shared, operations, node);
    expect(proceed).to.deep.equal([]);
    expect(waiting).to.deep.equal(operations);
  });

  it('include none that is shared by a waiting network and another one', () => {
    const { failed, rest } = failedAt((operation) => nameOf(operation) === 'add-rule' && isOf('blue')(operation));
    const { proceed, waiting } = recover(failed, [...rest, shared], node);
    expect(waiting).to.include(shared);
    expect(proceed).not.to.be.empty;
    expect(proceed.filter(isOf('blue'))).to.deep.equal([]);
  });
});

describe('an incomplete enslavement of one of two interfaces with next hops in a group', () => {
  const group = [5, 6].map((id) => ({ id, weight: 1 }));
  const shared = nodeOf({
    links,
    nextHopObjects: [
      { id: 5, device: 'br-blue' },
      { id: 6, device: 'br-red' },
      { id: 10, group },
    ],
    routes: [{ destination: '10.0.0.0/8', nextHops: [{ device: 'br-blue' }, { device: 'br-red' }], nextHopObject: 10 }],
    sysctls: { 'net.ipv6.conf.br-blue.keep_addr_on_down': '0' },
  });
  const failedToPutBack = (text: string) =>
    failedAt((operation) => operation.verb === 'put-back' && linesOf([operation])[0]!.includes(text), shared);

  it('restores the group as well, with both next hops', () => {
    const { recovery, now } = failedToPutBack('route 10.0.0.0/8');
    expect(linesOf(recovery.undo)).to.deep.equal([
      '- red release: br-red out of VRF red',
      '+ red put-back: next hop object 6 dev br-red, restored',
      '+ red put-back: next hop object 10 group 5/6, restored',
      '+ red put-back: route 10.0.0.0/8 nhid 10, restored',
    ]);
    expect(() => carriedOut(now, recovery.undo)).not.to.throw();
  });

  it('restores the group as well while the other interface still has its next hop, which it loses later', () => {
    const { recovery, now } = failedToPutBack('next hop object 5');
    expect(linesOf(recovery.undo)).to.deep.equal([
      '- blue release: br-blue out of VRF blue',
      '+ blue put-back: next hop object 5 dev br-blue, restored',
      '+ blue put-back: next hop object 10 group 5/6, restored',
    ]);
    const after = carriedOut(carriedOut(now, recovery.undo), recovery.proceed);
    const next = diffNode(planOf(after, [dataplane(after, { domain: own }), dataplane(after, red)]), after);
    expect(linesOf(next)).to.include('+ blue+red put-back: next hop object 10 group 5/6, restored');
  });

  it('leaves the group to the next plan while the next hop of the other interface is not restored', () => {
    const { now } = failedToPutBack('next hop object 6');
    const undo = undoing('br-blue', { networks: [clusterNetworkKey('blue')], part: 'uplink' }, now);
    expect(linesOf(undo)).to.deep.equal([
      '- blue release: br-blue out of VRF blue',
      '+ blue put-back: next hop object 5 dev br-blue, restored',
    ]);
    expect(() => carriedOut(now, undo)).not.to.throw();
  });
});

describe('an incomplete enslavement', () => {
  it('is undone if an entity cannot be restored', () => {
    const { recovery, now } = failedAt(
      (operation) => operation.verb === 'put-back' && linesOf([operation])[0]!.includes('10.1.0.0'),
    );
    expect(linesOf(recovery.undo)).to.deep.equal([
      '- blue release: br-blue out of VRF blue',
      '+ blue put-back: route 10.0.0.0/8 via 192.0.2.1 dev br-blue, restored',
      '+ blue put-back: route 10.1.0.0/16 via 192.0.2.2 dev br-blue, restored',
    ]);
    const back = carriedOut(now, recovery.undo);
    expect(back.links.find(({ name }) => name === 'br-blue')).not.to.have.property('master');
    const routesOf = ({ routes }: NodeSnapshot) =>
      routes.filter(({ nextHops }) => nextHops.some(({ device }) => device === 'br-blue'));
    expect(routesOf(back)).to.have.deep.members(routesOf(node));
  });

  it('is not one that fails to move a default route of main: the interface stays', () => {
    const enslaved = carriedOut(node, operations);
    const [route] = nodeOf({
      routes: [{ destination: '0.0.0.0/0', protocol: 'dhcp', nextHops: [{ device: 'br-blue', gateway: '192.0.2.1' }] }],
    }).routes;
    const found = { ...enslaved, routes: [...enslaved.routes, ...(route === undefined ? [] : [route])] };
    const { recovery, failed } = failedAt(({ verb }) => verb === 'put-back', found);
    expect(failed).to.include({ verb: 'put-back', moves: true });
    expect(recovery.undo).to.deep.equal([]);
    expect(recovery.waiting.map(nameOf)).to.deep.equal(['take-back']);
  });

  it('is undone even if nothing was restored yet', () => {
    const { recovery } = failedAt(({ verb }) => verb === 'put-back');
    expect(recovery.undo.map(nameOf)).to.deep.equal(['release', 'put-back', 'put-back']);
  });

  it('is not recognised if the interface did not move, or another operation failed', () => {
    for (const name of ['enslave', 'add-route', 'add-vrf', 'add-bridge-mapping']) {
      expect(failedAt((operation) => nameOf(operation) === name).recovery.undo, name).to.deep.equal([]);
    }
    const released: Operation = {
      verb: 'put-back',
      networks: [clusterNetworkKey('blue')],
      device: 'br-blue',
      entity: { kind: 'next-hop-object', object: { id: 5, protocol: 'static' } },
    };
    expect(recover(released, [], node).undo, 'after a release').to.deep.equal([]);
  });

  it('is not recognised if another program enslaved the interface', () => {
    const { failed, rest, now } = failedAt(({ verb }) => verb === 'put-back');
    const unknown = { ...now, ledger: { ...now.ledger, entries: [] } };
    expect(recover(failed, rest, unknown).undo).to.deep.equal([]);
  });

  it('is not recognised for another interface', () => {
    const { failed, rest, now } = failedAt((operation) => nameOf(operation) === 'add-rule' && isOf('red')(operation));
    const other: Operation = {
      verb: 'put-back',
      networks: [clusterNetworkKey('red')],
      device: 'br-other',
      entity: { kind: 'next-hop-object', object: { id: 5, protocol: 'static' } },
    };
    expect(recover(other, [failed, ...rest], now).undo).to.deep.equal([]);
  });
});
