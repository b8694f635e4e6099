import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { emptyCluster } from '../../../src/domain/index.ts';
import { onSmallFileSystem } from '../adapters/small-file-system.ts';
import { temporaryFolders } from '../adapters/temporary-folders.ts';
import { containerOf, runCommand } from './run-in-process.ts';

const container = containerOf({ cluster: emptyCluster, nodes: [] });

describe('ovn-uplinks install-cni-plugin', () => {
  const newFolder = temporaryFolders();
  /** A folder of plugins, the plugin to install there, and where it is then. */
  function place() {
    const folder = newFolder();
    const plugins = join(folder, 'bin');
    mkdirSync(plugins);
    const plugin = join(folder, 'ovn-uplinks-cni');
    writeFileSync(plugin, 'new', { mode: 0o600 });
    return { plugins, plugin, installed: join(plugins, 'ovn-uplinks-cni') };
  }
  const install = (plugins: string, plugin: string) =>
    runCommand(container, ['install-cni-plugin', plugins, '--plugin', plugin]);

  it('copies it as a program', async () => {
    const { plugins, plugin, installed } = place();
    expect(await install(plugins, plugin)).to.deep.equal({ out: [`${installed} is written`], err: [], exitCode: 0 });
    expect(readFileSync(installed, 'utf8')).to.equal('new');
    expect(statSync(installed).mode & 0o7777).to.equal(0o755);
    expect(readdirSync(plugins)).to.deep.equal(['ovn-uplinks-cni']);
  });

  it('replaces another version without a change of the file that may be running', async () => {
    const { plugins, plugin, installed } = place();
    writeFileSync(installed, 'a former one');
    const former = openSync(installed, 'r');
    await install(plugins, plugin);
    expect(readFileSync(former, 'utf8')).to.equal('a former one');
    closeSync(former);
    expect(readFileSync(installed, 'utf8')).to.equal('new');
  });

  it('leaves the same version alone, unless it cannot be started', async () => {
    const { plugins, plugin, installed } = place();
    await install(plugins, plugin);
    const { ino } = statSync(installed);
    expect((await install(plugins, plugin)).out).to.deep.equal([`${installed} is unchanged`]);
    expect(statSync(installed).ino).to.equal(ino);
    chmodSync(installed, 0o644);
    expect((await install(plugins, plugin)).out).to.deep.equal([`${installed} is written`]);
    expect(statSync(installed).mode & 0o7777).to.equal(0o755);
  });

  it('removes what an interrupted call left, and no other file', async () => {
    const { plugins, plugin } = place();
    writeFileSync(join(plugins, '.ovn-uplinks-cni.new.1'), 'ne');
    writeFileSync(join(plugins, 'bridge'), '');
    await install(plugins, plugin);
    expect(readdirSync(plugins).sort()).to.deep.equal(['bridge', 'ovn-uplinks-cni']);
  });

  it('leaves another version as it is where no space is left', async () => {
    const { plugins, plugin, installed } = place();
    writeFileSync(plugin, 'x'.repeat(90_000));
    await onSmallFileSystem(plugins, async () => {
      writeFileSync(installed, 'a former one');
      expect(await install(plugins, plugin)).to.deep.equal({
        out: [],
        err: [`error: the plugin ${plugin} cannot be copied to ${plugins}: ENOSPC: no space left on device`],
        exitCode: 1,
      });
      expect(readdirSync(plugins)).to.deep.equal(['ovn-uplinks-cni']);
      expect(readFileSync(installed, 'utf8')).to.equal('a former one');
    });
  });

  it('says why it cannot', async () => {
    const { plugins, plugin, installed } = place();
    mkdirSync(installed);
    expect(await install(plugins, plugin)).to.deep.equal({
      out: [],
      err: [`error: the plugin ${plugin} cannot be copied to ${plugins}: EISDIR: illegal operation on a directory`],
      exitCode: 1,
    });
    expect(readdirSync(plugins)).to.deep.equal(['ovn-uplinks-cni']);
    expect((await install(join(plugins, 'missing'), plugin)).err).to.have.length(1);
  });
});
