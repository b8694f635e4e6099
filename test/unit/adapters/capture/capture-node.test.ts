import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { captureNode } from '../../../../src/adapters/capture/capture-node.ts';
import { CapturedNode } from '../../../../src/adapters/capture/captured-node.ts';
import { ExecaPrograms } from '../../../../src/adapters/execa/execa-programs.ts';
import { writeLedger } from '../../../../src/domain/entities/ownership/ledger-text.ts';
import { describeProblem } from '../../../../src/ports/input-problem.ts';
import type { Programs } from '../../../../src/ports/node/programs.ts';
import { withShortDeadline } from '../short-deadline.ts';
import { valueOf } from '../readings.ts';
import { temporaryFolders } from '../temporary-folders.ts';

type Scripts = Readonly<Record<string, string>>;

/** Prints the name and the arguments of the program, a line each. */
const printArguments = `printf '%s\\n' "\${0##*/}" "$@"`;

/** The programs of a machine, as scripts for sh. */
const machine: Scripts = {
  ip: printArguments,
  'ovs-vsctl': 'printf "br-ex\\n"',
  'ovs-ofctl': printArguments,
  'ovs-appctl': printArguments,
  'ovsdb-client': printArguments,
  devlink: printArguments,
  sysctl: 'printf "net.ipv4.conf.all.rp_filter = 1\\n"',
  uname: printArguments,
  cat: printArguments,
};

function without(program: string): Scripts {
  return Object.fromEntries(Object.entries(machine).filter(([name]) => name !== program));
}

