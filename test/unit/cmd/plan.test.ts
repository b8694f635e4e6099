import { expect } from 'chai';
import { defaultSettings, diffNode, emptyCluster, planNode, preview } from '../../../src/domain/index.ts';
import { foreseen } from '../../../src/domain/diff/foresee.ts';
import { completeNode } from '../../../src/testing/index.ts';
import { readScenario } from '../../scenarios/scenario-folders.ts';
import { node } from '../domain/brief-objects.ts';
import { capturedSituation } from './captured-situation.ts';
import { runInProcess, type Situation } from './run-in-process.ts';
import { withWritten } from './with-written.ts';

/** The situation as its plan leaves it: operations done, objects written. */
function applied({ cluster, nodes }: Situation): Situation {
  return {
    cluster: withWritten(cluster, preview(cluster, nodes, defaultSettings)),
    nodes: nodes.map((found) => foreseen(diffNode(planNode(cluster, found, defaultSettings), found), found)),
  };
}

/** The lines of a section, without its head, up to the next blank line. */
function sectionOf(out: readonly string[], head: string): readonly string[] {
  const from = out.findIndex((line) => line.trim().startsWith(head)) + 1;
  const to = out.indexOf('', from);
  return from === 0 ? [] : out.slice(from, to === -1 ? undefined : to);
}

describe('plan --exit-code', () => {
  for (const capture of ['worker-a', 'worker-a-blue-enslaved']) {
    it(`is 2 for ${capture} as it was captured, and 0 once its plan is applied`, async () => {
      const before = await capturedSituation(capture);
      expect((await runInProcess(before, ['plan', '--exit-code'])).exitCode).to.equal(2);
      const after = await runInProcess(applied(before), ['plan', '--exit-code']);
      expect(after.out.slice(-2)).to.deep.equal(['No object to write.', 'Nothing to do on worker-a.']);
      expect(after.exitCode, after.out.join('\n')).to.equal(0);
    });
  }

  it('is 2 if only the node differs, and if only the objects do', async () => {
    const before = await capturedSituation();
    const after = applied(before);
    const run = (situation: Situation) => runInProcess(situation, ['plan', '--exit-code', '--output', 'json']);
    expect((await run({ ...after, nodes: before.nodes })).exitCode).to.equal(2);
    expect((await run({ ...after, cluster: before.cluster })).exitCode).to.equal(2);
    expect((await run(after)).exitCode).to.equal(0);
  });

  it('does not depend on filters', async () => {
    const before = await capturedSituation();
    const after = applied(before);
    const args = ['plan', '--exit-code', '--node', 'worker-b', '--network', 'red'];
    expect((await runInProcess({ ...after, nodes: before.nodes }, args)).exitCode).to.equal(2);
  });

  it('is 0 without the option, whatever is to be done', async () => {
    expect((await runInProcess(await capturedSituation(), ['plan'])).exitCode).to.equal(0);
  });
});

