import { clusterNetworkKey } from '../../../../src/domain/network/key.ts';
import { expect } from 'chai';
import { chmodSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { NODE_FILES } from '../../../../src/adapters/capture/layout.ts';
import { KernelSettingFiles } from '../../../../src/adapters/sysctl/kernel-setting-files.ts';
import { deviceSetting } from '../../../../src/domain/snapshot/device-settings.ts';
import type { KernelSnapshot, SettingOperation } from '../../../../src/ports/node/kernel-settings.ts';
import { describeKernelSettings } from '../../../contract/kernel-settings.ts';
import { FakeKernelSettings } from '../../../fakes/kernel-settings.ts';
import { asNobody } from '../manifests/as-nobody.ts';
import { eventually } from '../processes.ts';
import { problemLines, valueOf } from '../readings.ts';
import { temporaryFolders } from '../temporary-folders.ts';
import { fileOfSetting, removeDeviceFrom, writeLine, writeProcTree } from './proc-tree.ts';

const rpFilter = 'net.ipv4.conf.br-blue.rp_filter';

const devices = new Set(['br-blue']);

const snapshot: KernelSnapshot = {
  sysctls: { [rpFilter]: '0', 'net.ipv6.conf.br-blue.forwarding': '0' },
  bootId: '5a1ff1fe-7a3c-4c3f-8f0a-3c3c1f6f0b3e',
  uptimeSeconds: 12.5,
};

const setting = (device: string, name: string, value: string): SettingOperation => ({
  verb: 'add',
  networks: [clusterNetworkKey('blue')],
  entity: { kind: 'sysctl', device, name, value },
});

const setRpFilter = setting('br-blue', rpFilter, '2');

describe('kernel settings', () => {
  const folder = temporaryFolders();
  const tree = (content: KernelSnapshot = snapshot): string => {
    const root = folder();
    writeProcTree(root, content);
    return root;
  };

  describe('in memory', () => {
    describeKernelSettings((content) => {
      const settings = new FakeKernelSettings(content);
      return {
        settings,
        change: (name, value) => {
          settings.change(name, value);
        },
        removeDevice: (device) => {
          const part = `.${device.replaceAll('.', '/')}.`;
          const left = Object.entries(settings.snapshot.sysctls).filter(([name]) => !name.includes(part));
          settings.snapshot = { ...settings.snapshot, sysctls: Object.fromEntries(left) };
        },
      };
    });

    it('fail until they recover', async () => {
      const settings = new FakeKernelSettings(snapshot);
      settings.fail('EIO: i/o error');
      expect(problemLines(await settings.read(devices))).to.deep.equal(['/proc/sys: EIO: i/o error']);
      expect(await settings.apply(setRpFilter)).to.deep.equal({ done: false, error: 'EIO: i/o error' });
      settings.recover();
      expect(await settings.apply(setRpFilter)).to.deep.equal({ done: true });
      expect(valueOf(await settings.read(devices)).sysctls[rpFilter]).to.equal('2');
    });
  });

  describe('in files', () => {
    describeKernelSettings((content) => {
      const root = tree(content);
      return {
        settings: new KernelSettingFiles(root),
        change: (name, value) => writeLine(fileOfSetting(root, name), value),
        removeDevice: (device) => removeDeviceFrom(root, device),
      };
    });

    it('are only those of a snapshot', async () => {
      const root = tree();
      writeLine(fileOfSetting(root, 'net.ipv4.conf.br-blue.mc_forwarding'), '0');
      writeLine(fileOfSetting(root, 'net.ipv4.ip_forward'), '1');
      expect(valueOf(await new KernelSettingFiles(root).read(devices))).to.deep.equal(snapshot);
    });

    it('are read without those of a device that is removed meanwhile', async () => {
      const root = tree();
      // Its folder is there, and its settings no longer when they are read.
      mkdirSync(join(root, 'sys/net/ipv4/conf/eth9'));
      expect(valueOf(await new KernelSettingFiles(root).read(new Set([...devices, 'eth9'])))).to.deep.equal(snapshot);
    });

    it('are read for the new device after one is removed and added again', async () => {
      const root = tree();
      const settings = new KernelSettingFiles(root);
      await settings.read(devices);
      removeDeviceFrom(root, 'br-blue');
      await settings.read(devices);
      writeProcTree(root, { ...snapshot, sysctls: { [rpFilter]: '2' } });
      expect(valueOf(await settings.read(devices)).sysctls).to.deep.equal({ [rpFilter]: '2' });
    });

    it('are reported as changed for the new device after one is removed and added again, unlike other files', async () => {
      const root = tree();
      const settings = new KernelSettingFiles(root);
      let calls = 0;
      const next = () => {
        const before = calls;
        return eventually('the listener is called', () => calls > before);
      };
      settings.onChange(() => (calls += 1));
      await settings.read(devices);
      removeDeviceFrom(root, 'br-blue');
      await next();
      writeProcTree(root, snapshot);
      await settings.read(devices);
      const before = calls;
      writeLine(fileOfSetting(root, 'net.ipv4.conf.br-blue.mc_forwarding'), '0');
      const last = next();
      writeLine(fileOfSetting(root, rpFilter), '1');
      await last;
      await settings.close();
      expect(calls - before).to.be.at.most(2);
    });

    it('are not kept open for devices that are not asked for any more', async () => {
      const root = tree({ ...snapshot, sysctls: { ...snapshot.sysctls, 'net.ipv4.conf.eth9.rp_filter': '0' } });
      const settings = new KernelSettingFiles(root);
      await settings.read(new Set([...devices, 'eth9']));
      const before = openFiles(root);
      await settings.read(devices);
      expect(openFiles(root)).to.have.lengthOf(before.length - 1);
      await settings.close();
    });

    it('are not kept open for removed devices', async () => {
      const root = tree();
      const settings = new KernelSettingFiles(root);
      await settings.read(devices);
      const before = openFiles(root);
      removeDeviceFrom(root, 'br-blue');
      mkdirSync(join(root, 'sys/net/ipv4/conf'), { recursive: true });
      await settings.read(devices);
      expect(openFiles(root)).to.have.lengthOf(before.length - 2);
    });

    it('are closed in the end', async () => {
      const root = tree();
      const settings = new KernelSettingFiles(root);
      await settings.read(devices);
      expect(openFiles(root)).to.not.be.empty;
      await settings.close();
      expect(openFiles(root)).to.deep.equal([]);
    });

    it('cannot be read if some of them cannot, with all reasons', async () => {
      const root = tree();
      rmSync(fileOfSetting(root, rpFilter));
      mkdirSync(fileOfSetting(root, rpFilter));
      writeLine(join(root, 'uptime'), 'soon');
      expect(problemLines(await new KernelSettingFiles(root).read(devices))).to.deep.equal([
        `${root}/uptime: expected two numbers of seconds, as in "1234.56 789.01", found string "soon"`,
        `${fileOfSetting(root, rpFilter)}: cannot be read: EISDIR: illegal operation on a directory`,
      ]);
    });

    it('cannot be read from another folder', async () => {
      const root = folder();
      expect(problemLines(await new KernelSettingFiles(root).read(devices))).to.deep.equal([
        `${root}/sys/net/ipv4/conf: cannot be read: ENOENT: no such file or directory`,
      ]);
      mkdirSync(join(root, 'sys/net/ipv4/conf'), { recursive: true });
      expect(problemLines(await new KernelSettingFiles(root).read(devices))).to.deep.equal([
        `${root}/sys/kernel/random/boot_id: is missing: is proc mounted there?`,
        `${root}/uptime: is missing: is proc mounted there?`,
      ]);
    });

    it('report why one of them cannot be written', async () => {
      const root = tree();
      const file = fileOfSetting(root, rpFilter);
      chmodSync(root, 0o755);
      chmodSync(file, 0o444);
      expect(await asNobody(() => new KernelSettingFiles(root).apply(setRpFilter))).to.deep.equal({
        done: false,
        error: `${rpFilter} = 2: ${file} cannot be written: EACCES: permission denied`,
      });
    });

    it('report that a device does not exist, and create no file', async () => {
      const root = tree();
      rmSync(fileOfSetting(root, rpFilter));
      expect(await new KernelSettingFiles(root).apply(setRpFilter)).to.deep.equal({
        done: false,
        error: `${rpFilter} = 2: br-blue, or its setting, does not exist`,
      });
      expect(readdirSync(join(root, 'sys/net/ipv4/conf/br-blue'))).to.deep.equal([]);
    });

    for (const device of ['', '.', '..', '../..', '../../../br-blue', '../ipv6/conf/br-blue', 'br-blue/../br-blue']) {
      it(`are not written outside of the folder of the device, as for "${device}"`, async () => {
        const root = tree();
        const file = join(root, 'sys/net/ipv4/conf', device, 'rp_filter');
        writeLine(file, '0');
        const name = deviceSetting(4, device, 'rp_filter');
        expect(await new KernelSettingFiles(root).apply(setting(device, name, '2'))).to.deep.equal({
          done: false,
          error: `${name} = 2: not a managed setting of "${device}"`,
        });
        expect(readFileSync(file, 'utf8')).to.equal('0\n');
      });
    }

    it('are read and changed in another given folder, for a container whose own are read-only', async () => {
      const [root, other] = [tree({ ...snapshot, sysctls: { [rpFilter]: '1' } }), tree()];
      const settings = new KernelSettingFiles(root, join(other, 'sys/net'));
      expect(valueOf(await settings.read(devices))).to.deep.equal(snapshot);
      expect(await settings.apply(setRpFilter)).to.deep.equal({ done: true });
      expect(readFileSync(fileOfSetting(root, rpFilter), 'utf8').trim()).to.equal('1');
      expect(readFileSync(fileOfSetting(other, rpFilter), 'utf8').trim()).to.equal('2');
    });

    it('replace a longer value completely', async () => {
      const root = tree({ ...snapshot, sysctls: { [rpFilter]: '100' } });
      await new KernelSettingFiles(root).apply(setRpFilter);
      expect(readFileSync(fileOfSetting(root, rpFilter), 'utf8').trim()).to.equal('2');
    });
  });

  describe('of this machine', () => {
    it('are those that a capture includes from sysctl(8)', async () => {
      const { sysctls, uptimeSeconds } = valueOf(await new KernelSettingFiles().read(new Set(['lo'])));
      const { lines } = NODE_FILES.sysctls;
      expect(Object.keys(sysctls).filter((name) => !lines.test(`${name} = `))).to.deep.equal([]);
      expect(sysctls).to.include.keys('net.ipv4.conf.lo.rp_filter', 'net.ipv4.conf.all.forwarding');
      expect(uptimeSeconds).to.be.above(0);
    });

    it('can be set to the value that they have', async () => {
      const settings = new KernelSettingFiles();
      const name = 'net.ipv4.conf.lo.rp_filter';
      const { sysctls } = valueOf(await settings.read(new Set(['lo'])));
      const applied = await settings.apply(setting('lo', name, sysctls[name] ?? '0'));
      // In containers /proc/sys is often read-only.
      if (!applied.done) expect(applied.error).to.match(/cannot be written: (EROFS|EACCES)/);
      expect(valueOf(await settings.read(new Set(['lo']))).sysctls[name]).to.equal(sysctls[name]);
    });
  });
});

/** The open files of this process below a folder. */
function openFiles(root: string): readonly string[] {
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${descriptor}`);
      return target.startsWith(root) ? [target] : [];
    } catch {
      // The descriptor of the list itself is closed by now.
      return [];
    }
  });
}
