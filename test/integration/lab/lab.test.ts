import { join } from 'node:path';
import { expect } from 'chai';
import { CapturedNode } from '../../../src/adapters/capture/captured-node.ts';
import type { NodeSnapshot } from '../../../src/domain/snapshot/node-snapshot.ts';
import { valueOf } from '../../unit/adapters/readings.ts';
import { temporaryFolders } from '../../unit/adapters/temporary-folders.ts';
import { bridge } from './bridge.ts';
import { ip, ovsVsctl, sysctl } from './commands.ts';
import { describeOnEachUserland } from './each-userland.ts';
import type { ArgumentVector, LabNode } from './node.ts';
import { reasonOf } from './reason-of.ts';
import { sharedMachine } from './shared-machine.ts';

describe('the lab', () => {
  const newFolder = temporaryFolders();
  const nodes: LabNode[] = [];

  afterEach(async () => {
    await Promise.all(nodes.splice(0).map((node) => node.end()));
  });

  async function newNode(name = 'worker-a', machine = sharedMachine()): Promise<LabNode> {
    const node = await (await machine).node(name);
    nodes.push(node);
    return node;
  }

  describe('a scenario', () => {
    it('enslaves a bridge to a VRF, which moves its connected route', async () => {
      const node = await newNode();
      await node.does(...bridge('br-blue', { addresses: ['192.0.2.6/24'], physicalPort: 'eth1' }));
      expect(await tablesOf('192.0.2.0/24', node)).to.deep.equal([254]);

      await node.does(ip`link add blue type vrf table 1001`, ip`link set blue up`, ip`link set br-blue master blue`);
      expect(await tablesOf('192.0.2.0/24', node)).to.deep.equal([1001]);
    });

    async function tablesOf(destination: string, node: LabNode): Promise<readonly unknown[]> {
      const { routes } = await node.snapshot();
      return routes.filter((route) => route.destination === destination).map(({ table }) => table);
    }

    it('lists flows of Open vSwitch', async () => {
      const node = await newNode();
      await node.does(...bridge('br-blue'));
      expect(await node.does(['ovs-ofctl', '--no-stats', 'dump-flows', 'br-blue'])).to.equal(
        ' priority=0 actions=NORMAL\n',
      );
    });

    it('stops at the first command that fails, and reports its output', async () => {
      const node = await newNode();
      const done = node.does(ip`link add blue type vrf table 1001`, ip`link set red up`, ip`link delete blue`);
      expect(await reasonOf(done)).to.equal(
        '"ip link set red up" on worker-a exited with status 1 and printed: Cannot find device "red"',
      );
      expect((await node.run(ip`link show blue`)).exitCode).to.equal(0);
    });
  });

  describe('a node', () => {
    it('is fresh: it has only a loopback device, forwards, and its switch has no bridge', async () => {
      const { nodeName, links, bridges, switchExternalIds, sysctls } = await (await newNode()).snapshot();
      expect(nodeName).to.equal('worker-a');
      expect(links.map(({ name, up }) => [name, up])).to.deep.equal([['lo', true]]);
      expect([bridges, switchExternalIds]).to.deep.equal([[], {}]);
      expect(sysctls).to.include({ 'net.ipv4.conf.all.forwarding': '1', 'net.ipv6.conf.all.forwarding': '1' });
      expect(sysctls).to.include({ 'net.ipv4.tcp_l3mdev_accept': '0' });
    });

    it('is isolated from others', async () => {
      const [node, other] = [await newNode('worker-a'), await newNode('worker-b')];
      const before = lasting(await other.snapshot());
      await node.does(...bridge('br-blue', { physicalPort: 'eth1' }), sysctl`-qw net.ipv4.tcp_l3mdev_accept=1`);
      await node.does(['touch', '/run/mark']);

      expect(lasting(await other.snapshot())).to.deep.equal(before);
      expect(await devicesOf(node)).to.have.members(['br-blue', 'eth1', 'lo', 'ovs-system']);
      expect(await devicesOf(other)).to.deep.equal(['lo']);
      expect((await other.run(['ls', '/run/mark'])).exitCode).to.equal(2);
      expect((await other.run(['pgrep', '--count', 'ovs-vswitchd'])).stdout).to.equal('1\n');
      expect(await node.does(['hostname'], ['hostname'])).to.equal('worker-a\n');
      expect(await other.does(['hostname'])).to.equal('worker-b\n');
    });

    async function devicesOf(node: LabNode): Promise<readonly string[]> {
      return (await node.snapshot()).links.map(({ name }) => name);
    }

    it('need not have a switch', async () => {
      const node = await (await sharedMachine()).node('peer', { openVSwitch: false });
      nodes.push(node);
      const { exitCode, stderr } = await node.run(ovsVsctl`show`);
      expect(exitCode).to.equal(1);
      expect(stderr).to.include('database connection failed');
    });

    it('that does not start reports why', async () => {
      const name = 'n'.repeat(65);
      expect(await reasonOf(newNode(name))).to.equal(
        `node ${name} did not come up: hostname: sethostname: Invalid argument\n`,
      );
    });

    it('that has ended blocks no request, and its machine continues', async () => {
      const machine = await sharedMachine();
      const node = await machine.node('worker-a', { openVSwitch: false });
      const pending = reasonOf(node.until([], '/run/nothing', 'never', 1000));
      await node.end();
      expect(await pending).to.equal('worker-a has ended');
      expect(await (await newNode()).does(['hostname'])).to.equal('worker-a\n');
    });

    it('that has ended leaves only its name to the next one', async () => {
      const machine = await sharedMachine();
      const first = await machine.node('worker-c');
      expect(await reasonOf(machine.node('worker-c'))).to.equal('there is already a node worker-c');
      await first.does(...bridge('br-blue'));
      await first.end();
      expect(await reasonOf(first.run(['true']))).to.equal('there is no node worker-c');
      expect((await (await newNode('worker-c')).snapshot()).bridges).to.deep.equal([]);
    });
  });

  describe('a program on a node', () => {
    it('returns its exit status and output', async () => {
      const node = await newNode();
      const [failed, finished] = await node.runAll([ip`link add lo type dummy`, ['cat', '/proc/sys/kernel/ostype']]);
      expect(failed).to.deep.equal({ exitCode: 2, stdout: '', stderr: 'RTNETLINK answers: File exists\n' });
      expect(finished).to.deep.equal({ exitCode: 0, stdout: 'Linux\n', stderr: '' });
    });

    it('reads long input, and returns output that is not ASCII', async () => {
      const node = await newNode();
      const input = 'é\u0000"\n'.repeat(20_000);
      expect((await node.run(['cat'], { input })).stdout).to.equal(input);
      const { stdout } = await node.run(['printf', '%s|', 'a b', 'é', '', "'$HOME'"]);
      expect(stdout).to.equal("a b|é||'$HOME'|");
    });

    it('without an exit status reports why', async () => {
      const node = await newNode();
      expect(await reasonOf(node.run(['nothing', 'here']))).to.equal(
        '"nothing here" on worker-a is not installed, or not in PATH',
      );
      expect(await reasonOf(node.run(['/bin/busybox', 'ash', '-c', 'kill -TERM $$']))).to.equal(
        '"/bin/busybox ash -c kill -TERM $$" on worker-a was killed by SIGTERM',
      );
      expect(await reasonOf(node.run(['/run']))).to.equal(
        '"/run" on worker-a could not be started: [Errno 13] Permission denied: \'/run\'',
      );
    });

    it('is killed with its children when its deadline has passed', async () => {
      const node = await newNode();
      const late = node.run(['/bin/busybox', 'ash', '-c', '/bin/sleep 1000 & wait'], { deadline: 300 });
      expect(await reasonOf(late)).to.include('did not finish within 0.3 s and was killed');
      expect((await node.run(['pgrep', '--full', '^/bin/sleep 1000$'])).exitCode).to.equal(1);
    });

    it('does not delay others', async () => {
      const node = await newNode();
      await node.does(['mkfifo', '/run/pipe']);
      const reader = node.run(['cat', '/run/pipe']);
      expect((await node.run(['cp', '/dev/stdin', '/run/pipe'], { input: 'at last' })).stderr).to.equal('');
      expect((await reader).stdout).to.equal('at last');
    });
  });

  describeOnEachUserland('a snapshot', (machine) => {
    it('equals that of a capture', async () => {
      const node = await newNode('worker-a', machine());
      await node.does(
        ...bridge('br-blue', { addresses: ['192.0.2.6/24'], physicalPort: 'eth1' }),
        ip`link add blue type vrf table 1001`,
        ip`link set blue up`,
        ip`link set br-blue master blue`,
        ip`address add 2001:db8:b::6/64 dev br-blue`,
        ip`link add link eth1 name eth1.100 type vlan id 100`,
        ip`link add été type dummy`,
        ip`nexthop add id 7 via 192.0.2.1 dev br-blue`,
        ip`route add default nhid 7 table 1001`,
        ip`route add 198.51.100.0/24 via 192.0.2.1 dev br-blue table 1001 metric 7 proto 94`,
        ip`-6 route add default via 2001:db8:b::1 dev br-blue table 1001`,
        ip`rule add fwmark 0x1001 lookup 1001 pref 1999`,
        ip`-6 rule add fwmark 0x1001 lookup 1001 pref 2006`,
        ip`neighbour add 192.0.2.1 lladdr 02:42:c0:00:02:01 dev br-blue`,
        sysctl`-qw net.ipv4.conf.eth1/100.rp_filter=1`,
        ovsVsctl`set Open_vSwitch . ${'external_ids:ovn-bridge-mappings=physnet:br-blue'}`,
        ['mkdir', '/run/ovn-uplinks'],
      );
      const ledger = '{"version": 1, "entries": [{"kind": "unheard of"}]}';
      await node.run(['cp', '/dev/stdin', '/run/ovn-uplinks/ledger.json'], { input: ledger });

      const [snapshot, captured] = await bothInPeace(node);
      expect(snapshot).to.deep.equal(captured);
      expect(captured.sysctls).to.include({ 'net.ipv4.conf.eth1/100.rp_filter': '1' });
      expect(captured.sysctls).to.have.property('net.ipv4.conf.été.rp_filter');
      expect(captured.ledger.unknown).to.deep.equal([{ kind: 'unheard of' }]);
    });
  });

  /** A snapshot and a capture between which nothing has changed: some things, such as states of links, come up to a second later. */
  async function bothInPeace(node: LabNode): Promise<readonly [LastingSnapshot, LastingSnapshot]> {
    const directory = join(newFolder(), 'worker-a');
    const before = lasting(await node.snapshot());
    await node.capture(directory);
    const after = lasting(await node.snapshot());
    if (JSON.stringify(before) !== JSON.stringify(after)) return bothInPeace(node);
    return [before, lasting(valueOf(await new CapturedNode('worker-a', directory).read()))];
  }

  describe('a snapshot', () => {
    it('equals that of a capture, also after interface indexes have changed', async () => {
      const node = await newNode();
      await node.does(
        ...devices(['dev-a', 20], ['dev-b', 21], ['dev-c', 22]),
        ip`link add blue index 23 type vrf table 1001`,
      );
      const first = await node.snapshot();
      await node.does(
        ...['dev-a', 'dev-b', 'dev-c', 'blue'].map((device) => ip`link delete ${device}`),
        ...devices(['dev-b', 20], ['dev-e', 21], ['dev-d', 22]),
        ip`link set dev-d down`,
        ip`link set dev-d name dev-c`,
        ip`link set dev-c up`,
        ip`link add blue index 24 type vrf table 1002`,
        ip`link add red index 23 up type vrf table 1001`,
        ip`link set dev-e master red`,
        ip`link add link dev-c name dev-c.5 up type vlan id 5`,
      );
      const [snapshot, captured] = await bothInPeace(node);
      expect(snapshot).to.deep.equal(captured);
      expect(snapshot.routes).not.to.deep.equal(first.routes);
      expect(snapshot.routes.map(({ nextHops: [hop] }) => hop?.device))
        .to.include.members(['dev-b', 'dev-e'])
        .and.not.include('dev-a');
    });

    /** Devices with numbers of their own, each with an address, a route by a next hop object, and a neighbour. */
    function devices(...numbered: readonly (readonly [name: string, index: number])[]): readonly ArgumentVector[] {
      return numbered.flatMap(([name, index]) => [
        ip`link add ${name} index ${index} up type dummy`,
        ip`address add 10.${index}.0.6/24 dev ${name}`,
        ip`nexthop add id ${index} via 10.${index}.0.1 dev ${name}`,
        ip`route add 10.${index}.9.0/24 nhid ${index}`,
        ip`route add 2001:db8:${index}::/48 dev ${name}`,
        ip`neighbour add 10.${index}.0.1 lladdr 02:00:00:00:00:01 dev ${name}`,
        ip`neighbour add proxy 10.${index}.0.9 dev ${name}`,
      ]);
    }

    it('is refused if the node cannot be read', async () => {
      const node = await newNode();
      await node.does(['ovs-appctl', '--target=ovsdb-server', 'exit']);
      expect(await reasonOf(node.snapshot())).to.match(
        /^worker-a cannot be captured:\n.*ovsdb.json: "ovsdb-client --format=json dump Open_vSwitch" exited with status 1 /,
      );
    });
  });

  type LastingSnapshot = Omit<NodeSnapshot, 'uptimeSeconds'>;

  /** A snapshot without what is another each time. */
  function lasting({ uptimeSeconds: _, ...snapshot }: NodeSnapshot): LastingSnapshot {
    // Only captures have flows here.
    return { ...snapshot, flows: [], fdbEntries: [], noFloodPorts: [] };
  }
});
