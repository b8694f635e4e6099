import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { CapturedNode } from '../../../../src/adapters/capture/captured-node.ts';
import { emptyLedger } from '../../../../src/domain/snapshot/ledger.ts';
import { writeLedger } from '../../../../src/domain/entities/ownership/ledger-text.ts';
import type { NodeSnapshot } from '../../../../src/domain/snapshot/node-snapshot.ts';
import { problemLines, valueOf } from '../readings.ts';
import { temporaryFolders } from '../temporary-folders.ts';

const captures = fileURLToPath(new URL('../../../../fixtures/captures', import.meta.url));

async function read(directory: string): Promise<NodeSnapshot> {
  return valueOf(await new CapturedNode('worker-a', directory).read());
}

async function problemsIn(directory: string): Promise<readonly string[]> {
  const lines = problemLines(await new CapturedNode('worker-a', directory).read());
  return lines.map((line) => line.replace(`${directory}/`, '').replace(directory, 'DIR'));
}

describe('a captured node', () => {
  const newFolder = temporaryFolders();

  /** Copies the captured worker-a, for a test to change. */
  function copy(): string {
    const directory = join(newFolder(), 'worker-a');
    cpSync(join(captures, 'worker-a'), directory, { recursive: true });
    return directory;
  }

  it('reads as the node', async () => {
    const node = await read(join(captures, 'worker-a'));
    expect(node.nodeName).to.equal('worker-a');
    expect(node.links).to.have.length(32);
    expect(node.links.find(({ name }) => name === 'br-blue')?.addresses.map(({ address }) => address)).to.deep.equal([
      '192.0.2.6',
      '192.0.2.66',
      '2001:db8:b::6',
      'fe80::42:c0ff:fe00:206',
    ]);
    expect(node.links.find(({ name }) => name === 'lonely')?.addresses.map(({ address }) => address)).to.include(
      '198.51.100.198',
    );
    expect(node.routes.filter(({ family }) => family === 4)).to.have.length(52);
    expect(node.routes.filter(({ family }) => family === 6)).to.have.length(120);
    expect(node.bridges).to.have.length(11);
    expect(node.bridges.flatMap(({ ports }) => ports).map(({ name }) => name)).to.not.include('lonely');
    expect(node.switchExternalIds['system-id']).to.equal('worker-a-chassis');
    expect(node.devlinkPorts).to.deep.equal([]);
    expect(node.sysctls['net.ipv4.conf.all.rp_filter']).to.equal('1');
    expect(node.rules.map(({ family, priority }) => [family, priority])).to.deep.equal([
      [4, 0],
      [4, 32766],
      [4, 32767],
      [6, 0],
      [6, 32766],
    ]);
    expect(node.neighbours.filter(({ states }) => states.includes('permanent'))).to.deep.equal([
      { device: 'br-ex', address: '169.254.0.4', macAddress: '0a:58:a9:fe:00:04', states: ['permanent'] },
    ]);
    // Captures that were made before proxy entries were read have no file of them.
    expect(node.neighbourProxies).to.deep.equal([]);
    expect(node.nextHopObjects).to.deep.equal([]);
    expect(node.ledger).to.deep.equal(emptyLedger);
    expect(node).to.not.have.any.keys('bootId', 'uptimeSeconds');
  });

  it('reads differently after the device was enslaved', async () => {
    const node = await read(join(captures, 'worker-a-blue-enslaved'));
    expect(node.links.find(({ name }) => name === 'blue')).to.include({ kind: 'vrf', vrfTable: 1007 });
    expect(node.links.find(({ name }) => name === 'br-blue')).to.include({ master: 'blue' });
    expect(node.routes.filter(({ table }) => table === 1007)).to.have.length(16);
  });

  it('may be without optional files', async () => {
    const directory = copy();
    for (const file of [
      'ip-route6.json',
      'ip-rule4.json',
      'ip-rule6.json',
      'ip-neighbour.json',
      'ip-nexthop.json',
      'sysctl.txt',
      'kernel.txt',
      'flows',
      'ports',
      'fdb',
    ]) {
      rmSync(join(directory, file), { recursive: true });
    }
    const node = await read(directory);
    expect(node.routes.map(({ family }) => family)).to.deep.equal(Array(52).fill(4));
    expect(node.sysctls).to.deep.equal({});
    expect(node.rules).to.deep.equal([]);
    expect(node.neighbours).to.deep.equal([]);
  });

  const bootId = '5a1ff1fe-7a3c-4c3f-8f0a-3c3c1f6f0b3e';
  const membership = {
    kind: 'membership',
    device: 'br-blue',
    vrf: 'blue',
    table: 1007,
    network: 'cluster_udn_blue',
  } as const;

  function copyWithLedger(text: string): string {
    const directory = copy();
    mkdirSync(join(directory, 'ledger'));
    writeFileSync(join(directory, 'ledger', 'ledger.json'), text);
    writeFileSync(join(directory, 'boot-id.txt'), `${bootId}\n`);
    writeFileSync(join(directory, 'uptime.txt'), '350735.47 234388.90\n');
    return directory;
  }

  it('includes the ledger, boot id and uptime', async () => {
    const ledger = { ...emptyLedger, entries: [membership] };
    const node = await read(copyWithLedger(writeLedger(ledger, bootId)));
    expect(node.ledger).to.deep.equal(ledger);
    expect(node.bootId).to.equal(bootId);
    expect(node.uptimeSeconds).to.equal(350735.47);
  });

  for (const [what, text, problem] of [
    ['truncated', writeLedger(emptyLedger, bootId).slice(0, 20), 'is not valid JSON'],
    ['empty', '', 'is not valid JSON'],
    ['from another boot', writeLedger({ ...emptyLedger, entries: [membership] }, 'other'), 'is of boot other'],
  ] as const) {
    it(`has an empty ledger, with the reason, if the file is ${what}`, async () => {
      const { ledger } = await read(copyWithLedger(text));
      expect(ledger.entries).to.deep.equal([]);
      expect(ledger.problem).to.include(problem);
    });
  }

  it('is invalid without boot id or uptime', async () => {
    const directory = copyWithLedger(writeLedger(emptyLedger, bootId));
    writeFileSync(join(directory, 'boot-id.txt'), '\n');
    writeFileSync(join(directory, 'uptime.txt'), 'long');
    expect(await problemsIn(directory)).to.deep.equal([
      'boot-id.txt: is empty: it is truncated or half-written',
      'uptime.txt: expected two numbers of seconds, as in "1234.56 789.01", found string "long"',
    ]);
  });

  it('includes representors and next hop objects', async () => {
    const directory = copy();
    writeFileSync(
      join(directory, 'devlink-port.json'),
      '{"port":{"pci/0000:03:00.0/1":{"netdev":"pf0hpf","flavour":"pcipf"}}}',
    );
    writeFileSync(
      join(directory, 'ip-nexthop.json'),
      '[{"id":1,"gateway":"192.0.2.9","dev":"br-blue"},{"id":2,"gateway":"2001:db8:b::9","dev":"br-blue"}]',
    );
    writeFileSync(join(directory, 'ip-route4.json'), '[{"dst":"default","nhid":1}]');
    writeFileSync(join(directory, 'ip-route6.json'), '[{"dst":"default","nhid":2}]');
    const node = await read(directory);
    expect(node.devlinkPorts).to.deep.equal([{ device: 'pf0hpf', flavour: 'pcipf' }]);
    expect(node.nextHopObjects).to.deep.equal([
      { id: 1, protocol: 'unspec', family: 4, device: 'br-blue', gateway: '192.0.2.9' },
      { id: 2, protocol: 'unspec', family: 6, device: 'br-blue', gateway: '2001:db8:b::9' },
    ]);
    expect(node.routes.map(({ family, nextHops }) => [family, nextHops])).to.deep.equal([
      [4, [{ device: 'br-blue', gateway: '192.0.2.9' }]],
      [6, [{ device: 'br-blue', gateway: '2001:db8:b::9' }]],
    ]);
  });

  it('includes neighbours in state NOARP and proxy entries', async () => {
    const directory = copy();
    const entry = { dst: '192.0.2.88', dev: 'br-blue' };
    const unresolved = { ...entry, lladdr: '02:00:00:00:00:88', state: ['NOARP'] };
    writeFileSync(join(directory, 'ip-neighbour.json'), JSON.stringify([unresolved]));
    writeFileSync(join(directory, 'ip-neighbour-proxy.json'), JSON.stringify([{ ...entry, proxy: null }]));
    const node = await read(directory);
    const read88 = { device: 'br-blue', address: '192.0.2.88' };
    expect(node.neighbours).to.deep.equal([{ ...read88, macAddress: '02:00:00:00:00:88', states: ['noarp'] }]);
    expect(node.neighbourProxies).to.deep.equal([read88]);
  });

  it('includes what the bridges do, except the integration bridge', async () => {
    const directory = copy();
    const flow = ' cookie=0x75706c6b, priority=7,ip,in_port=2 actions=output:1\n';
    const portLines = ' 2(red0): addr:02:42:c0:00:03:06\n     config:     NO_FLOOD\n';
    const fdbLine = '    2   100  02:42:c0:00:03:06  static\n';
    for (const [folder, text] of [
      ['flows', flow],
      ['ports', portLines],
      ['fdb', fdbLine],
    ] as const) {
      writeFileSync(join(directory, folder, 'br-red.txt'), text);
      writeFileSync(join(directory, folder, 'br-int.txt'), 'not read');
    }
    const node = await read(directory);
    expect(node.flows.filter(({ bridge }) => bridge === 'br-red')).to.deep.equal([
      {
        bridge: 'br-red',
        cookie: '0x75706c6b',
        table: 0,
        priority: 7,
        match: 'ip,in_port=red0',
        actions: 'output:eth2',
      },
    ]);
    expect(node.flows.map(({ bridge }) => bridge))
      .to.include('br-blue')
      .and.not.include('br-int');
    expect(node.noFloodPorts).to.deep.equal([{ bridge: 'br-red', port: 'red0' }]);
    expect(node.fdbEntries).to.deep.equal([
      { bridge: 'br-red', port: 'red0', vlan: 100, macAddress: '02:42:c0:00:03:06' },
    ]);
  });

  it('names the integration bridge in the switch database', async () => {
    const directory = copy();
    const database = readFileSync(join(directory, 'ovsdb.json'), 'utf8');
    writeFileSync(
      join(directory, 'ovsdb.json'),
      database.replace('["system-id","worker-a-chassis"]', '["system-id","worker-a-chassis"],["ovn-bridge","br-red"]'),
    );
    const { flows } = await read(directory);
    expect(flows.map(({ bridge }) => bridge))
      .to.include('br-blue')
      .and.not.include('br-red');
  });

  it('has the versions of kernel and Open vSwitch, where they were captured', async () => {
    const directory = copy();
    const versions = async () => {
      const { kernelRelease, openVSwitchVersion } = await read(directory);
      return { kernelRelease, openVSwitchVersion };
    };
    expect(await versions()).to.deep.equal({ kernelRelease: '6.1.176', openVSwitchVersion: undefined });
    writeFileSync(join(directory, 'kernel.txt'), '4.18.0-553.el8_10.x86_64\n');
    const lines = readFileSync(join(directory, 'ovsdb.json'), 'utf8').split('\n');
    const withVersion = lines.map((line) => {
      if (!line.includes('"Open_vSwitch table"')) return line;
      const table = JSON.parse(line) as { readonly headings: readonly string[]; readonly data: readonly unknown[][] };
      table.data[0]![table.headings.indexOf('ovs_version')] = '2.9.0';
      return JSON.stringify(table);
    });
    writeFileSync(join(directory, 'ovsdb.json'), withVersion.join('\n'));
    expect(await versions()).to.deep.equal({
      kernelRelease: '4.18.0-553.el8_10.x86_64',
      openVSwitchVersion: '2.9.0',
    });
  });

  it('may have other empty files', async () => {
    const directory = copy();
    writeFileSync(join(directory, 'ip-rule4.json'), '\n');
    writeFileSync(join(directory, 'devlink-port.json'), '\n');
    writeFileSync(join(directory, 'sysctl.txt'), ' \n');
    expect((await read(directory)).sysctls).to.deep.equal({});
  });

  for (const [file, text, address] of [
    ['ip-route4.json', '', '127.0.0.1 on lo'],
    ['ip-route4.json', '[]', '127.0.0.1 on lo'],
    ['ip-route6.json', '', '::1 on lo'],
  ] as const) {
    it(`is invalid without routes of a family with addresses: ${file} with ${JSON.stringify(text)}`, async () => {
      const directory = copy();
      writeFileSync(join(directory, file), text);
      expect(await problemsIn(directory)).to.deep.equal([
        `${file}: has no route, though the node has address ${address}, which comes with routes: the file is truncated or half-written; capture the node again`,
      ]);
    });
  }

  it('may have files that begin with a byte order mark', async () => {
    const directory = copy();
    const file = join(directory, 'ip-link.json');
    writeFileSync(file, `\ufeff${readFileSync(file, 'utf8')}`);
    expect((await read(directory)).links).to.have.length(32);
  });

  const how = '"ovn-uplinks capture --out DIR" on the node makes it';

  it('is invalid without links, addresses, IPv4 routes and the switch database', async () => {
    expect(await problemsIn(newFolder())).to.deep.equal([
      `ip-link.json: is missing; it should hold the output of "ip -json -details link show", and ${how}`,
      `ip-address.json: is missing; it should hold the output of "ip -json -details address show", and ${how}`,
      `ip-route4.json: is missing; it should hold the output of "ip -json -details -N -4 route show table all", and ${how}`,
      `ovsdb.json: is missing; it should hold the output of "ovsdb-client --format=json dump Open_vSwitch", and ${how}`,
    ]);
  });

  it('is a folder', async () => {
    const directory = newFolder();
    writeFileSync(join(directory, 'file'), '');
    expect(await problemsIn(join(directory, 'absent'))).to.deep.equal([
      `DIR: does not exist; expected the folder of a captured node, and ${how}`,
    ]);
    expect(await problemsIn(join(directory, 'file'))).to.deep.equal([
      `DIR: is a file; expected the folder of a captured node, and ${how}`,
    ]);
    expect(await problemsIn(join(directory, 'file', 'below'))).to.deep.equal([
      'DIR: cannot be read: ENOTDIR: not a directory',
    ]);
  });

  const cut = (column: number, expected: string) =>
    `ends at line 1, column ${column}, where ${expected} was expected: it is truncated or half-written`;
  const cuts: readonly (readonly [file: string, bytes: number, message: string])[] = [
    ['ip-link.json', 0, 'is empty: it is truncated or half-written'],
    ['ip-address.json', 0, 'is empty: it is truncated or half-written'],
    ['ip-link.json', 10000, cut(10001, 'a name in quotes')],
    ['ip-address.json', 1, cut(2, '"," or "]"')],
    ['ip-route4.json', 1, cut(2, '"," or "]"')],
    ['ip-route6.json', 1, cut(2, '"," or "]"')],
    ['ip-rule4.json', 100, cut(101, 'the rest of a value')],
    ['ip-rule6.json', 100, cut(101, 'the rest of a value')],
    ['ip-neighbour.json', 2000, cut(2001, 'the rest of a value')],
    ['ip-nexthop.json', 1, cut(2, '"," or "]"')],
    ['flows/br-red.txt', 20, 'line 1: is truncated or half-written'],
    ['ports/br-red.txt', 60, 'line 2: is truncated or half-written'],
    ['fdb/br-red.txt', 45, 'line 2: is truncated or half-written'],
    ['sysctl.txt', 40, 'line 2: expected "name = value", found "net.ipv"'],
  ];
  for (const [file, bytes, message] of cuts) {
    it(`is invalid if ${file} is truncated after ${bytes} bytes`, async () => {
      const directory = copy();
      truncateSync(join(directory, file), bytes);
      expect(await problemsIn(directory)).to.deep.equal([`${file}: ${message}`]);
    });
  }

  it('is invalid if devlink-port.json is truncated', async () => {
    const directory = copy();
    writeFileSync(join(directory, 'devlink-port.json'), '{"port"');
    expect(await problemsIn(directory)).to.deep.equal([`devlink-port.json: ${cut(8, '":"')}`]);
  });

  it('is invalid if the switch database is truncated before its last required table', async () => {
    const whole = readFileSync(join(captures, 'worker-a', 'ovsdb.json'), 'utf8');
    const afterPorts = whole.indexOf('\n', whole.indexOf('{"caption":"Port table"'));
    const directory = copy();
    for (const bytes of [
      0,
      1,
      5000,
      whole.indexOf('{"caption":"Open_vSwitch table"'),
      whole.indexOf('{"caption":"Port table"'),
      afterPorts - 1,
    ]) {
      writeFileSync(join(directory, 'ovsdb.json'), whole.slice(0, bytes));
      expect(await problemsIn(directory), `${bytes} bytes`).to.not.be.empty;
    }
  });

  it('is invalid with the problems of all files', async () => {
    const directory = copy();
    writeFileSync(
      join(directory, 'ip-link.json'),
      '[{"ifindex":"x","ifname":"lo","flags":[],"mtu":1,"link_type":"loopback"}]',
    );
    writeFileSync(join(directory, 'ip-nexthop.json'), '7');
    writeFileSync(join(directory, 'ip-route4.json'), '[{"dst":"home","nhid":1}]');
    writeFileSync(join(directory, 'ip-neighbour.json'), '[');
    rmSync(join(directory, 'ovsdb.json'));
    expect(await problemsIn(directory)).to.deep.equal([
      'ip-link.json: [0].ifindex: expected a whole number, found string "x"',
      'ip-route4.json: [0].dst: expected "default", or an IPv4 address or subnet, found string "home"',
      `ip-neighbour.json: ${cut(2, '"," or "]"')}`,
      'ip-nexthop.json: expected a list, found number 7',
      `ovsdb.json: is missing; it should hold the output of "ovsdb-client --format=json dump Open_vSwitch", and ${how}`,
    ]);
  });

  it('is invalid if a file cannot be read', async () => {
    const directory = copy();
    rmSync(join(directory, 'ip-nexthop.json'));
    symlinkSync('ip-nexthop.json', join(directory, 'ip-nexthop.json'));
    expect(await problemsIn(directory)).to.deep.equal([
      'ip-nexthop.json: cannot be read: ELOOP: too many symbolic links encountered',
    ]);
  });

  it('may have files of up to 64 MiB', async () => {
    const directory = copy();
    truncateSync(join(directory, 'ip-rule4.json'), 64 * 1024 * 1024);
    expect(await problemsIn(directory)).to.deep.equal([
      'ip-rule4.json: is not JSON at line 2, column 1: expected a value or a name in quotes, found "'.concat(
        '\\u0000'.repeat(20),
        '"',
      ),
    ]);
  });

  it('is invalid if a file is larger than 64 MiB, or not a regular file', async () => {
    const directory = copy();
    truncateSync(join(directory, 'ip-link.json'), 64 * 1024 * 1024 + 1);
    rmSync(join(directory, 'ip-route4.json'));
    mkdirSync(join(directory, 'ip-route4.json'));
    expect(await problemsIn(directory)).to.deep.equal([
      'ip-link.json: is 65 MiB large, more than the 64 MiB that are read',
      'ip-route4.json: is not a regular file',
    ]);
  });
});
