/** Networks that leave by their node, from one plan to the next. */
import { expect } from 'chai';
import { egressFilter } from '../../../../../src/domain/datapath/nftables/egress-filter.ts';
import { inOrder } from '../../../../../src/domain/diff/order-operations.ts';
import type { FilterTable } from '../../../../../src/domain/snapshot/datapath.ts';
import { type NodeSnapshot, type Operation, semanticsOf } from '../../../../../src/domain/index.ts';
import { type Convergence, converge, engine } from '../../../../../src/testing/index.ts';
import { caseOf } from '../../../../scenarios/folder-texts.ts';
import { nodeInput } from '../../../../../src/domain/plan/node-input.ts';
import { providedOnNode } from '../../../../../src/domain/plan/networks/provided-on-node.ts';
import { allParts } from '../../../../../src/domain/plan/parts/parts.ts';
import { operationLine } from '../../../../scenarios/golden.ts';

const NODE = `
nodeName: a
switchExternalIds: { system-id: chassis-a, ovn-encap-ip: 192.0.2.11 }
isNorthboundRead: true
bridges: [ { name: br-int }, { name: br-blue, ports: [ { name: eth1 } ] } ]
sysctls: { net.ipv4.conf.default.forwarding: "1", net.ipv4.conf.all.forwarding: "1" }
links:
  - { name: eth0, addresses: [ { address: 192.0.2.11, prefixLength: 24 } ] }
  - { name: eth1 }
  - { name: br-blue, macAddress: 0a:00:00:00:00:06, addresses: [ { address: 198.51.100.6, prefixLength: 24 } ] }
  - { name: br-ex, addresses: [ { address: 169.254.0.2, prefixLength: 17 } ] }
routes:
  - { destination: 0.0.0.0/0, nextHops: [ { device: eth0, gateway: 192.0.2.1 } ] }
  - { destination: 0.0.0.0/0, metric: 100, nextHops: [ { device: br-blue, gateway: 198.51.100.1 } ] }
kernelRoutes: true
`;

/** The cluster, as far as a test says. */
interface Said {
  readonly networks?: readonly string[];
  /** Networks whose ids are claimed. */
  readonly claimed?: readonly string[];
  /** Networks with an uplink. */
  readonly onUplink?: readonly string[];
  readonly nodeAddresses?: readonly string[];
  readonly clusterCidrs?: readonly string[];
}

const ids = ['blue', 'red'];

function situationOf({
  networks = ids,
  claimed = ids,
  onUplink = [],
  nodeAddresses = ['192.0.2.11'],
  clusterCidrs = ['10.244.0.0/16'],
}: Said = {}) {
  const network = (name: string) => ({
    name,
    uid: `uid-${name}`,
    subnets: [`10.${20 + ids.indexOf(name)}.0.0/16`],
    ...(onUplink.includes(name) && { uplinks: ['corp'] }),
  });
  const claims = claimed.map((name) => [`network-${ids.indexOf(name) + 1}`, `cluster_udn_${name} uid-${name}`]);
  const annotations = {
    'k8s.ovn.org/node-id': '2',
    'k8s.ovn.org/node-chassis-id': 'chassis-a',
    'ovn-uplinks/node-report': 'ovn-uplinks-node-a',
  };
  const addresses = nodeAddresses.map((address) => ({ type: 'InternalIP', address }));
  const report = { node: 'a', uid: 'uid-a', networks: '1-2' };
  const cluster = {
    uplinks: [{ name: 'corp', hostInterfaceName: 'br-blue' }],
    clusterUserDefinedNetworks: networks.map(network),
    nodes: [{ name: 'a', uid: 'uid-a', status: { addresses }, annotations }],
    configMaps: [
      { name: 'ovn-uplinks-ids', data: { ...(Object.fromEntries(claims) as object), 'node-2': 'a uid-a' } },
      { name: 'ovn-uplinks-node-a', labels: { 'ovn-uplinks/ids': 'a' }, data: report },
    ],
  };
  const settings = { ovn: true, providedNetworks: 'all', egress: 'node', clusterCidrs };
  return caseOf({
    'cluster.yaml': JSON.stringify(cluster),
    'settings.yaml': JSON.stringify(settings),
    'node.yaml': NODE,
  });
}

