import { expect } from 'chai';
import { capturedSituation } from './captured-situation.ts';
import { runInProcess } from './run-in-process.ts';

/** A flow in JSON. */
interface FlowRow {
  readonly table: number;
  readonly priority: number;
  readonly match: string;
  readonly actions: string;
}

/** The datapath of a node in JSON. */
interface Planned {
  readonly flows: Readonly<Record<string, readonly FlowRow[]>>;
  readonly northbound: readonly { readonly network: string; readonly table: string; readonly name: string }[];
}

describe('flows', () => {
  const flows = async (...words: readonly string[]) => runInProcess(await capturedSituation(), ['flows', ...words]);

  it('shows the flows of each bridge with their purpose', async () => {
    const { out, exitCode } = await flows('worker-a');
    expect(exitCode).to.equal(0);
    expect(out.filter((line) => line.startsWith('Flows of'))).to.deep.equal([
      'Flows of bridge br-blue on worker-a',
      'Flows of bridge br-red on worker-a',
    ]);
    const [egress] = out.filter((line) => line.includes('egress leaves with the address of the uplink'));
    expect(egress).to.match(/^ {2}0 +100 +ip,in_port=patch-br-blue_cluster_udn_blue_worker-a-to-br-int,/);
    expect(egress).to.include('nat(src=192.0.2.6)');
  });

  it('shows one bridge, or one network', async () => {
    const ofBridge = await flows('worker-a', '--bridge', 'br-red');
    expect(ofBridge.out.join('\n')).to.include('br-red').and.not.include('br-blue');
    const ofNetwork = await flows('worker-a', '--network', 'red');
    expect(ofNetwork.out.join('\n')).to.include('br-red').and.not.include('br-blue');
  });

  it('shows the same as plan with --flows, also as JSON', async () => {
    const situation = await capturedSituation();
    const { out } = await runInProcess(situation, ['plan', '--flows']);
    expect(out).to.include.members((await flows('worker-a')).out.filter((line) => line !== ''));
    const document = JSON.parse((await runInProcess(situation, ['plan', '--output', 'json'])).out.join('\n')) as {
      nodes: Record<string, { flows: Record<string, unknown[]>; northbound: { network: string; table: string }[] }>;
    };
    const planned = document.nodes['worker-a'];
    const alone = JSON.parse((await flows('worker-a', '--output', 'json')).out.join('\n')) as object;
    expect(planned?.flows).to.deep.equal(alone);
    expect(planned?.flows['br-red']?.[0]).to.have.all.keys('networks', 'table', 'priority', 'match', 'actions', 'why');
    const routers = planned?.northbound.filter(({ table }) => table === 'Logical_Router') ?? [];
    expect(routers.map(({ network }) => network)).to.deep.equal(['blue', 'red']);
  });

  it('has in JSON the words of ovs-ofctl: numbers of ports, and names of those that do not exist yet', async () => {
    const { out } = await flows('worker-a', '--output', 'json');
    const rows = (JSON.parse(out.join('\n')) as Planned['flows'])['br-blue'] ?? [];
    const ports = rows.flatMap(({ match, actions }) =>
      [...`${match} ${actions}`.matchAll(/(?:in_port=|output:)([^,) ]+)/g)].map(([, port]) => port),
    );
    expect([...new Set(ports)]).to.have.members([
      '1',
      'LOCAL',
      'patch-br-blue_cluster_udn_blue_worker-a-to-br-int',
      'NXM_OF_IN_PORT[]',
    ]);
  });

  it('and plan have rows and keys in a fixed order in JSON', async () => {
    const { out } = await runInProcess(await capturedSituation(), ['plan', '--output', 'json']);
    const { nodes } = JSON.parse(out.join('\n')) as { nodes: Record<string, Planned> };
    const { flows: byBridge = {}, northbound = [] } = nodes['worker-a'] ?? {};
    expect(Object.keys(byBridge)).to.deep.equal(['br-blue', 'br-red']);
    for (const rows of Object.values(byBridge)) {
      for (const row of rows) {
        expect(Object.keys(row)).to.deep.equal(['networks', 'table', 'priority', 'match', 'actions', 'why']);
      }
      const places = rows.map(({ table, priority, match }) => ({ table, priority, match }));
      const sorted = places.toSorted(
        (left, right) =>
          left.table - right.table || right.priority - left.priority || (left.match < right.match ? -1 : 1),
      );
      expect(places).to.deep.equal(sorted);
      expect(new Set(places.map(({ table }) => table)).size).to.be.greaterThan(1);
    }
    for (const row of northbound)
      expect(Object.keys(row)).to.deep.equal(['network', 'key', 'table', 'name', 'columns']);
    const names = northbound.map(({ table, name }) => `${table} ${name}`);
    expect(names).to.deep.equal(names.toSorted((left, right) => (left < right ? -1 : 1)));
    expect(new Set(northbound.map(({ network }) => network))).to.deep.equal(new Set(['blue', 'red']));
  });

  it('lists the existing nodes or bridges instead of an unknown one', async () => {
    const node = await flows('worker-z');
    expect(node).to.include({ exitCode: 1 });
    expect(node.err.join('\n')).to.include('no capture of node worker-z, only of worker-a');
    const bridge = await flows('worker-a', '--bridge', 'br-none');
    expect(bridge).to.include({ exitCode: 1 });
    expect(bridge.err.join('\n')).to.include('only on br-blue, br-red');
  });

  it('reports that no network has flows', async () => {
    const { cluster, nodes } = await capturedSituation();
    const { out } = await runInProcess({ cluster: { ...cluster, clusterUserDefinedNetworks: [] }, nodes }, [
      'flows',
      'worker-a',
    ]);
    expect(out).to.deep.equal(['No network on worker-a has flows.']);
  });
});
