import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ExecaPrograms } from '../../src/adapters/execa/execa-programs.ts';
import { configureController, removeControllerSettings } from '../../src/adapters/open-vswitch/controller-settings.ts';
import { SouthboundListener } from '../../src/adapters/ovn/southbound-listener.ts';
import { prepareDatabases, zoneDatabases } from '../../src/adapters/ovn/zone-databases.ts';
import { occupiedSocket } from '../../src/adapters/ovsdb/occupied-socket.ts';
import { unixServer } from '../../src/adapters/ovsdb/server.ts';
import { eventually } from '../unit/adapters/processes.ts';
import { temporaryFolders } from '../unit/adapters/temporary-folders.ts';
import { ovnUplinksProcess } from './command.ts';

const SWITCH_SCHEMA = '/usr/share/openvswitch/vswitch.ovsschema';

const newFolder = temporaryFolders();
const servers: ChildProcess[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    if (server.exitCode !== null || server.signalCode !== null) continue;
    const ended = once(server, 'exit');
    server.kill();
    await ended;
  }
});

const tool = (...words: readonly string[]) => execFileSync('ovsdb-tool', words, { encoding: 'utf8' });
const prepare = (folder: string) => prepareDatabases(new ExecaPrograms(), folder);

/** Serves databases, at a socket and where the Southbound says. */
async function serve(folder: string, socket: string, ...options: readonly string[]): Promise<void> {
  servers.push(spawn('ovsdb-server', [...options, `--remote=punix:${socket}`, `--unixctl=${folder}/ctl`, '-voff']));
  // Its socket is there before it listens at it.
  await eventually('ovsdb-server listens', async () => (await occupiedSocket(socket)) !== undefined);
}

function transact(socket: string, database: string, ...operations: readonly object[]): void {
  const printed = execFileSync('ovsdb-client', [
    'transact',
    `unix:${socket}`,
    JSON.stringify([database, ...operations]),
  ]);
  expect(printed.toString()).not.to.include('error');
}