/** Programs a node for a cluster. @param node as it is; by default without anything of ovn-uplinks */
function programmed(said: Said = {}, node?: NodeSnapshot): Convergence {
  const { cluster, nodes, settings } = situationOf(said);
  return converge(engine, '2 converges', { cluster, settings }, node ?? nodes[0]!);
}

/** The filter of a node. */
function filterOn({ filterTables }: NodeSnapshot): FilterTable | undefined {
  return filterTables.find(({ name }) => name === egressFilter.table.name);
}

const setsOn = (node: NodeSnapshot) => filterOn(node)?.sets ?? {};

/** The places of operations among others, by the beginning of their lines without marks and networks. */
function placesOf(operations: readonly Operation[], beginnings: readonly string[]): readonly number[] {
  const lines = operations.map((operation) => operationLine(operation).split(' ').slice(2).join(' '));
  return beginnings.map((beginning) => {
    const place = lines.findIndex((line) => line.startsWith(beginning));
    expect(place, `${beginning} in ${lines.join('\n')}`).not.to.equal(-1);
    return place;
  });
}

/** Expects operations in an order that does not depend on the one in which they are found. */
function expectInOrder({ operations }: Convergence, ...beginnings: readonly string[]): void {
  for (const ordered of [operations, inOrder(operations.toReversed())]) {
    const places = placesOf(ordered, beginnings);
    expect(places).to.deep.equal(places.toSorted((left, right) => left - right));
  }
}

const ofBlue = ['blue . 169.254.0.12', 'ovn-k8s-mp1 . 169.254.0.12'];
const ofRed = ['ovn-k8s-mp2 . 169.254.0.14', 'red . 169.254.0.14'];

describe('the filter of networks that leave by their node', () => {
  it('has those that are let out, and changes before the rules of another one', () => {
    const one = programmed({ networks: ['red'] });
    expect(setsOn(one.node)).to.deep.include({ ports: ['ovn-k8s-mp2', 'red'], owners4: ofRed });
    const two = programmed({}, one.node);
    expect(setsOn(two.node)).to.deep.include({ owners4: [...ofBlue, ...ofRed] });
    expectInOrder(two, 'change-filter-table', 'add-rule');
  });

  it('loses one that is gone after the rules of that', () => {
    const { node } = programmed();
    const after = programmed({ networks: ['blue'] }, node);
    expect(setsOn(after.node)).to.deep.include({
      ports: ['blue', 'ovn-k8s-mp1'],
      sources4: ['169.254.0.12'],
      owners4: ofBlue,
    });
    expectInOrder(after, 'delete-rule', 'change-filter-table');
  });

  it('loses one and has another in one change, between the rules of both', () => {
    const { node } = programmed({ networks: ['blue'] });
    const after = programmed({ networks: ['red'] }, node);
    expect(setsOn(after.node)).to.deep.include({ ports: ['ovn-k8s-mp2', 'red'], owners4: ofRed });
    expectInOrder(after, 'delete-rule 4 998', 'change-filter-table', 'add-rule 4 998');
  });

  it('goes with the last one, after the rules of that', () => {
    const after = programmed({ networks: [] }, programmed().node);
    expect(filterOn(after.node)).to.equal(undefined);
    expectInOrder(after, 'delete-rule', 'delete-filter-table');
  });

  it('keeps one that is held beside one that is gone', () => {
    const { node } = programmed();
    const after = programmed({ networks: ['blue'], claimed: [] }, node);
    expect(after.plan.zones?.map(({ failure }) => failure !== undefined)).to.deep.equal([true]);
    expect(setsOn(after.node)).to.deep.include({ ports: ['blue', 'ovn-k8s-mp1'], owners4: ofBlue });
    expectInOrder(after, 'delete-rule', 'change-filter-table');
  });

  it('is made again for those that are held where another program has removed it, also beside others', () => {
    const { node } = programmed();
    const without = { ...node, filterTables: [] };
    for (const claimed of [[], ['red']]) {
      const after = programmed({ claimed }, without);
      expect(after.operations.map((operation) => semanticsOf(operation).name)).to.deep.equal(['add-filter-table']);
      expect(filterOn(after.node)).to.deep.equal(filterOn(node));
    }
  });

  it('keeps one that is held beside one that stays', () => {
    const { node } = programmed();
    const after = programmed({ claimed: ['red'] }, node);
    expect(after.operations).to.deep.equal([]);
    expect(filterOn(after.node)).to.deep.equal(filterOn(node));
  });

  it('keeps one that is held beside one that comes', () => {
    const { node } = programmed({ networks: ['blue'] });
    const after = programmed({ claimed: ['red'] }, node);
    expect(setsOn(after.node)).to.deep.include({
      ports: ['blue', 'ovn-k8s-mp1', 'ovn-k8s-mp2', 'red'],
      sources4: ['169.254.0.12', '169.254.0.14'],
      owners4: [...ofBlue, ...ofRed],
    });
    expectInOrder(after, 'change-filter-table', 'add-rule');
  });

  it('has no network that was held once it is gone', () => {
    const { node } = programmed();
    const held = programmed({ claimed: ['red'] }, node);
    const after = programmed({ networks: ['red'] }, held.node);
    expect(setsOn(after.node)).to.deep.include({ ports: ['ovn-k8s-mp2', 'red'], owners4: ofRed });
  });

  it('stays the same where nothing changes', () => {
    const { node } = programmed();
    expect(programmed({}, node).operations).to.deep.equal([]);
  });
});

