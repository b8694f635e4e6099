import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { dump, load } from 'js-yaml';
import { ovnUplinks, ovnUplinksProcess, workerA } from './command.ts';
import { type PrintedObject, type PrintedOperation, printedPlan } from './printed-plan.ts';

const enslaved = ['--cluster', 'fixtures/cluster.yaml', '--host', 'worker-a=fixtures/captures/worker-a-blue-enslaved'];

async function operationsOf(args: readonly string[]): Promise<readonly PrintedOperation[]> {
  return (await printedPlan(args)).nodes['worker-a']?.operations ?? [];
}

describe('the operations of a plan', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ovn-uplinks-operations-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('have one format', async () => {
    const operations = await operationsOf(workerA);
    expect(operations).to.have.length.above(20);
    for (const operation of operations) {
      const fields = ['network', 'networks', 'keys', 'kind', 'summary', 'disruption', 'command'];
      const input = operation.kind === 'change-flows' ? ['input'] : [];
      expect(Object.keys(operation), operation.summary).to.deep.equal([...fields, ...input]);
      expect(['blue', 'red']).to.include(operation.network);
      expect(operation.disruption).to.be.oneOf(['none', 'link-cycle', 'address-detection', 'connections-reset']);
      // Several ports take several commands.
      expect(operation.command === null, operation.kind).to.equal(operation.kind === 'change-flooding');
      const command = operation.command ?? ['ovs-ofctl', 'mod-port'];
      expect(command).to.have.length.above(1);
      expect(command[0]).to.be.oneOf(['ip', 'sysctl', 'ovsdb-client', 'ovs-ofctl', 'ovs-appctl']);
      for (const word of command) expect(word).to.be.a('string');
    }
  });

  it('enslave the interface of blue to a VRF of its own, and restore the administrator’s routes there', async () => {
    const blue = (await operationsOf(workerA)).filter(({ network }) => network === 'blue');
    expect(blue.map(({ kind, summary }) => `${kind}: ${summary}`)).to.deep.equal([
      'add-vrf: VRF blue with table 1007',
      'set-vrf: VRF blue: up, signed as ovn-uplinks:cluster_udn_blue',
      'add-address: address 169.254.0.2/32 on blue',
      'add-address: address 169.254.0.3/32 on blue',
      'add-address: address fd69::2/128 on blue',
      'add-address: address fd69::3/128 on blue',
      'set-sysctl: net.ipv6.conf.br-blue.keep_addr_on_down = 1',
      'set-sysctl: net.ipv4.conf.br-blue.rp_filter = 2',
      'enslave: br-blue into VRF blue',
      'put-back: route default via 192.0.2.1 dev br-blue metric 100 table 1007, moved from table main',
      'put-back: route 203.0.113.128/25 via 192.0.2.2 dev br-blue table 1007, moved from table main',
      'put-back: route IPv6 default via 2001:db8:b::1 dev br-blue metric 100 table 1007, moved from table main',
      'add-route: route unreachable default metric 4278198272 table 1007',
      'add-route: route 10.96.0.0/16 via 169.254.0.4 dev br-blue onlink src 169.254.0.2 table 1007',
      'add-route: route IPv6 unreachable default metric 4278198272 table 1007',
      'add-neighbour: neighbour 169.254.0.4 at 0a:58:a9:fe:00:04 on br-blue',
      'add-neighbour: neighbour fe80::858:a9ff:fefe:4 at 0a:58:a9:fe:00:04 on br-blue',
      'add-neighbour: managed neighbour 192.0.2.1 on br-blue',
      'add-neighbour: managed neighbour 2001:db8:b::1 on br-blue',
      'add-rule: IPv4 rule 1999: mark 0x1001 looks up table 1007',
      'add-rule: IPv6 rule 1999: mark 0x1001 looks up table 1007',
      'change-flows: 39 flows on br-blue',
      'add-bridge-mapping: bridge mapping cluster_udn_blue:br-blue',
      'change-northbound: gateway router of cluster_udn_blue: 28 rows',
      'change-flooding: no flooding to 1 patch port of br-blue',
      'add-fdb-entry: static FDB entry 02:42:c0:00:02:06 on port br-blue of br-blue',
      'change-flows: 27 flows for patch ports of br-blue',
      'change-router-ports: gateway router of cluster_udn_blue: open to br-blue',
    ]);
    const disturbing = blue.filter(({ disruption }) => disruption !== 'none');
    expect(disturbing.map(({ kind, disruption }) => [kind, disruption])).to.deep.equal([['enslave', 'link-cycle']]);
  });

  it('leave red in the default routing domain', async () => {
    const red = (await operationsOf(workerA)).filter(({ network }) => network === 'red');
    expect(new Set(red.map(({ kind }) => kind))).to.deep.equal(
      new Set([
        'add-vrf',
        'set-vrf',
        'set-sysctl',
        'add-route',
        'add-neighbour',
        'add-rule',
        'add-bridge-mapping',
        'change-northbound',
        'change-flooding',
        'add-fdb-entry',
        'change-flows',
        'change-router-ports',
      ]),
    );
    expect(red.every(({ disruption }) => disruption === 'none')).to.be.true;
    expect(red.map(({ summary }) => summary)).to.include(
      'route default nexthop via 203.0.113.1 dev red0 nexthop via 203.0.113.2 dev red0 table 1008',
    );
  });

  it('have the whole argument vector', async () => {
    const operations = await operationsOf(workerA);
    const commandOf = (summary: string) => operations.find((operation) => operation.summary === summary)?.command;
    expect(commandOf('br-blue into VRF blue')).to.deep.equal([
      ...['ip', 'link', 'set', 'dev', 'br-blue', 'master', 'blue'],
    ]);
    const [program, verb, transaction = ''] = commandOf('bridge mapping cluster_udn_red:br-red') ?? [];
    expect([program, verb]).to.deep.equal(['ovsdb-client', 'transact']);
    // It comes after blue's, and expects what that one has written.
    expect(transaction).to.match(/"op":"wait".*cluster_udn_blue:br-blue".*"op":"mutate".*,cluster_udn_red:br-red"/);
  });

  it('of one network have commands that work without the others', async () => {
    const { stdout } = await ovnUplinks(['plan', '--network', 'red', '--commands', ...workerA]);
    expect(stdout).to.include('"cluster_udn_red:br-red"');
    expect(stdout).not.to.include('cluster_udn_blue');
  });

  it('are complete in JSON, whichever networks are selected', async () => {
    for (const narrowed of [
      ['--network', 'red'],
      ['--node', 'worker-a'],
    ]) {
      const { stdout, stderr, exitCode } = await ovnUplinks(['plan', ...narrowed, '--output', 'json', ...workerA]);
      expect([stdout, exitCode]).to.deep.equal(['', 1]);
      expect(stderr).to.match(/^error: --node and --network .* --output json/);
    }
  });

  it('are fewer if another program has enslaved the interface already', async () => {
    const [before, after] = [await operationsOf(workerA), await operationsOf(enslaved)];
    const blue = after.filter(({ network }) => network === 'blue');
    expect(after.length).to.be.below(before.length);
    const kinds = blue.map(({ kind }) => kind);
    expect(kinds.filter((kind) => /vrf|enslave|release|put-back/.test(kind))).to.deep.equal([]);
    const isRed = ({ network }: PrintedOperation) => network === 'red';
    expect(after.filter(isRed).map(({ summary }) => summary)).to.deep.equal(
      before.filter(isRed).map(({ summary }) => summary),
    );
  });

  it('are the same bytes in two runs', async () => {
    const run = async () => (await ovnUplinksProcess(['plan', '--output', 'json', ...enslaved])).stdout;
    expect(await run()).to.equal(await run());
  });

  it('are printed by network, with their commands on request', async () => {
    const { stdout: plain } = await ovnUplinks(['plan', ...workerA]);
    const { stdout: commands } = await ovnUplinks(['plan', '--commands', ...workerA]);
    const command = '\n        ip link set dev br-blue master blue\n';
    const operation = '\n    + br-blue into VRF blue (br-blue goes down and up: its connections pause)\n';
    expect(plain).to.include(operation).and.not.to.include(command);
    expect(commands).to.include(operation.trimEnd() + command);
    expect(commands).to.include("\n        ovsdb-client transact '[");
    expect(plain.split('\n').at(-1)).to.equal(
      'Plan: 36 to add, 9 to change, 0 to remove on worker-a; 1 interface goes down and up.',
    );
  });

  it('continue with a truncated ledger, and report it', async () => {
    const capture = join(folder, 'worker-a');
    cpSync('fixtures/captures/worker-a-blue-enslaved', capture, { recursive: true });
    mkdirSync(join(capture, 'ledger'));
    writeFileSync(join(capture, 'ledger/ledger.json'), '{"version": 1, "entries": [{"kind": "membership", "dev');
    const args = ['--cluster', 'fixtures/cluster.yaml', '--host', `worker-a=${capture}`];
    const { nodes, warnings } = await printedPlan(args);
    const told = warnings.filter((line) => line.includes('the ledger'));
    expect(told).to.have.length(1);
    expect(told[0])
      .to.include(`${capture}: Node/worker-a: the ledger is not valid JSON`)
      .and.include('treated as not managed');
    expect(nodes['worker-a']?.operations).to.deep.equal(await operationsOf(enslaved));
  });
});