describe('the databases of a zone', () => {
  const rows = (folder: string, index: 0 | 1) => {
    const { file, name, root } = zoneDatabases(folder)[index];
    const select = { op: 'select', table: root, where: [], columns: ['nb_cfg'] };
    return JSON.parse(tool('query', file, JSON.stringify([name, select]))) as unknown;
  };

  it('are created with the rows that daemons need, and then left alone', async () => {
    const folder = join(newFolder(), 'ovn');
    expect(await prepare(folder)).to.deep.equal({ done: true, outcome: 'created' });
    for (const index of [0, 1] as const) expect(rows(folder, index)).to.deep.equal([{ rows: [{ nb_cfg: 0 }] }]);
    const times = () => readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mtimeMs]);
    const before = times();
    expect(await prepare(folder)).to.deep.equal({ done: true, outcome: 'unchanged' });
    expect(times()).to.deep.equal(before);
  });

  for (const [lost, kept] of [
    [0, 1],
    [1, 0],
  ] as const) {
    it(`are both created where ${zoneDatabases('')[lost].file} is lost: the other one describes what is not there`, async () => {
      const folder = newFolder();
      await prepare(folder);
      const databases = zoneDatabases(folder);
      tool(
        'transact',
        databases[kept].file,
        JSON.stringify([
          databases[kept].name,
          { op: 'update', table: databases[kept].root, where: [], row: { nb_cfg: 7 } },
        ]),
      );
      rmSync(databases[lost].file);
      expect(await prepare(folder)).to.deep.equal({ done: true, outcome: 'created' });
      for (const index of [0, 1] as const) expect(rows(folder, index)).to.deep.equal([{ rows: [{ nb_cfg: 0 }] }]);
    });
  }

  it('are created where one cannot be read, which is kept; and where an interrupted call has left one unfinished', async () => {
    const folder = newFolder();
    await prepare(folder);
    const [northbound, southbound] = zoneDatabases(folder);
    writeFileSync(northbound.file, 'no database');
    writeFileSync(`${southbound.file}.new`, 'OVSDB');
    expect(await prepare(folder)).to.deep.equal({ done: true, outcome: 'created' });
    expect(readFileSync(`${northbound.file}.unusable`, 'utf8')).to.equal('no database');
    expect(rows(folder, 1)).to.deep.equal([{ rows: [{ nb_cfg: 0 }] }]);
  });

  describe('of another version of OVN', () => {
    let folder: string;

    /** Databases of schemas that are as this version’s, but for the type of a column of the one row of a table. */
    const prepareFormer = async (changed?: {
      readonly table: string;
      readonly column: string;
      readonly type: string;
    }) => {
      folder = newFolder();
      const schemas = newFolder();
      for (const { schema } of zoneDatabases(folder)) {
        const text = JSON.parse(readFileSync(schema, 'utf8')) as {
          readonly cksum?: string;
          readonly tables: Readonly<Record<string, { readonly columns: Record<string, object> }>>;
        };
        const { cksum: _, ...former } = { ...text, version: '1.0.0' };
        const columns = former.tables[changed?.table ?? '']?.columns;
        if (changed !== undefined && columns !== undefined) columns[changed.column] = { type: changed.type };
        writeFileSync(join(schemas, schema.split('/').pop() ?? ''), JSON.stringify(former));
      }
      await prepareDatabases(new ExecaPrograms(), folder, zoneDatabases(folder, schemas));
      expect(tool('db-version', zoneDatabases(folder)[1].file).trim()).to.equal('1.0.0');
    };

    const expectThisVersion = () => {
      expect(tool('db-version', zoneDatabases(folder)[1].file).trim()).not.to.equal('1.0.0');
      for (const index of [0, 1] as const) expect(rows(folder, index)).to.deep.equal([{ rows: [{ nb_cfg: 0 }] }]);
    };

    it('are converted to the schema of this one, with their rows', async () => {
      await prepareFormer();
      expect(await prepare(folder)).to.deep.equal({ done: true, outcome: 'converted' });
      expectThisVersion();
    });

    it('are converted where an interrupted conversion has left its file', async () => {
      await prepareFormer();
      for (const { file } of zoneDatabases(folder)) writeFileSync(`${file}.tmp`, 'OVSD');
      expect(await prepare(folder)).to.deep.equal({ done: true, outcome: 'converted' });
      expectThisVersion();
    });

    it('are created where one has rows that the schema of this one refuses, and that one is kept', async () => {
      await prepareFormer({ table: 'SB_Global', column: 'nb_cfg', type: 'string' });
      const [northbound, southbound] = zoneDatabases(folder);
      const operation = { op: 'update', table: 'SB_Global', where: [], row: { nb_cfg: 'seven' } };
      tool('transact', southbound.file, JSON.stringify([southbound.name, operation]));
      expect(await prepare(folder)).to.deep.equal({ done: true, outcome: 'created' });
      expectThisVersion();
      expect(tool('db-version', `${southbound.file}.unusable`).trim()).to.equal('1.0.0');
      expect(existsSync(`${northbound.file}.unusable`)).to.equal(false);
    });
  });

  it('are not created in a folder that is none', async () => {
    const file = join(newFolder(), 'file');
    writeFileSync(file, '');
    expect(await prepare(file)).to.deep.equal({ done: false, error: 'EEXIST: file already exists' });
  });
});

describe('the socket of a server', () => {
  it('is occupied as long as the server runs, not by the file that it leaves', async () => {
    const folder = newFolder();
    await prepare(folder);
    const socket = join(folder, 'db.sock');
    expect(await occupiedSocket(socket)).to.equal(undefined);
    await serve(folder, socket, zoneDatabases(folder)[0].file);
    expect(await occupiedSocket(socket)).to.equal(`another server listens at ${socket}`);
    const server = servers.pop()!;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
    expect(existsSync(socket)).to.equal(true);
    expect(await occupiedSocket(socket)).to.equal(undefined);
  });

  it('is not taken where that is not known', async () => {
    const file = join(newFolder(), 'file');
    writeFileSync(file, '');
    expect(await occupiedSocket(join(file, 'db.sock'))).to.include('is not known: connect ENOTDIR');
  });

  it('is not taken by the command that serves databases', async () => {
    const folder = newFolder();
    await prepare(folder);
    const socket = join(folder, 'ovnsb_db.sock');
    await serve(folder, socket, zoneDatabases(folder)[1].file);
    const other = newFolder();
    const { exitCode, stderr } = await ovnUplinksProcess(['ovn-databases', '--folder', other, '--sockets', folder]);
    expect(exitCode).to.equal(1);
    expect(stderr).to.equal(
      `error: another server listens at ${socket}; where an OVN runs on this node already, leave out the component ovn, or stop that OVN first`,
    );
    expect(readdirSync(other)).to.deep.equal([]);
  });
});