describe('plan as text', () => {
  it('escapes control characters of objects', async () => {
    const { cluster, nodes } = await capturedSituation();
    const conditions = [{ type: 'Accepted', status: 'False', reason: 'Odd\u001b[2J' }] as const;
    const routeAdvertisements = cluster.routeAdvertisements.map((object) => ({ ...object, status: { conditions } }));
    const { out } = await runInProcess({ cluster: { ...cluster, routeAdvertisements }, nodes }, ['plan']);
    expect(sectionOf(out, 'Warnings').join('\n')).to.contain('Odd\\x1b[2J');
    expect(out.join('\n')).not.to.contain('\u001b');
  });

  it('shows operations of the given networks, and sums them up', async () => {
    const { out } = await runInProcess(await capturedSituation(), ['plan', '--network', 'red']);
    const operations = sectionOf(out, 'OPERATIONS');
    expect(operations[0]).to.equal('  red');
    expect(operations.slice(1).every((line) => line.startsWith('    '))).to.be.true;
    expect(operations.join('\n')).to.include('VRF red').and.not.include('blue');
    expect(sectionOf(out, 'UPLINKS')[0]).to.equal('  red-underlay (red0): Ready');
    expect(out.at(-1)).to.equal('Plan for red: 13 to add, 4 to change, 0 to remove on worker-a.');
  });

  it('shows those of a network by its key too', async () => {
    const situation = await capturedSituation();
    const byKey = await runInProcess(situation, ['plan', '--network', 'ClusterUserDefinedNetwork/red']);
    const byName = await runInProcess(situation, ['plan', '--network', 'red']);
    expect(sectionOf(byKey.out, 'OPERATIONS')).to.deep.equal(sectionOf(byName.out, 'OPERATIONS'));
  });

  it('has one heading for a network that is provided and has an uplink', async () => {
    const { cluster, nodes } = readScenario('zone/uplink-ready-to-both');
    const { out } = await runInProcess({ cluster, nodes }, ['plan', '--networks', 'all']);
    const operations = sectionOf(out, 'OPERATIONS');
    expect(operations.filter((line) => /^ {2}\S/.test(line))).to.deep.equal(['  blue']);
    expect(operations.join('\n')).to.include('network cluster_udn_blue in OVN').and.include('gateway router of');
    expect(sectionOf(out, 'PROVIDED NETWORK')[0]).to.match(/^ {2}blue /);
  });

  it('prints the fix of a failure', async () => {
    const { cluster, nodes } = await capturedSituation();
    const masters = nodes.map((found) => ({
      ...found,
      links: found.links.map((link) => (link.name === 'br-blue' ? { ...link, master: 'bond0' } : link)),
    }));
    const { out } = await runInProcess({ cluster, nodes: masters }, ['plan', '--network', 'blue']);
    const notes = sectionOf(out, 'NETWORK').slice(1, 3);
    expect(notes).to.deep.equal([
      '      the master of br-blue is bond0, expected VRF blue; it was not set by ovn-uplinks',
      '      to fix: Release it: `ip link set dev INTERFACE nomaster`; if a network is held there, fix that network.',
    ]);
  });

  it('prints the option that is missing where ovn-uplinks is to provide networks', async () => {
    const { cluster, nodes } = await capturedSituation();
    const situation = { cluster: { ...cluster, networkAttachmentDefinitions: [] }, nodes };
    const { out } = await runInProcess(situation, ['plan', '--network', 'blue']);
    const [message, fix] = sectionOf(out, 'NETWORK').slice(1, 3);
    expect(message).to.equal('      OVN-Kubernetes has not allocated a network id yet');
    expect(fix).to.match(/^ {6}to fix: .* give `--networks all`, or beside OVN-Kubernetes `with-uplinks`/);
  });

  it('shows operations of the given nodes only', async () => {
    const { out } = await runInProcess(await capturedSituation(), ['plan', '--node', 'worker-b']);
    expect(out.join('\n')).not.to.include('OPERATIONS').and.not.to.include('Plan:');
  });

  it('shows networks with operations as ready when done, and others as ready', async () => {
    const before = await capturedSituation();
    const state = async (situation: Situation) =>
      sectionOf((await runInProcess(situation, ['plan', '--node', 'worker-a'])).out, 'NETWORK').slice(0, 1);
    expect((await state(before))[0]).to.match(/VRF blue {8}ready when done$/);
    expect((await state(applied(before)))[0]).to.match(/VRF blue {8}ready$/);
  });

  it('shows whether conditions depend on operations', async () => {
    const before = await capturedSituation();
    const head = async (situation: Situation) =>
      (await runInProcess(situation, ['plan'])).out.find((line) => line.startsWith('Conditions'));
    expect(await head(before)).to.equal('Conditions (once that is done; + new, ~ changed)');
    expect(await head(applied(before))).to.equal('Conditions (+ new, ~ changed)');
  });

  it('shows changes of objects besides conditions', async () => {
    const before = await capturedSituation();
    const { out } = await runInProcess(before, ['plan']);
    expect(sectionOf(out, 'Objects').map((line) => line.replaceAll(/ +/g, ' '))).to.deep.equal([
      ' + Uplink/blue-underlay finalizer k8s.ovn.org/uplink-protection',
      ' + Uplink/red-underlay finalizer k8s.ovn.org/uplink-protection',
    ]);
    expect(sectionOf((await runInProcess(applied(before), ['plan'])).out, 'Objects')).to.deep.equal([]);
  });

  it('has colours only on request', async () => {
    const before = await capturedSituation();
    const escape = '\u001b[';
    const coloured = await runInProcess(before, ['plan'], { colours: true });
    expect(coloured.out.join('\n')).to.include(`${escape}32m+${escape}39m VRF blue`);
    expect((await runInProcess(before, ['plan'])).out.join('\n')).not.to.include(escape);
  });

  it('sums up each node', async () => {
    const cluster = { ...emptyCluster, nodes: [node('b'), node('a')] };
    const nodes = ['b', 'a'].map((nodeName) => completeNode({ nodeName }));
    const { out } = await runInProcess({ cluster, nodes }, ['plan']);
    expect(out.slice(-2)).to.deep.equal(['Nothing to do on a.', 'Nothing to do on b.']);
  });
});

describe('explain', () => {
  const blue = ['explain', 'blue', 'worker-a'];

  it('prints some of the planned changes, with the disruptive ones, and where to see the rest', async () => {
    const { out } = await runInProcess(await capturedSituation(), blue);
    const printed = sectionOf(out, 'planned changes:').slice(0, 7);
    expect(printed).to.have.length(7);
    expect(printed).to.include('  + br-blue into VRF blue (br-blue goes down and up: its connections pause)');
    expect(printed.at(-1)).to.match(/^ {2}… and 22 more, see plan$/);
  });

  it('prints all of a few', async () => {
    const after = applied(await capturedSituation());
    const nodes = after.nodes.map((found) => ({ ...found, rules: [] }));
    const { out } = await runInProcess({ ...after, nodes }, blue);
    expect(sectionOf(out, 'planned changes:').slice(0, 3)).to.deep.equal([
      '  + IPv4 rule 1999: mark 0x1001 looks up table 1007',
      '  + IPv6 rule 1999: mark 0x1001 looks up table 1007',
      'would change with:',
    ]);
  });

  it('reports that no changes are planned', async () => {
    const { out } = await runInProcess(applied(await capturedSituation()), blue);
    expect(out).to.include('no changes planned');
  });
});