describe('plan --exit-code', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ovn-uplinks-exit-code-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  type ClusterObject = Partial<PrintedObject> & Pick<PrintedObject, 'kind' | 'metadata'>;

  /** The cluster's objects once what a plan prints is written to them, times of transition included. */
  function written(items: readonly ClusterObject[], objects: readonly PrintedObject[]): readonly ClusterObject[] {
    const keyOf = ({ kind, metadata: { namespace = '', name } }: ClusterObject) => `${kind}/${namespace}/${name}`;
    const merged = new Map(items.map((item) => [keyOf(item), item]));
    for (const object of objects) {
      const item = merged.get(keyOf(object));
      const conditions = object.status.conditions.map((condition) => ({
        ...condition,
        lastTransitionTime: '2026-11-21T08:00:00Z',
      }));
      merged.set(keyOf(object), {
        ...item,
        ...object,
        metadata: { ...item?.metadata, ...object.metadata },
        status: { ...object.status, conditions },
      });
    }
    return [...merged.values()];
  }

  it('is 2 until everything in the plan is written, then 0', async () => {
    // Without uplinks nothing is done on the node: what is left are objects.
    const text = readFileSync('fixtures/cluster.yaml', 'utf8').replaceAll(/^ {4}uplinks: .*\n/gm, '');
    const { items } = load(text) as { readonly items: readonly ClusterObject[] };
    const file = join(folder, 'cluster.yaml');
    const args = ['--cluster', file, ...workerA.slice(2)];
    const write = (objects: readonly ClusterObject[]) =>
      writeFileSync(file, dump({ apiVersion: 'v1', kind: 'List', items: objects }));
    write(items);
    const before = await ovnUplinks(['plan', '--exit-code', ...args]);
    expect(before.exitCode, before.stderr).to.equal(2);
    expect(before.stdout.split('\n').slice(-2)).to.deep.equal(['6 objects to write.', 'Nothing to do on worker-a.']);
    const { objects } = await printedPlan(args);
    write(written(items, objects));
    const after = await ovnUplinks(['plan', '--exit-code', ...args]);
    expect(after.exitCode, after.stdout).to.equal(0);
    expect((await ovnUplinks(['plan', '--exit-code', '--output', 'json', ...args])).exitCode).to.equal(0);
  });

  it('is 2 while an operation is left, with text and with JSON', async () => {
    expect((await ovnUplinksProcess(['plan', '--exit-code', ...workerA])).exitCode).to.equal(2);
    expect((await ovnUplinks(['plan', '--exit-code', '--output', 'json', ...workerA])).exitCode).to.equal(2);
  });

  it('is 2 even if the reader closes the pipe', async () => {
    const plan = spawn(process.execPath, ['src/cmd/main.ts', 'plan', '--exit-code', ...workerA], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    plan.stdout.destroy();
    const [exitCode] = (await once(plan, 'exit')) as readonly unknown[];
    expect(exitCode).to.equal(2);
  });

  it('is 1 for bad input', async () => {
    const { exitCode, stderr } = await ovnUplinks(['plan', '--exit-code', '--cluster', join(folder, 'absent.yaml')]);
    expect(exitCode).to.equal(1);
    expect(stderr).to.match(/^error: /);
  });
});