describe('the access of ovn-controller to a Southbound database', () => {
  let folder: string;
  let access: SouthboundListener;
  let socket: string;

  beforeEach(async () => {
    folder = newFolder();
    await prepare(folder);
    socket = join(folder, 'private');
    const [, southbound] = zoneDatabases(folder);
    await serve(folder, socket, southbound.file, '--remote=db:OVN_Southbound,SB_Global,connections');
    const switchFile = join(folder, 'conf.db');
    tool('create', switchFile, SWITCH_SCHEMA);
    const bound = (port: string) => ({
      op: 'insert',
      table: 'Interface',
      'uuid-name': port,
      row: { name: port, external_ids: ['map', [['iface-id', `demo_${port}`]]] },
    });
    tool(
      'transact',
      switchFile,
      JSON.stringify([
        'Open_vSwitch',
        bound('a'),
        bound('b'),
        { op: 'insert', table: 'Port', 'uuid-name': 'pa', row: { name: 'a', interfaces: ['named-uuid', 'a'] } },
        { op: 'insert', table: 'Port', 'uuid-name': 'pb', row: { name: 'b', interfaces: ['named-uuid', 'b'] } },
        { op: 'insert', table: 'Bridge', 'uuid-name': 'int', row: { name: 'br-int', ports: ['named-uuid', 'pa'] } },
        { op: 'insert', table: 'Bridge', 'uuid-name': 'other', row: { name: 'br-other', ports: ['named-uuid', 'pb'] } },
        {
          op: 'insert',
          table: 'Open_vSwitch',
          row: {
            bridges: [
              'set',
              [
                ['named-uuid', 'int'],
                ['named-uuid', 'other'],
              ],
            ],
          },
        },
      ]),
    );
    await serve(join(folder, '.'), join(folder, 'db.sock'), switchFile);
    access = new SouthboundListener(
      unixServer(socket, 'OVN'),
      unixServer(join(folder, 'db.sock'), 'Open vSwitch'),
      `punix:${folder}/public`,
    );
  });

  const written = (number: number) => {
    transact(socket, 'OVN_Southbound', { op: 'update', table: 'SB_Global', where: [], row: { nb_cfg: number } });
  };

  it('is withheld by a new one, and then for ports of the integration bridge that it lacks', async () => {
    expect(await access.state()).to.deep.equal({ kind: 'withheld', isNew: true, missing: [] });
    written(1);
    expect(await access.state()).to.deep.equal({ kind: 'withheld', isNew: false, missing: ['demo_a'] });
    transact(
      socket,
      'OVN_Southbound',
      { op: 'insert', table: 'Datapath_Binding', 'uuid-name': 'dp', row: { tunnel_key: 1 } },
      {
        op: 'insert',
        table: 'Port_Binding',
        row: { logical_port: 'demo_a', datapath: ['named-uuid', 'dp'], tunnel_key: 1, type: '' },
      },
    );
    expect(await access.state()).to.deep.equal({ kind: 'withheld', isNew: false, missing: [] });
  });

  it('is given once, and then for as long as the database is there', async () => {
    written(1);
    expect(existsSync(join(folder, 'public'))).to.equal(false);
    expect(await access.give()).to.deep.equal({ done: true });
    await eventually('it listens', () => existsSync(join(folder, 'public')));
    expect(await access.state()).to.deep.equal({ kind: 'given' });
    expect((await access.give()).done).to.equal(false);
  });

  it('is not known while a server is away', async () => {
    written(1);
    const server = servers.pop()!;
    const ended = once(server, 'exit');
    server.kill();
    await ended;
    expect(await access.state())
      .to.have.property('error')
      .include(`${folder}/db.sock: ovsdb-server cannot be reached`);
  });
});

