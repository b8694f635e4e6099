import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ManifestFiles } from '../../../src/adapters/manifests/manifest-files.ts';
import type { ClusterSnapshot } from '../../../src/domain/index.ts';
import { valueOf } from '../../unit/adapters/readings.ts';
import { printedPlan } from '../printed-plan.ts';
import { bridge } from './bridge.ts';
import { ip, ovsVsctl, sysctl } from './commands.ts';
import type { ArgumentVector, LabNode } from './node.ts';
import { prepare } from './prepare.ts';
import { sharedMachine } from './shared-machine.ts';
import { isVrfRule } from './comparison.ts';
import { isRefused, NodeAndModel } from './node-and-model.ts';

/** Creates the captured node worker-a, as far as the networks blue and red depend on it. */
const workerA: readonly ArgumentVector[] = [
  ...[1, 2, 3].map((id) => ip`link add ovn-k8s-mp${id} up index ${6 + id} mtu 1400 type dummy`),
  ...bridge('br-ex', { addresses: ['198.51.100.10/24', '169.254.0.2/17'], physicalPort: 'eth0' }),
  ...['fd69::2/112', '2001:db8:e::10/64'].map((address) => ip`address add ${address} dev br-ex nodad`),
  ...bridge('br-blue', { addresses: ['192.0.2.6/24', '192.0.2.66/24'], physicalPort: 'eth1' }),
  ip`address add 2001:db8:b::6/64 dev br-blue nodad`,
  ...bridge('br-red', { physicalPort: 'eth2' }),
  ovsVsctl`add-port br-red red0 tag=100 -- set Interface red0 type=internal`,
  ...['eth2', 'br-red', 'red0'].map((device) => ip`link set ${device} mtu 9000 up`),
  ip`address add 203.0.113.6/26 dev red0`,
  ip`route add default via 198.51.100.1 dev br-ex metric 48`,
  ip`route add default via 192.0.2.1 dev br-blue metric 100`,
  ip`route add default metric 200 nexthop via 203.0.113.2 dev red0 nexthop via 203.0.113.1 dev red0`,
  ip`route add 10.96.0.0/16 via 169.254.0.4 dev br-ex src 169.254.0.2 mtu 1400`,
  ip`route add 203.0.113.128/25 via 192.0.2.2 dev br-blue proto static`,
  ip`-6 route add default via 2001:db8:e::1 dev br-ex metric 48`,
  ip`-6 route add default via 2001:db8:b::1 dev br-blue metric 100`,
  ip`neighbour add 169.254.0.4 lladdr 0a:58:a9:fe:00:04 dev br-ex`,
  sysctl`-qw net.ipv4.conf.all.rp_filter=1`,
  ...['br-blue', 'red0'].map((device) => sysctl`-qw net.ipv4.conf.${device}.rp_filter=0`),
  ovsVsctl`set Open_vSwitch . ${'external_ids:ovn-bridge-mappings="physnet:br-ex,tenantnet:br-tenant"'}`,
];

/** The cluster; of its networks only the host's half, as no OVN runs on the node. */
const hostHalf = ['--cluster', 'fixtures/cluster.yaml', '--ovn-northbound', 'none'];

describe('the captured node worker-a, in the lab', () => {
  let node: LabNode;
  let folder: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ovn-uplinks-worker-a-'));
    node = await (await sharedMachine()).node('worker-a');
    await prepare(node, workerA);
  });
  after(async () => {
    rmSync(folder, { recursive: true });
    await node.end();
  });

  async function planOf(name: string) {
    const capture = join(folder, name);
    await node.capture(capture);
    const { nodes } = await printedPlan([...hostHalf, '--host', `worker-a=${capture}`]);
    return nodes['worker-a']?.operations ?? [];
  }

  it('has the same plan as the captured one', async () => {
    const captured = await printedPlan([...hostHalf, '--host', 'worker-a=fixtures/captures/worker-a']);
    const summaries = (await planOf('before')).map(({ summary }) => summary);
    expect(summaries).to.have.members(captured.nodes['worker-a']!.operations.map(({ summary }) => summary));
  });

  it('has nothing to do after the printed commands are run', async () => {
    const planned = await planOf('planned');
    for (const { command: words, summary } of planned) {
      const command = words ?? [];
      const run = await node.run(command);
      expect(isRefused(run, command), `${summary}: ${run.stdout}${run.stderr}`).to.be.false;
    }
    expect((await planOf('after')).map(({ summary }) => summary)).to.deep.equal([]);
    const { links, routes } = await node.snapshot();
    expect(links.find(({ name }) => name === 'br-blue')?.master).to.equal('blue');
    expect(routes.find(({ destination }) => destination === '203.0.113.128/25')?.table).to.equal(1007);
  });

  it('is restored by the inverse operations in reverse order', async () => {
    const other = await (await sharedMachine()).node('worker-a-there-and-back');
    try {
      await prepare(other, workerA);
      const both = await NodeAndModel.of(other);
      const [start, operations] = [both.model, await both.plan(await fixture())];
      const inverses = both.inverse(...operations);
      await both.do(...operations);
      expect(await both.plan(await fixture())).to.deep.equal([]);
      await both.do(...inverses);
      const left = await both.differences(start, isVrfRule);
      expect(left.filter((line) => !isVrfRule(line))).to.deep.equal([]);
    } finally {
      await other.end();
    }
  });

  async function fixture(): Promise<ClusterSnapshot> {
    return valueOf(await new ManifestFiles(['fixtures/cluster.yaml']).read()).snapshot;
  }
});
