import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { agents, manifest, manifests, save } from './agent.ts';

/** How programs save a file. */
const waysToSave: readonly (readonly [string, (file: string, text: string) => void])[] = [
  [
    'a rename',
    (file, text) => {
      writeFileSync(`${file}.new`, text);
      renameSync(`${file}.new`, file);
    },
  ],
  [
    'a rename from another folder',
    (file, text) => {
      const other = join(dirname(dirname(file)), 'elsewhere');
      writeFileSync(other, text);
      renameSync(other, file);
    },
  ],
  [
    'vim with backupcopy=no: the old file renamed, a new one written, the old one deleted',
    (file, text) => {
      writeFileSync(join(dirname(file), '4913'), '');
      unlinkSync(join(dirname(file), '4913'));
      renameSync(file, `${file}~`);
      writeFileSync(file, text);
      chmodSync(file, 0o644);
      unlinkSync(`${file}~`);
    },
  ],
  [
    'emacs: a dangling link as a lock, the old file renamed to a backup, a new one written',
    (file, text) => {
      const lock = join(dirname(file), '.#a.yaml');
      symlinkSync('someone@host.1234:5678', lock);
      renameSync(file, `${file}~`);
      writeFileSync(file, text);
      unlinkSync(lock);
    },
  ],
  [
    'replacing it by a hard link',
    (file, text) => {
      const other = join(dirname(dirname(file)), 'elsewhere');
      writeFileSync(other, text);
      unlinkSync(file);
      linkSync(other, file);
    },
  ],
  [
    'replacing it by a symbolic link',
    (file, text) => {
      const other = join(dirname(dirname(file)), 'elsewhere');
      writeFileSync(other, text);
      symlinkSync(other, `${file}.new`);
      renameSync(`${file}.new`, file);
    },
  ],
];

describe('a file of the folder may be saved by', () => {
  const newAgent = agents();
  const before = manifests(manifest('blue'), manifest('red'), manifest('tea'));
  const after = manifests(manifest('blue', 'br-new'), manifest('red'), manifest('tea', 'br-new'));
  const [old, fresh] = ['blue=br-blue red=br-red tea=br-tea', 'blue=br-new red=br-red tea=br-new'];

  for (const [name, saveFile] of waysToSave) {
    it(`${name}: its objects change in one step, repeatedly`, async () => {
      const agent = newAgent({ 'a.yaml': before });
      await agent.read();
      saveFile(join(agent.folder, 'a.yaml'), after);
      await agent.sees(...fresh.split(' '));
      expect(agent.history).to.deep.equal([old, fresh]);
      save(join(agent.folder, 'a.yaml'), before);
      await agent.sees(...old.split(' '));
      expect(agent.history).to.deep.equal([old, fresh, old]);
    });
  }

  it('sed -i', async () => {
    const agent = newAgent({ 'a.yaml': before });
    await agent.read();
    execFileSync('sed', ['-i', 's/br-blue/br-new/; s/br-tea/br-new/', join(agent.folder, 'a.yaml')]);
    await agent.sees(...fresh.split(' '));
    expect(agent.history).to.deep.equal([old, fresh]);
  });

  it('a rename, and is read right after', async () => {
    const agent = newAgent({ 'a.yaml': before });
    await agent.read();
    writeFileSync(`${agent.folder}.new`, after);
    utimesSync(`${agent.folder}.new`, 1_000_000, 1_000_000);
    renameSync(`${agent.folder}.new`, join(agent.folder, 'a.yaml'));
    await agent.read();
    expect(agent.uplinks.join(' ')).to.equal(fresh);
  });

  it('touch: the snapshot stays the same', async () => {
    const agent = newAgent({ 'a.yaml': before });
    await agent.read();
    const { snapshot } = agent.value;
    utimesSync(join(agent.folder, 'a.yaml'), 1_000_000, 1_000_000);
    await agent.read();
    expect(agent.value.snapshot).to.equal(snapshot);
  });
});

