import { expect } from 'chai';
import { defaultSettings } from '../../../../../src/domain/index.ts';
import { placeInNetwork } from '../../../../../src/domain/explanation/trace/place-in-network.ts';
import { fromBridge, fromPods } from '../../../../../src/domain/explanation/trace/routers.ts';
import { type TracedNode, tracedNode } from '../../../../../src/domain/explanation/trace/traced-node.ts';
import { capturedSituation } from '../../../cmd/captured-situation.ts';

describe('the routers of a network', () => {
  let node: TracedNode;

  before(async () => {
    const { cluster, nodes } = await capturedSituation();
    const reading = tracedNode(cluster, nodes[0]!, defaultSettings, 'red');
    if ('problem' in reading) throw new Error(reading.problem);
    ({ node } = reading);
  });

  it('know which addresses are pods, the management port, the router, pods of other nodes, or none of the network', () => {
    const places = ['10.30.1.5', '10.30.1.2', '10.30.1.1', '10.30.2.5', '10.20.1.5', 'fd20::5'];
    expect(places.map((address) => placeInNetwork(node, address))).to.deep.equal([
      ...['pod', 'management-port', 'router', 'other-node', undefined, undefined],
    ]);
  });

  it('take the longest prefix', () => {
    const rows = [
      ...node.rows,
      {
        table: 'Logical_Router_Static_Route',
        name: 'other',
        parents: [{ table: 'Logical_Router', name: node.names.gatewayRouter, column: 'static_routes' }],
        columns: { ip_prefix: '172.20.0.0/16', nexthop: '203.0.113.3' },
      } as const,
    ];
    const to = (destination: string) => {
      const way = fromPods({ ...node, rows }, { source: '10.30.1.5', destination });
      return 'nextHop' in way ? way.nextHop : way.end;
    };
    expect(to('172.20.0.9')).to.equal('203.0.113.3');
    expect(to('172.21.0.9')).to.equal('203.0.113.1');
    expect(to('203.0.113.9')).to.equal('203.0.113.9');
  });

  it('drop packets for addresses that no node has, where ovn-uplinks provides the network and knows them', () => {
    const name = node.names.inside.router!;
    const toOtherNode = {
      table: 'Logical_Router_Static_Route',
      name: 'other node',
      isOfZone: true,
      parents: [{ table: 'Logical_Router', name, column: 'static_routes' }],
      columns: { ip_prefix: '10.30.2.0/24', nexthop: '100.88.0.3' },
    } as const;
    const provided = { ...node, rows: [...node.rows, toOtherNode] };
    const endOf = (on: TracedNode, destination: string) =>
      fromBridge(on, { source: '203.0.113.9', destination }, []).end;
    const dropped = { kind: 'dropped', where: name, why: 'no node has pods with 10.30.77.7' };
    const tunnel = { kind: 'leaves', by: 'the tunnel to the node that has the pod' };
    expect(endOf(provided, '10.30.77.7')).to.deep.equal(dropped);
    expect(fromPods(provided, { source: '10.30.1.5', destination: '10.30.77.7' })).to.deep.include({ end: dropped });
    expect(endOf(provided, '10.30.2.5')).to.deep.equal(tunnel);
    expect(endOf(node, '10.30.77.7')).to.deep.equal(tunnel);
  });

  it('translate packets for an address of an address set only, if a translation has one', () => {
    const set = {
      table: 'Address_Set',
      name: 'nodes',
      columns: { addresses: ['198.51.100.10', '198.51.100.11'] },
    } as const;
    const rows = [
      ...node.rows
        .filter(({ table }) => table !== 'Address_Set')
        .map((row) =>
          row.columns['logical_ip'] === '10.30.0.0/16'
            ? { ...row, columns: { ...row.columns, allowed_ext_ips: set.name } }
            : row,
        ),
      set,
    ];
    const sourceTowards = (destination: string) => {
      const way = fromPods({ ...node, rows }, { source: '10.30.1.5', destination });
      return 'source' in way ? way.source : way.end;
    };
    expect(sourceTowards('198.51.100.11')).to.match(/^169\.254\./);
    expect(sourceTowards('198.51.100.12')).to.equal('10.30.1.5');
  });

  it('answer for their own addresses', () => {
    const { end } = { end: undefined, ...fromPods(node, { source: '10.30.1.5', destination: '100.65.0.2' }) };
    expect(end).to.deep.equal({ kind: 'arrives', at: 'the router GR_cluster_udn_red_worker-a' });
    const { end: cluster } = { end: undefined, ...fromPods(node, { source: '10.30.1.5', destination: '10.30.1.1' }) };
    expect(cluster).to.deep.equal({ kind: 'arrives', at: 'the router cluster_udn_red_ovn_cluster_router' });
  });

  it('drop packets for unknown addresses', () => {
    const { end } = fromBridge(node, { source: '172.20.0.9', destination: '169.254.0.13' }, []);
    expect(end).to.deep.equal({
      kind: 'dropped',
      where: 'GR_cluster_udn_red_worker-a',
      why: '169.254.0.13 is neither an address of the network nor of one of its connections',
    });
  });

  it('drop packets longer than the MTU of pods', () => {
    const end = (length: number) =>
      fromBridge(node, { source: '172.20.0.9', destination: '10.30.1.5' }, [], length).end;
    expect(end(8900)).to.deep.equal({ kind: 'arrives', at: 'the pod with 10.30.1.5' });
    expect(end(8901)).to.deep.equal({
      kind: 'dropped',
      where: 'GR_cluster_udn_red_worker-a',
      why: '8901 bytes exceed the MTU of pods, 8900 bytes; the sender gets an ICMP error',
    });
  });
});