describe('the settings of ovn-controller', () => {
  const SETTINGS = { southbound: 'unix:/run/ovn/ovnsb_db.sock', encapsulationIp: '192.0.2.10' };

  async function switchWith(externalIds: Readonly<Record<string, string>>) {
    const folder = newFolder();
    const file = join(folder, 'conf.db');
    tool('create', file, SWITCH_SCHEMA);
    tool(
      'transact',
      file,
      JSON.stringify([
        'Open_vSwitch',
        { op: 'insert', table: 'Open_vSwitch', row: { external_ids: ['map', Object.entries(externalIds)] } },
      ]),
    );
    const socket = join(folder, 'db.sock');
    await serve(folder, socket, file);
    const stored = () =>
      execFileSync('ovs-vsctl', [`--db=unix:${socket}`, '--format=json', 'get', 'Open_vSwitch', '.', 'external_ids'], {
        encoding: 'utf8',
      }).trim();
    return { stored, server: unixServer(socket, 'Open vSwitch') };
  }

  const ALL =
    '{hostname=worker-a, ovn-encap-ip="192.0.2.10", ovn-encap-type=geneve, ovn-monitor-all="true", ovn-remote="unix:/run/ovn/ovnsb_db.sock", ovn-uplinks-controller="ovn-remote,ovn-encap-type,ovn-encap-ip,ovn-monitor-all", system-id=a}';

  it('are written beside those of others, over former ones, and again', async () => {
    const { server, stored } = await switchWith({ 'system-id': 'a', hostname: 'worker-a' });
    for (const encapsulationIp of ['192.0.2.9', SETTINGS.encapsulationIp, SETTINGS.encapsulationIp]) {
      expect(await configureController(server, { ...SETTINGS, encapsulationIp })).to.deep.equal({ done: true });
      expect(stored()).to.equal(ALL.replace(SETTINGS.encapsulationIp, encapsulationIp));
    }
  });

  it('are written over those of a version that listed none, and removed with them', async () => {
    const { server, stored } = await switchWith({
      'system-id': 'a',
      hostname: 'worker-a',
      'ovn-encap-ip': '192.0.2.9',
      'ovn-uplinks-controller': 'true',
    });
    expect(await configureController(server, SETTINGS)).to.deep.equal({ done: true });
    expect(stored()).to.equal(ALL);
    expect(await removeControllerSettings(server)).to.deep.equal({ done: true });
    expect(stored()).to.equal('{hostname=worker-a, system-id=a}');
  });

  it('leave those that an administrator has written as they are, also when they are removed', async () => {
    const administrators = { 'system-id': 'a', 'ovn-encap-type': 'geneve', 'ovn-monitor-all': 'true' };
    const { server, stored } = await switchWith(administrators);
    const before = stored();
    for (const _ of ['first', 'again'])
      expect(await configureController(server, SETTINGS)).to.deep.equal({ done: true });
    expect(stored()).to.include('ovn-uplinks-controller="ovn-remote,ovn-encap-ip"');
    expect(await removeControllerSettings(server)).to.deep.equal({ done: true });
    expect(stored()).to.equal(before);
  });

  it('are not written where an administrator has written others', async () => {
    const { server, stored } = await switchWith({
      'system-id': 'a',
      'ovn-encap-ip': '192.0.2.9',
      'ovn-encap-type': 'vxlan',
      'ovn-monitor-all': 'true',
    });
    const before = stored();
    expect(await configureController(server, SETTINGS))
      .to.have.property('error')
      .include(
        ': external_ids of Open_vSwitch has settings that ovn-uplinks did not write, and does not replace: ovn-encap-type is vxlan, expected geneve; ovn-encap-ip is 192.0.2.9, expected 192.0.2.10; set them as expected, or remove them by ovs-vsctl remove Open_vSwitch . external_ids ovn-encap-type ovn-encap-ip',
      );
    expect(await removeControllerSettings(server)).to.deep.equal({ done: true });
    expect(stored()).to.equal(before);
  });

  it('are not written where those of the chassis override them', async () => {
    const ids = { 'system-id': 'a', 'ovn-remote-a': 'tcp:192.0.2.1:6642', 'ovn-encap-ip-b': '192.0.2.9' };
    const { server, stored } = await switchWith(ids);
    const before = stored();
    expect(await configureController(server, SETTINGS))
      .to.have.property('error')
      .include(
        'has settings for this chassis alone, which override those of ovn-uplinks: ovn-remote-a is tcp:192.0.2.1:6642, expected unix:/run/ovn/ovnsb_db.sock; set them as expected',
      );
    expect(stored()).to.equal(before);
    const equal = await switchWith({ 'system-id': 'a', 'ovn-encap-ip-a': SETTINGS.encapsulationIp });
    expect(await configureController(equal.server, SETTINGS)).to.deep.equal({ done: true });
  });

  const ofChassis: readonly (readonly [key: string, value: string, expected?: string])[] = [
    ['ovn-monitor-all-a', 'false'],
    ['ovn-monitor-all-a', 'True'],
    ['ovn-encap-type-a', 'geneve,vxlan'],
    ['ovn-encap-type-a', 'vxlan', 'geneve'],
    ['ovn-encap-ip-a', `192.0.2.11,${SETTINGS.encapsulationIp}`],
    ['ovn-encap-ip-a', '192.0.2.11', SETTINGS.encapsulationIp],
    ['ovn-remote-a', SETTINGS.southbound],
    ['ovn-remote-a', `tcp:192.0.2.1:6642,${SETTINGS.southbound}`, SETTINGS.southbound],
  ];
  for (const [key, value, expected] of ofChassis) {
    it(`are ${expected === undefined ? '' : 'not '}written beside ${key}=${value}`, async () => {
      const { server } = await switchWith({ 'system-id': 'a', [key]: value });
      const result = await configureController(server, SETTINGS);
      if (expected === undefined) expect(result).to.deep.equal({ done: true });
      else expect(result).to.have.property('error').include(`${key} is ${value}, expected ${expected};`);
    });
  }

  it('are removed, and those that another program has written are not', async () => {
    const own = await switchWith({ 'system-id': 'a', 'ovn-bridge-mappings': 'physnet:br-ex' });
    await configureController(own.server, SETTINGS);
    expect(await removeControllerSettings(own.server)).to.deep.equal({ done: true });
    expect(own.stored()).to.equal('{ovn-bridge-mappings="physnet:br-ex", system-id=a}');
    const other = await switchWith({ 'system-id': 'a', 'ovn-remote': SETTINGS.southbound });
    expect(await removeControllerSettings(other.server)).to.deep.equal({ done: true });
    expect(other.stored()).to.equal('{ovn-remote="unix:/run/ovn/ovnsb_db.sock", system-id=a}');
  });

  it('are not written where Open vSwitch belongs to another OVN, or has no id', async () => {
    const other = await switchWith({ 'system-id': 'a', 'ovn-remote': 'tcp:192.0.2.1:6642' });
    expect(await configureController(other.server, SETTINGS))
      .to.have.property('error')
      .include('belongs to another OVN');
    expect(other.stored()).not.to.include('ovn-encap');
    const likeOwn = await switchWith({ 'system-id': 'a', 'ovn-remote': SETTINGS.southbound });
    expect(await configureController(likeOwn.server, SETTINGS))
      .to.have.property('error')
      .include('ovn-uplinks did not write it: another OVN may run here');
    expect(likeOwn.stored()).not.to.include('ovn-encap');
    const nameless = await switchWith({});
    expect(await configureController(nameless.server, SETTINGS))
      .to.have.property('error')
      .include('has no system-id');
  });
});