describe('the folder', () => {
  const newAgent = agents();

  it('may get folders that already contain files', async () => {
    const agent = newAgent({ 'a.yaml': manifest('blue') });
    await agent.read();
    mkdirSync(join(agent.folder, 'x/y/z'), { recursive: true });
    save(join(agent.folder, 'x/y/z/b.yaml'), manifest('red'));
    save(join(agent.folder, 'x/c.yaml'), manifest('tea'));
    await agent.sees('blue=br-blue', 'red=br-red', 'tea=br-tea');
    save(join(agent.folder, 'x/y/z/b.yaml'), manifest('red', 'br-new'));
    await agent.sees('blue=br-blue', 'red=br-new', 'tea=br-tea');
  });

  it('may lose a file, a folder and everything', async () => {
    const agent = newAgent({ 'a.yaml': manifest('blue'), 'b.yaml': manifest('red') });
    mkdirSync(join(agent.folder, 'x'));
    save(join(agent.folder, 'x/c.yaml'), manifest('tea'));
    await agent.read();
    rmSync(join(agent.folder, 'b.yaml'));
    await agent.sees('blue=br-blue', 'tea=br-tea');
    rmSync(join(agent.folder, 'x'), { recursive: true });
    await agent.sees('blue=br-blue');
    rmSync(join(agent.folder, 'a.yaml'));
    await agent.untilUnreadable();
    expect(agent.history.at(-1)).to.equal('none');
    expect(agent.history).to.not.include('');
    expect(agent.problems).to.deep.equal([
      'DIR: contains no .yaml, .yml or .json file, nor do its subfolders; an empty folder does not count as an empty cluster: is its volume mounted? To remove all configuration from all nodes, keep the Node objects',
    ]);
  });

  it('may be emptied on purpose, with a comment left in it', async () => {
    const agent = newAgent({ 'a.yaml': manifest('blue') });
    await agent.read();
    save(join(agent.folder, 'a.yaml'), '# no objects\n');
    await agent.sees();
    expect(agent.warnings).to.deep.equal([]);
  });

  it('may be renamed and renamed back, twice', async () => {
    const agent = newAgent({ 'a.yaml': manifest('blue') });
    await agent.read();
    for (const name of ['br-one', 'br-two']) {
      renameSync(agent.folder, `${agent.folder}.away`);
      await agent.untilUnreadable();
      expect(agent.problems).to.deep.equal(['DIR: does not exist']);
      renameSync(`${agent.folder}.away`, agent.folder);
      await agent.until('it can be read', () => true);
      save(join(agent.folder, 'a.yaml'), manifest('blue', name));
      await agent.sees(`blue=${name}`);
    }
    expect(agent.history).to.deep.equal([
      'blue=br-blue',
      'none',
      'blue=br-blue',
      'blue=br-one',
      'none',
      'blue=br-one',
      'blue=br-two',
    ]);
  });

  it('may have a folder that is deleted and created again, often with the same inode number', async () => {
    const agent = newAgent({ 'a.yaml': manifest('blue') });
    const folder = join(agent.folder, 'x');
    mkdirSync(folder);
    save(join(folder, 'b.yaml'), manifest('red'));
    await agent.read();
    for (const name of ['br-1', 'br-2', 'br-3']) {
      rmSync(folder, { recursive: true });
      mkdirSync(folder);
      save(join(folder, 'b.yaml'), manifest('red', name));
      await agent.sees('blue=br-blue', `red=${name}`);
      save(join(folder, 'b.yaml'), manifest('red', `${name}-new`));
      await agent.sees('blue=br-blue', `red=${name}-new`);
    }
  });

  it('may be deleted and created again', async () => {
    const agent = newAgent({ 'a.yaml': manifest('blue') });
    await agent.read();
    rmSync(agent.folder, { recursive: true });
    await agent.untilUnreadable();
    mkdirSync(agent.folder);
    save(join(agent.folder, 'b.yaml'), manifest('blue', 'br-new'));
    await agent.sees('blue=br-new');
    save(join(agent.folder, 'b.yaml'), manifest('blue', 'br-newer'));
    await agent.sees('blue=br-newer');
    expect(agent.history.filter((state) => !state.includes('blue') && state !== 'none')).to.deep.equal([]);
  });

  it('may be created late, with its parent folders', async () => {
    const agent = newAgent({ 'a.yaml': manifest('blue') });
    const root = dirname(agent.folder);
    rmSync(root, { recursive: true });
    await agent.read();
    expect(agent.problems).to.deep.equal(['DIR: does not exist']);
    mkdirSync(agent.folder, { recursive: true });
    save(join(agent.folder, 'a.yaml'), manifest('blue', 'br-new'));
    await agent.sees('blue=br-new');
  });

  it('may have a parent that is renamed and renamed back', async () => {
    const agent = newAgent({ 'a.yaml': manifest('blue') });
    const root = dirname(agent.folder);
    await agent.read();
    renameSync(root, `${root}.away`);
    await agent.untilUnreadable();
    renameSync(`${root}.away`, root);
    await agent.sees('blue=br-blue');
    save(join(agent.folder, 'a.yaml'), manifest('blue', 'br-new'));
    await agent.sees('blue=br-new');
  });

  it('may be unmounted: the empty mount point does not count as an empty cluster', async function () {
    const agent = newAgent({});
    try {
      execFileSync('mount', ['-t', 'tmpfs', 'none', agent.folder], { stdio: 'ignore' });
    } catch {
      return; // Only the superuser may mount, and not everywhere.
    }
    let isMounted = true;
    const unmount = () => {
      if (isMounted) execFileSync('umount', ['-l', agent.folder]);
      isMounted = false;
    };
    try {
      save(join(agent.folder, 'a.yaml'), manifest('blue'));
      await agent.read();
      unmount();
      await agent.read();
      expect(agent.problems).to.have.length(1);
      expect(agent.problems[0]).to.match(/^DIR: contains no .* is its volume mounted\?/);
    } finally {
      unmount();
    }
  });

  it('may be a symbolic link that changes its target', async () => {
    const agent = newAgent({ 'a.yaml': manifest('blue') });
    const [first, second] = [`${agent.folder}.1`, `${agent.folder}.2`];
    renameSync(agent.folder, first);
    cpSync(first, second, { recursive: true });
    save(join(second, 'a.yaml'), manifest('blue', 'br-new'));
    symlinkSync(first, agent.folder);
    await agent.read();
    symlinkSync(second, `${agent.folder}.link`);
    renameSync(`${agent.folder}.link`, agent.folder);
    await agent.sees('blue=br-new');
    save(join(second, 'a.yaml'), manifest('blue', 'br-newer'));
    await agent.sees('blue=br-newer');
    expect(agent.history).to.deep.equal(['blue=br-blue', 'blue=br-new', 'blue=br-newer']);
  });

  it('may be the volume of a ConfigMap, whose ..data changes its target', async () => {
    const agent = newAgent({});
    const volume = (version: number, text: string) => {
      mkdirSync(join(agent.folder, `..${version}`));
      save(join(agent.folder, `..${version}`, 'a.yaml'), text);
      symlinkSync(`..${version}`, join(agent.folder, '..data_tmp'));
      renameSync(join(agent.folder, '..data_tmp'), join(agent.folder, '..data'));
    };
    volume(1, manifest('blue'));
    symlinkSync('..data/a.yaml', join(agent.folder, 'a.yaml'));
    await agent.read();
    for (const version of [2, 3, 4]) {
      volume(version, manifest('blue', `br-${version}`));
      rmSync(join(agent.folder, `..${version - 1}`), { recursive: true });
      await agent.sees(`blue=br-${version}`);
    }
    expect(agent.history).to.deep.equal(['blue=br-blue', 'blue=br-2', 'blue=br-3', 'blue=br-4']);
    expect(agent.warnings).to.deep.equal([]);
  });

  it('may contain a link to a file elsewhere, which changes', async () => {
    const agent = newAgent({});
    const target = `${agent.folder}.elsewhere`;
    mkdirSync(target);
    save(join(target, 'a'), manifest('blue'));
    symlinkSync(join(target, 'a'), join(agent.folder, 'a.yaml'));
    await agent.read();
    save(join(target, 'a'), manifest('blue', 'br-new'));
    await agent.sees('blue=br-new');
    rmSync(join(target, 'a'));
    await agent.until('the link is dangling', () => agent.value.warnings.length === 1);
    expect(agent.warnings).to.deep.equal(['a.yaml: is a dangling symbolic link; the last valid version stays in use']);
    expect(agent.uplinks).to.deep.equal(['blue=br-new']);
    save(join(target, 'a'), manifest('blue', 'br-newer'));
    await agent.sees('blue=br-newer');
  });
});