describe('the capture of a node', function () {
  this.timeout(30_000);
  const newFolder = temporaryFolders();

  function programsOf(scripts: Scripts): ExecaPrograms {
    const folder = newFolder();
    for (const [name, script] of Object.entries(scripts)) {
      writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
      chmodSync(join(folder, name), 0o755);
    }
    return new ExecaPrograms({ PATH: folder });
  }

  /** Captures into a folder; returns the problems without its path. */
  async function captureWith(programs: Programs, directory: string) {
    const { problems } = await captureNode(directory, programs, { limits: { deadline: 60_000 } });
    return {
      directory,
      problems: problems.map((problem) =>
        describeProblem(problem).replaceAll(`${directory}/`, '').replaceAll(directory, 'DIR'),
      ),
    };
  }

  function capture(scripts: Scripts, directory = join(newFolder(), 'node')) {
    return captureWith(programsOf(scripts), directory);
  }

  const files: readonly (readonly [file: string, ...command: string[]])[] = [
    ['ip-link.json', 'ip', '-json', '-details', 'link', 'show'],
    ['ip-address.json', 'ip', '-json', '-details', 'address', 'show'],
    ['ip-route4.json', 'ip', '-json', '-details', '-N', '-4', 'route', 'show', 'table', 'all'],
    ['ip-route6.json', 'ip', '-json', '-details', '-N', '-6', 'route', 'show', 'table', 'all'],
    ['ip-rule4.json', 'ip', '-json', '-details', '-N', '-4', 'rule', 'show'],
    ['ip-rule6.json', 'ip', '-json', '-details', '-N', '-6', 'rule', 'show'],
    ['ip-neighbour.json', 'ip', '-json', '-details', 'neighbour', 'show', 'nud', 'all'],
    ['ip-neighbour-proxy.json', 'ip', '-json', '-details', 'neighbour', 'show', 'proxy'],
    ['ip-nexthop.json', 'ip', '-json', '-details', 'nexthop', 'show'],
    ['ovsdb.json', 'ovsdb-client', '--format=json', 'dump', 'Open_vSwitch'],
    ['devlink-port.json', 'devlink', 'port', 'show', '-j'],
    ['ip-tables-names.txt', 'cat', '/proc/net/ip_tables_names'],
    ['ip6-tables-names.txt', 'cat', '/proc/net/ip6_tables_names'],
    ['boot-id.txt', 'cat', '/proc/sys/kernel/random/boot_id'],
    ['uptime.txt', 'cat', '/proc/uptime'],
    ['ledger/ledger.json', 'cat', '/run/ovn-uplinks/ledger.json'],
    ['kernel.txt', 'uname', '-r'],
    ['flows/br-ex.txt', 'ovs-ofctl', '-O', 'OpenFlow14', '--no-stats', '--no-names', 'dump-flows', '--', 'br-ex'],
    ['ports/br-ex.txt', 'ovs-ofctl', '-O', 'OpenFlow10', 'dump-ports-desc', '--', 'br-ex'],
    ['fdb/br-ex.txt', 'ovs-appctl', 'fdb/show', 'br-ex'],
  ];

  it('is the output of each program, unedited', async () => {
    const { directory, problems } = await capture(machine);
    expect(problems).to.deep.equal([]);
    for (const [file, ...command] of files) {
      expect(readFileSync(join(directory, file), 'utf8'), file).to.equal(command.map((word) => `${word}\n`).join(''));
    }
    const written = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(written).to.have.length(files.length + 1);
  });

  it('includes bytes that are not text', async () => {
    const { directory } = await capture({ ...machine, ip: "printf '\\377\\001x'" });
    expect([...readFileSync(join(directory, 'ip-link.json'))]).to.deep.equal([0xff, 0x01, 0x78]);
  });

  it('includes bytes that are not text in lines of sysctl', async () => {
    const sysctl = "printf 'net.ipv4.conf.x\\377\\303y.rp_filter = 1\\n'";
    const { directory } = await capture({ ...machine, sysctl });
    expect(readFileSync(join(directory, 'sysctl.txt')).subarray(15, 18)).to.deep.equal(Buffer.from([0xff, 0xc3, 0x79]));
  });

  it('has files for each bridge, with any name', async () => {
    const names = ['-force', 'a b', 'a#b', "it's", '$HOME', '..', 'été', '<bridge>', '$&'];
    const { directory, problems } = await capture({
      ...machine,
      'ovs-vsctl': `printf '%s\\n' ${names.map((name) => `'${name.replaceAll("'", "'\\''")}'`).join(' ')}`,
    });
    expect(problems).to.deep.equal([]);
    for (const name of names) {
      expect(
        readFileSync(join(directory, 'flows', `${name}.txt`), 'utf8')
          .split('\n')
          .at(-2),
      ).to.equal(name);
      expect(
        readFileSync(join(directory, 'fdb', `${name}.txt`), 'utf8')
          .split('\n')
          .at(-2),
      ).to.equal(name);
    }
  });

  it('has no bridge files without bridges', async () => {
    const { directory, problems } = await capture({ ...machine, 'ovs-vsctl': 'exit 0' });
    expect(problems).to.deep.equal([]);
    expect(existsSync(join(directory, 'flows'))).to.equal(false);
  });

  it('includes real bridges only', async () => {
    const { problems } = await capture({ ...machine, 'ovs-vsctl': '[ "$*" = "-- --real list-br" ]' });
    expect(problems).to.deep.equal([]);
  });

  it('includes relevant lines of sysctl, even if some keys cannot be read', async () => {
    const kept = [
      'net.ipv4.conf.eth1/100.rp_filter = 2',
      'net.ipv4.conf.all.forwarding = 1',
      'net.ipv6.conf.br-ex.keep_addr_on_down = 0',
      'net.ipv6.conf.br-ex.disable_ipv6 = 0',
      'net.ipv4.tcp_l3mdev_accept = 0',
      'net.ipv4.udp_l3mdev_accept = 0',
      'net.ipv4.raw_l3mdev_accept = 1',
    ];
    const dropped = [
      'kernel.rp_filter = 1',
      'net.ipv4.conf.all.rp_filter_not = 1',
      'net.ipv4.tcp_rmem = 1 2 3',
      'xnet.ipv4.tcp_l3mdev_accept = 0',
    ];
    const sysctl = `printf '%s\\n' ${[...dropped, ...kept].map((line) => `'${line}'`).join(' ')}; echo 'permission denied' >&2; exit 255`;
    const { directory, problems } = await capture({ ...machine, sysctl });
    expect(problems).to.deep.equal([]);
    expect(readFileSync(join(directory, 'sysctl.txt'), 'utf8')).to.equal(kept.map((line) => `${line}\n`).join(''));
  });

  for (const [what, scripts] of [
    ['not installed', without('devlink')],
    ['not supported', { ...machine, devlink: 'echo "Failed to connect to devlink Netlink" >&2; exit 1' }],
  ] as const) {
    it(`has no devlink file if devlink is ${what}`, async () => {
      const { directory, problems } = await capture(scripts);
      expect(problems).to.deep.equal([]);
      expect(existsSync(join(directory, 'devlink-port.json'))).to.equal(false);
      expect(existsSync(join(directory, 'ip-link.json'))).to.equal(true);
    });
  }

  it('has no ledger if there is none', async () => {
    const cat = 'case "$1" in /run/*) echo "cat: $1: No such file or directory" >&2; exit 1;; *) echo "$1";; esac';
    const { directory, problems } = await capture({ ...machine, cat });
    expect(problems).to.deep.equal([]);
    expect(existsSync(join(directory, 'ledger'))).to.equal(false);
    expect(readFileSync(join(directory, 'uptime.txt'), 'utf8')).to.equal('/proc/uptime\n');
  });

  const failures: readonly (readonly [what: string, scripts: Scripts, problems: readonly string[]])[] = [
    ['a program is not installed', without('uname'), ['kernel.txt: "uname -r" is not installed, or not in PATH']],
    ['sysctl is not installed', without('sysctl'), ['sysctl.txt: "sysctl -a" is not installed, or not in PATH']],
    [
      'ovs-vsctl is not installed',
      without('ovs-vsctl'),
      ['DIR: "ovs-vsctl -- --real list-br" is not installed, or not in PATH'],
    ],
    [
      'a program fails',
      { ...machine, 'ovsdb-client': 'echo "failed to connect" >&2; echo "(No such file)" >&2; exit 1' },
      [
        'ovsdb.json: "ovsdb-client --format=json dump Open_vSwitch" exited with status 1 and printed: failed to connect / (No such file); ovsdb-server does not run on this machine, or uses another socket: start Open vSwitch, and capture on a node',
      ],
    ],
    [
      'a program fails without a message',
      { ...machine, uname: 'exit 2' },
      ['kernel.txt: "uname -r" exited with status 2 and printed no reason'],
    ],
    ['a program is killed', { ...machine, uname: 'kill -9 $$' }, ['kernel.txt: "uname -r" was killed by SIGKILL']],
    [
      'several programs fail',
      { ...without('ovs-appctl'), uname: 'exit 2' },
      [
        'kernel.txt: "uname -r" exited with status 2 and printed no reason',
        'fdb/br-ex.txt: "ovs-appctl fdb/show br-ex" is not installed, or not in PATH',
      ],
    ],
    [
      'a bridge has a slash in its name',
      { ...machine, 'ovs-vsctl': 'printf "a/b\\n"' },
      ['DIR: Bridge/a/b: has a name with a slash, which no file can have'],
    ],
    [
      'a program fails for a bridge with a special name',
      { ...machine, 'ovs-vsctl': `printf '%s\\n' "it's"`, 'ovs-appctl': 'exit 1' },
      [`fdb/it's.txt: "ovs-appctl fdb/show 'it'\\''s'" exited with status 1 and printed no reason`],
    ],
    [
      'a file cannot be written',
      { ...machine, 'ovs-vsctl': `printf '%0252d\\n' 0`, 'ovs-ofctl': 'exit 0', 'ovs-appctl': 'exit 0' },
      ['flows', 'ports', 'fdb'].map(
        (folder) => `${folder}/${'0'.repeat(252)}.txt: cannot be written: ENAMETOOLONG: name too long`,
      ),
    ],
  ];
  for (const [what, scripts, lines] of failures) {
    it(`leaves no files behind if ${what}, and reports it`, async () => {
      const parent = newFolder();
      const { problems } = await capture(scripts, join(parent, 'node'));
      expect(problems).to.deep.equal(lines);
      expect(readdirSync(parent)).to.deep.equal([]);
    });
  }

  it('leaves no files behind if a program hangs, and reports it', async () => {
    const parent = newFolder();
    const programs = withShortDeadline(programsOf({ ...machine, devlink: 'while :; do :; done' }), 'devlink', 1000);
    const { problems } = await captureWith(programs, join(parent, 'node'));
    expect(problems).to.deep.equal([
      'devlink-port.json: "devlink port show -j" did not finish within 1 s and was killed',
    ]);
    expect(readdirSync(parent)).to.deep.equal([]);
  });

  it('has its name only once it is complete', async () => {
    const parent = newFolder();
    const directory = join(parent, 'node');
    const { problems } = await capture({ ...machine, uname: `[ ! -e '${directory}' ]` }, directory);
    expect(problems).to.deep.equal([]);
    expect(readdirSync(parent)).to.deep.equal(['node']);
  });

  it('creates parent folders, and replaces an empty folder', async () => {
    const directory = join(newFolder(), 'a', 'node');
    expect((await capture(machine, directory)).problems).to.deep.equal([]);
    const empty = newFolder();
    expect((await capture(machine, empty)).problems).to.deep.equal([]);
    expect(readdirSync(empty)).to.include('ip-link.json');
  });

  it('does not replace a file or a folder that is not empty', async () => {
    const directory = newFolder();
    writeFileSync(join(directory, 'mine'), 'kept');
    expect((await capture(machine, directory)).problems).to.deep.equal([
      'DIR: exists and is not empty; name a folder that does not exist yet',
    ]);
    expect((await capture(machine, join(directory, 'mine'))).problems).to.deep.equal([
      'DIR: is, or is below, something that is not a folder; name a folder that does not exist yet',
    ]);
    symlinkSync('loop', join(directory, 'loop'));
    expect((await capture(machine, join(directory, 'loop'))).problems).to.deep.equal([
      'DIR: cannot be inspected: ELOOP: too many symbolic links encountered',
    ]);
    expect(readdirSync(directory)).to.deep.equal(['loop', 'mine']);
    expect(readFileSync(join(directory, 'mine'), 'utf8')).to.equal('kept');
  });

  it('does not replace a folder that is filled meanwhile', async () => {
    const parent = newFolder();
    const directory = join(parent, 'node');
    mkdirSync(directory);
    const { problems } = await capture({ ...machine, uname: `echo kept > '${directory}/theirs'` }, directory);
    expect(problems).to.deep.equal(['DIR: cannot be created: ENOTEMPTY: directory not empty']);
    expect(readdirSync(parent)).to.deep.equal(['node']);
    expect(readdirSync(directory)).to.deep.equal(['theirs']);
  });

  it('can be read', async () => {
    const tables = ['Open_vSwitch', 'Bridge', 'Port', 'Interface'];
    const dump = tables.map((name) => `{"caption":"${name} table","headings":["_uuid"],"data":[]}`).join('\\n');
    const link = '{"ifindex":1,"ifname":"lo","flags":["UP"],"mtu":65536,"link_type":"loopback"}';
    const ip = `case "$*" in *link*) echo '[${link}]';; *address*) echo '[{"ifindex":1,"addr_info":[]}]';; *) echo '[]';; esac`;
    const bootId = '5a1ff1fe-7a3c-4c3f-8f0a-3c3c1f6f0b3e';
    const entry = {
      kind: 'membership',
      device: 'eth1',
      vrf: 'blue',
      table: 1007,
      network: 'cluster_udn_blue',
    } as const;
    const ledger = { version: 2, entries: [entry], unknown: [] };
    const cat = [
      'case "$1" in',
      `*boot_id) echo ${bootId};;`,
      '*uptime) echo "61.50 118.02";;',
      `*) printf '%s' '${writeLedger(ledger, bootId)}';;`,
      'esac',
    ].join('\n');
    const { directory } = await capture({
      ...machine,
      ip,
      cat,
      'ovsdb-client': `printf '${dump}'`,
      devlink: `echo '{"port":{}}'`,
    });
    expect(valueOf(await new CapturedNode('n', directory).read())).to.deep.equal({
      nodeName: 'n',
      chassis: [],
      remotePorts: [],
      filterTables: [],
      forwardDrops: [],
      links: [
        { index: 1, name: 'lo', up: true, operationalState: 'unknown', mtu: 65536, type: 'loopback', addresses: [] },
      ],
      routes: [],
      nextHopObjects: [],
      rules: [],
      neighbours: [],
      neighbourProxies: [],
      flows: [],
      fdbEntries: [],
      noFloodPorts: [],
      northbound: [],
      switchExternalIds: {},
      bridges: [],
      devlinkPorts: [],
      sysctls: { 'net.ipv4.conf.all.rp_filter': '1' },
      ledger,
      bootId,
      uptimeSeconds: 61.5,
    });
  });
});