describe('the filter where nobody says which subnets the default network has', () => {
  it('denies what it has denied, and lets those out that were', () => {
    const { node } = programmed();
    const after = programmed({ clusterCidrs: [] }, node);
    expect(after.plan.zones?.map(({ egressFailure }) => egressFailure?.cause)).to.deep.equal([
      'cluster-subnets-unknown',
      'cluster-subnets-unknown',
    ]);
    expect(after.operations).to.deep.equal([]);
    expect(setsOn(after.node)['denied4']).to.include('10.244.0.0/16');
  });

  it('denies further destinations, and nothing twice: nft refuses elements that overlap', () => {
    const { node } = programmed({ nodeAddresses: ['192.0.2.11', '198.18.0.1'] });
    const after = programmed({ clusterCidrs: [], nodeAddresses: ['192.0.2.11', '192.0.2.12', '10.244.3.4'] }, node);
    const { denied4 = [] } = setsOn(after.node);
    expect(denied4).to.include.members(['10.244.0.0/16', '192.0.2.11', '192.0.2.12', '198.18.0.1']);
    expect(denied4).not.to.include('10.244.3.4');
  });

  it('denies only what is to be denied once somebody says it again', () => {
    const { node } = programmed();
    const unknown = programmed({ clusterCidrs: [] }, node);
    const after = programmed({ clusterCidrs: ['10.128.0.0/14'] }, unknown.node);
    const { denied4 = [] } = setsOn(after.node);
    expect(denied4).to.include('10.128.0.0/14').and.not.to.include('10.244.0.0/16');
  });

  it('is not made, and no network is let out', () => {
    const { node } = programmed({ clusterCidrs: [] });
    expect(filterOn(node)).to.equal(undefined);
    expect(node.rules.filter(({ protocol }) => protocol === '94')).to.deep.equal([]);
  });

  it('has no network that comes later', () => {
    const { node } = programmed({ networks: ['blue'] });
    const after = programmed({ clusterCidrs: [] }, node);
    expect(setsOn(after.node)).to.deep.include({ ports: ['blue', 'ovn-k8s-mp1'], owners4: ofBlue });
  });
});

