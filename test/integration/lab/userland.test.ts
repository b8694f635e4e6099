import { expect } from 'chai';
import { temporaryFolders } from '../../unit/adapters/temporary-folders.ts';
import { Machine } from './machine.ts';
import type { LabNode } from './node.ts';
import { reasonOf } from './reason-of.ts';
import { sharedMachine } from './shared-machine.ts';

describe('the userland of a lab machine', () => {
  const newFolder = temporaryFolders();

  describe('of Debian 13', () => {
    let node: LabNode;
    before(async () => {
      node = await (await sharedMachine('debian-13')).node('userland');
    });
    after(() => node.end());

    const programs: readonly (readonly [what: string, command: readonly string[], version: RegExp])[] = [
      ['release', ['cat', '/etc/debian_version'], /^13\.\d+\n$/],
      ['iproute2', ['ip', '-V'], /^ip utility, iproute2-6\.15\./],
      ['switch', ['ovs-vswitchd', '--version'], /^ovs-vswitchd \(Open vSwitch\) 3\.5\./],
      ['database', ['ovsdb-client', '--version'], /^ovsdb-client \(Open vSwitch\) 3\.5\./],
    ];
    for (const [what, command, version] of programs) {
      it(`has its ${what}`, async () => {
        expect(await node.does(command)).to.match(version);
      });
    }

    it('is used by the switch of a node', async () => {
      expect(await node.does(['ovs-appctl', 'version'])).to.match(/^ovs-vswitchd \(Open vSwitch\) 3\.5\./);
    });

    it('is read-only', async () => {
      for (const folder of ['', '/etc', '/usr/bin', '/var/lib']) {
        const { exitCode, stderr } = await node.run(['touch', `${folder}/mark`]);
        expect([exitCode, stderr]).to.deep.equal([1, `touch: cannot touch '${folder}/mark': Read-only file system\n`]);
      }
    });
  });

  describe('that is missing', () => {
    const variables = ['XDG_CACHE_HOME', 'OVN_UPLINKS_LAB_USERLAND'] as const;
    const before = variables.map((variable) => [variable, process.env[variable]] as const);
    afterEach(() => {
      for (const [variable, value] of before) {
        if (value === undefined) Reflect.deleteProperty(process.env, variable);
        else process.env[variable] = value;
      }
    });

    it('is reported with its path and how to create it', async () => {
      process.env['XDG_CACHE_HOME'] = newFolder();
      expect(await reasonOf(Machine.start({ userland: 'debian-13' }))).to.match(
        /^there is no userland for the lab at .*\/ovn-uplinks\/debian-13-[0-9a-f]{12}: run scripts\/set-up-debian-13$/,
      );
    });

    it('is reported with the given path', async () => {
      expect(await reasonOf(Machine.start({ userland: '/nowhere' }))).to.equal(
        'there is no userland for the lab at /nowhere: name another one',
      );
    });

    it('is reported if unknown', async () => {
      process.env['OVN_UPLINKS_LAB_USERLAND'] = 'debian-14';
      expect(await reasonOf(Machine.start())).to.equal(
        'OVN_UPLINKS_LAB_USERLAND is "debian-14": expected "host", "debian-13" or the absolute path of a tree',
      );
    });
  });
});
