import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { agents, manifest } from './agent.ts';

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
    it(`holds a file ${JSON.stringify(name).slice(0, 30)}: it is a file like any other`, async () => {
      const agent = newAgent({ [name]: manifest('blue') });
      await agent.read();
      expect(agent.uplinks).to.deep.equal(['blue=br-blue']);
      writeFileSync(join(agent.folder, name), manifest('blue', 'br-new'));
      await agent.sees('blue=br-new');
      expect(agent.warnings).to.deep.equal([]);
    });
  }

  for (const name of ['objects', 'status', 'a b', '-', '..x', 'x.yaml']) {
    it(`holds a folder x/${name}, or one of that name: it is a folder like any other`, async () => {
      const agent = newAgent({ 'a.yaml': manifest('blue') });
      await agent.read();
      const folder = name === 'status' ? join(agent.folder, 'x', name) : join(agent.folder, name, name);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'b.yaml'), manifest('red'));
      await agent.sees('blue=br-blue', 'red=br-red');
      writeFileSync(join(folder, 'b.yaml'), manifest('red', 'br-new'));
      await agent.sees('blue=br-blue', 'red=br-new');
      rmSync(folder, { recursive: true });
      await agent.sees('blue=br-blue');
      mkdirSync(folder);
      writeFileSync(join(folder, 'b.yaml'), manifest('red', 'br-newer'));
      await agent.sees('blue=br-blue', 'red=br-newer');
      writeFileSync(join(folder, 'b.yaml'), manifest('red', 'br-newest'));
      await agent.sees('blue=br-blue', 'red=br-newest');
    });
  }

  it('holds a file whose name is no UTF-8: it is told, and used when it is renamed', async () => {
    const agent = newAgent({ 'a.yaml': manifest('blue') });
    await agent.read();
    const name = Buffer.concat([Buffer.from(`${agent.folder}/`), Buffer.from([0xff]), Buffer.from('.yaml')]);
    writeFileSync(name, manifest('red'));
    await agent.until('there is a warning', () => agent.warnings.length === 1);
    expect(agent.warnings).to.deep.equal(['\ufffd.yaml: has a name that is no UTF-8; rename it']);
    renameSync(name, join(agent.folder, 'b.yaml'));
    await agent.sees('blue=br-blue', 'red=br-red');
    expect(agent.warnings).to.deep.equal([]);
  });

  it('is closed while it is read: that ends with a problem', async () => {
    const agent = newAgent({ 'a.yaml': manifest('blue') });
    const reading = agent.read();
    await new Promise((resolve) => setImmediate(resolve));
    await agent.store.close();
    expect((await reading).read).to.equal(false);
    expect(agent.problems).to.deep.equal(['DIR: is closed']);
  });

  it('may be deeply nested', async () => {
    const agent = newAgent({ 'a.yaml': manifest('blue') });
    const deep = join(agent.folder, ...Array.from({ length: 200 }, () => 'deep'));
    mkdirSync(deep, { recursive: true });
    writeFileSync(join(deep, 'b.yaml'), manifest('red'));
    await agent.read();
    expect(agent.uplinks).to.deep.equal(['blue=br-blue', 'red=br-red']);
    writeFileSync(join(deep, 'b.yaml'), manifest('red', 'br-new'));
    await agent.sees('blue=br-blue', 'red=br-new');
  });

  it('holds pipes, links to nothing and links to itself beside the manifests, without such a name', async () => {
    const agent = newAgent({ 'a.yaml': manifest('blue') });
    execFileSync('mkfifo', [join(agent.folder, 'pipe')]);
    symlinkSync('nowhere', join(agent.folder, 'nothing'));
    await agent.read();
    expect(agent.uplinks).to.deep.equal(['blue=br-blue']);
    symlinkSync('.', join(agent.folder, 'loop'));
    await agent.until('there is a warning', () => agent.warnings.length === 1);
    expect(agent.warnings).to.deep.equal(['loop: is a symbolic link to a folder that it lies in, a loop']);
    expect(agent.uplinks).to.deep.equal(['blue=br-blue']);
  });

  it('contains the lock of an editor with unsaved changes: it is not a manifest', async () => {
    const agent = newAgent({ 'a.yaml': manifest('blue') });
    symlinkSync('someone@host.1234:5678', join(agent.folder, '.#a.yaml'));
    await agent.read();
    expect(agent.uplinks).to.deep.equal(['blue=br-blue']);
    expect(agent.warnings).to.deep.equal([]);
  });

  it('is the same snapshot however often it is read', async () => {
    const agent = newAgent({ 'a.yaml': manifest('blue') });
    await agent.read();
    const { snapshot } = agent.value;
    for (let round = 0; round < 3; round += 1) {
      await agent.read();
      expect(agent.value.snapshot).to.equal(snapshot);
    }
    expect(agent.told).to.equal(0);
  });

  it('has a thousand files that change at once: each is read again and no event is lost', async () => {
    const names = Array.from({ length: 1000 }, (_, index) => `u${index}`);
    const agent = newAgent(Object.fromEntries(names.map((name) => [`${name}.yaml`, manifest(name)])));
    await agent.read();
    for (const name of names) writeFileSync(join(agent.folder, `${name}.yaml`), manifest(name, 'br-new'));
    await agent.until('all are new', () => agent.uplinks.every((text) => text.endsWith('=br-new')));
    expect(agent.uplinks).to.have.length(1000);
  });
});