describe('a network that leaves by its node and then by an uplink', () => {
  const names = ['rtos-cluster_udn_red_a-chassis-a', 'cluster_udn_red_ovn_cluster_router dst-ip 0.0.0.0/0 10.21.0.2'];
  const rowsOn = ({ northbound }: NodeSnapshot) =>
    northbound.map(({ name }) => name).filter((name) => names.includes(name));
  const addressesOn = ({ rules }: NodeSnapshot) =>
    rules.filter(({ protocol, mark }) => protocol === '94' && mark === undefined).map(({ others }) => others);

  it('has its rules, then its elements removed, and nothing of the other way left', () => {
    const { node } = programmed();
    const after = programmed({ onUplink: ['red'] }, node);
    expect(after.plan.networks.map(({ network, failure }) => [network, failure])).to.deep.equal([['red', undefined]]);
    expectInOrder(after, 'delete-rule 4 998', 'change-filter-table');
    expect(setsOn(after.node)).to.deep.include({ owners4: ofBlue });
    expect(rowsOn(after.node)).to.deep.equal([]);
    expect(addressesOn(after.node)).to.have.length(2);
    expect(after.node.sysctls['net.ipv4.conf.ovn-k8s-mp2.forwarding']).to.equal('0');
  });

  it('has the filter removed where it was the last one', () => {
    const { node } = programmed({ networks: ['red'] });
    const after = programmed({ networks: ['red'], onUplink: ['red'] }, node);
    expectInOrder(after, 'delete-rule 4 998', 'delete-filter-table');
    expect(filterOn(after.node)).to.equal(undefined);
  });

  it('has everything again once it leaves by its node, its elements before its rules', () => {
    const first = programmed();
    const between = programmed({ onUplink: ['red'] }, first.node);
    const after = programmed({}, between.node);
    expectInOrder(after, 'change-filter-table', 'add-rule 4 998');
    expect(rowsOn(first.node).toSorted()).to.deep.equal(names.toSorted());
    expect(rowsOn(after.node).toSorted()).to.deep.equal(names.toSorted());
    expect(filterOn(after.node)).to.deep.equal(filterOn(first.node));
    expect(addressesOn(after.node)).to.have.length(4);
    expect(after.node.sysctls['net.ipv4.conf.ovn-k8s-mp2.forwarding']).to.equal('1');
    expect(after.plan.networks).to.deep.equal([]);
  });

  it('is never let out without the filter, whichever way it goes', () => {
    const first = programmed();
    const second = programmed({ onUplink: ['red'] }, first.node);
    const third = programmed({}, second.node);
    const fourth = programmed({ networks: [] }, third.node);
    for (const node of [first, second, third, fourth].flatMap(({ states }) => states)) {
      const { sources4 = [] } = setsOn(node);
      const letOut = addressesOn(node)
        .map(({ src }) => src)
        .filter((src) => src !== undefined);
      expect(sources4).to.include.members(letOut.map((src) => JSON.parse(src) as string));
    }
  });
});

describe('the plan of a network that leaves by its node', () => {
  it('is the same object where a route changes that is no way out, and another one where the way is', () => {
    const { node } = programmed();
    const { cluster, settings } = situationOf({});
    const inputOf = (routes: NodeSnapshot['routes']) => nodeInput(cluster, { ...node, routes }, settings, allParts)!;
    const planned = (routes: NodeSnapshot['routes']) => providedOnNode(inputOf(routes), () => []);
    const first = planned(node.routes);
    const route = { family: 4, table: 254, type: 'unicast', protocol: 'static', metric: 0 } as const;
    const to = (destination: string, device: string) => ({ ...route, destination, nextHops: [{ device }] });
    expect(planned([...node.routes, to('203.0.113.0/24', 'eth0')])).to.have.ordered.members([...first]);
    expect(planned([...node.routes, to('0.0.0.0/0', 'eth9')])[0]).not.to.equal(first[0]);
  });
});
