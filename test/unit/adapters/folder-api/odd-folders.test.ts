import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { agents, manifest, save } from './agent.ts';

describe('a folder with unusual content', () => {
  const newAgent = agents();

  for (const name of [
    'a b.yaml',
    'a\nb.yaml',
    '-.yaml',
    '--help.yaml',
    '.hidden.yaml',
    '$(true).yaml',
    'ü.yaml',
    '🀀.yaml',
    `${'x'.repeat(250)}.yaml`,
    'status.yaml',
    'objects.yaml',
  ]) {
    it(`may contain a file ${JSON.stringify(name).slice(0, 30)}`, async () => {
      const agent = newAgent({ [name]: manifest('blue') });
      await agent.read();
      expect(agent.uplinks).to.deep.equal(['blue=br-blue']);
      save(join(agent.folder, name), manifest('blue', 'br-new'));
      await agent.sees('blue=br-new');
      expect(agent.warnings).to.deep.equal([]);
    });
  }

  for (const name of ['objects', 'status', 'a b', '-', '..x', 'x.yaml']) {
    it(`may contain a folder with the name ${name}`, async () => {
      const agent = newAgent({ 'a.yaml': manifest('blue') });
      await agent.read();
      const folder = name === 'status' ? join(agent.folder, 'x', name) : join(agent.folder, name, name);
      mkdirSync(folder, { recursive: true });
      save(join(folder, 'b.yaml'), manifest('red'));
      await agent.sees('blue=br-blue', 'red=br-red');
      save(join(folder, 'b.yaml'), manifest('red', 'br-new'));
      await agent.sees('blue=br-blue', 'red=br-new');
      rmSync(folder, { recursive: true });
      await agent.sees('blue=br-blue');
      mkdirSync(folder);
      save(join(folder, 'b.yaml'), manifest('red', 'br-newer'));
      await agent.sees('blue=br-blue', 'red=br-newer');
      save(join(folder, 'b.yaml'), manifest('red', 'br-newest'));
      await agent.sees('blue=br-blue', 'red=br-newest');
    });
  }

  it('has a warning for a file whose name is not UTF-8, until it is renamed', async () => {
    const agent = newAgent({ 'a.yaml': manifest('blue') });
    await agent.read();
    const name = Buffer.concat([Buffer.from(`${agent.folder}/`), Buffer.from([0xff]), Buffer.from('.yaml')]);
    writeFileSync(name, manifest('red'));
    await agent.until('there is a warning', () => agent.warnings.length === 1);
    expect(agent.warnings).to.deep.equal(['\ufffd.yaml: has a name that is not UTF-8; rename it']);
    renameSync(name, join(agent.folder, 'b.yaml'));
    await agent.sees('blue=br-blue', 'red=br-red');
    expect(agent.warnings).to.deep.equal([]);
  });

  it('fails a read if it is closed meanwhile', async () => {
    const agent = newAgent({ 'a.yaml': manifest('blue') });
    const reading = agent.read();
    await new Promise((resolve) => setImmediate(resolve));
    await agent.store.close();
    expect((await reading).read).to.equal(false);
    expect(agent.problems).to.deep.equal(['DIR: is closed']);
  });

  it('may be deeply nested', async () => {
    const agent = newAgent({ 'a.yaml': manifest('blue') });
    const subfolder = join(agent.folder, ...Array.from({ length: 200 }, () => 'deep'));
    mkdirSync(subfolder, { recursive: true });
    save(join(subfolder, 'b.yaml'), manifest('red'));
    await agent.read();
    expect(agent.uplinks).to.deep.equal(['blue=br-blue', 'red=br-red']);
    save(join(subfolder, 'b.yaml'), manifest('red', 'br-new'));
    await agent.sees('blue=br-blue', 'red=br-new');
  });

  it('may contain named pipes and dangling links without the name of a manifest, and has a warning for a loop', async () => {
    const agent = newAgent({ 'a.yaml': manifest('blue') });
    execFileSync('mkfifo', [join(agent.folder, 'pipe')]);
    symlinkSync('nowhere', join(agent.folder, 'nothing'));
    await agent.read();
    expect(agent.uplinks).to.deep.equal(['blue=br-blue']);
    symlinkSync('.', join(agent.folder, 'loop'));
    await agent.until('there is a warning', () => agent.warnings.length === 1);
    expect(agent.warnings).to.deep.equal(['loop: is a symbolic link to one of its parent folders']);
    expect(agent.uplinks).to.deep.equal(['blue=br-blue']);
  });

  it('may contain the lock of an editor with unsaved changes', async () => {
    const agent = newAgent({ 'a.yaml': manifest('blue') });
    symlinkSync('someone@host.1234:5678', join(agent.folder, '.#a.yaml'));
    await agent.read();
    expect(agent.uplinks).to.deep.equal(['blue=br-blue']);
    expect(agent.warnings).to.deep.equal([]);
  });

  it('returns the same snapshot while nothing changes', async () => {
    const agent = newAgent({ 'a.yaml': manifest('blue') });
    await agent.read();
    const { snapshot } = agent.value;
    for (let round = 0; round < 3; round += 1) {
      await agent.read();
      expect(agent.value.snapshot).to.equal(snapshot);
    }
    expect(agent.notifications).to.equal(0);
  });

  it('reads a thousand files that change at once, each of them again', async () => {
    const names = Array.from({ length: 1000 }, (_, index) => `u${index}`);
    const agent = newAgent(Object.fromEntries(names.map((name) => [`${name}.yaml`, manifest(name)])));
    await agent.read();
    for (const name of names) save(join(agent.folder, `${name}.yaml`), manifest(name, 'br-new'));
    await agent.until('all files are read again', () => agent.uplinks.every((text) => text.endsWith('=br-new')));
    expect(agent.uplinks).to.have.length(1000);
  });
});
