import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { relative } from 'node:path';
import { expect } from 'chai';
import { findFiles, searchFolder } from '../../../../src/adapters/manifests/find-files.ts';
import { asNobody } from './as-nobody.ts';
import { useTemporaryFolder } from './temporary-folder.ts';
import { inFile } from '../../../../src/ports/input-problem.ts';

describe('the files of PATHs', () => {
  const folder = useTemporaryFolder();

  /** Finds files; results are relative to the folder of the test. */
  async function find(...names: readonly string[]): Promise<{ files: readonly string[]; problems: readonly string[] }> {
    const { files, problems } = await findFiles(names.map((name) => folder.path(name)));
    const short = (path: string) => relative(folder.path(''), path);
    return {
      files: files.map(short),
      problems: problems.map(
        ({ origin, message }) => `${origin.kind === 'file' ? short(origin.file) : ''}: ${message}`,
      ),
    };
  }

  it('include a file that is a PATH, with any name', async () => {
    folder.write('objects.txt', '');
    expect(await find('objects.txt')).to.deep.equal({ files: ['objects.txt'], problems: [] });
  });

  it('include the manifests of a folder and its subfolders, in name order', async () => {
    for (const name of ['b.yml', 'a/z.yaml', 'a/b/y.json', 'c.yaml']) folder.write(name, '');
    expect((await find('')).files).to.deep.equal(['a/b/y.json', 'a/z.yaml', 'b.yml', 'c.yaml']);
  });

  it('do not include other files of a folder', async () => {
    for (const name of ['a.yaml', 'a.yaml~', 'README.md', 'yaml', 'A.YAML']) folder.write(name, '');
    expect(await find('')).to.deep.equal({ files: ['a.yaml'], problems: [] });
  });

  it('are those that are left where a subfolder is removed while it is searched', async () => {
    for (const name of ['a.yaml', '..1/a.yaml', '..2/b.yaml']) folder.write(name, '');
    const removed = folder.path('..1');
    const { files, problems, unreachable } = await searchFolder(folder.path(''), {
      onFolder: (path) => {
        if (path === removed) rmSync(path, { recursive: true });
      },
      onLink: () => Promise.resolve(),
      isSkipped: () => false,
    });
    expect(files.map(({ path }) => relative(folder.path(''), path))).to.deep.equal(['..2/b.yaml', 'a.yaml']);
    expect([problems, unreachable]).to.deep.equal([[], []]);
  });

  it('are in the order of the PATHs', async () => {
    for (const name of ['x/b.yaml', 'x/a.yaml', 'c.yaml']) folder.write(name, '');
    expect((await find('x', 'c.yaml')).files).to.deep.equal(['x/a.yaml', 'x/b.yaml', 'c.yaml']);
    expect((await find('c.yaml', 'x')).files).to.deep.equal(['c.yaml', 'x/a.yaml', 'x/b.yaml']);
  });

  it('include each file once', async () => {
    for (const name of ['x/a.yaml', 'x/b.yaml']) folder.write(name, '');
    expect((await find('x/b.yaml', 'x', 'x/a.yaml')).files).to.deep.equal(['x/b.yaml', 'x/a.yaml']);
  });

  it('have the first of several paths', async () => {
    folder.write('x/a.yaml', '');
    folder.link('link.yaml', 'x/a.yaml');
    expect((await find('link.yaml', 'x')).files).to.deep.equal(['link.yaml']);
    expect((await find('x', 'link.yaml')).files).to.deep.equal(['x/a.yaml']);
  });

  it('include standard input once', async () => {
    expect(await findFiles(['-', '-'])).to.deep.equal({ files: ['-'], problems: [] });
  });

  describe('with symbolic links', () => {
    it('include the files and folders at their targets', async () => {
      folder.write('elsewhere/a.yaml', '');
      folder.write('elsewhere/more/b.yaml', '');
      folder.link('x/file.yaml', '../elsewhere/a.yaml');
      folder.link('x/folder', '../elsewhere/more');
      expect(await find('x')).to.deep.equal({ files: ['x/file.yaml', 'x/folder/b.yaml'], problems: [] });
    });

    it('include each file in the volume of a ConfigMap once, by its plain name', async () => {
      folder.write('volume/..2026_11_20/uplinks.yaml', '');
      folder.link('volume/..data', '..2026_11_20');
      folder.link('volume/uplinks.yaml', '..data/uplinks.yaml');
      expect(await find('volume')).to.deep.equal({ files: ['volume/uplinks.yaml'], problems: [] });
    });

    it('have the path with the fewest folders, then the first by name', async () => {
      folder.write('x/b.yaml', '');
      folder.link('x/c.yaml', 'b.yaml');
      folder.link('x/d/a.yaml', '../b.yaml');
      expect(await find('x')).to.deep.equal({ files: ['x/b.yaml'], problems: [] });
    });

    it('are in name order', async () => {
      folder.write('volume/..data/b.yaml', '');
      folder.link('volume/b.yaml', '..data/b.yaml');
      folder.write('volume/a.yaml', '');
      expect((await find('volume')).files).to.deep.equal(['volume/a.yaml', 'volume/b.yaml']);
    });

    it('have a problem if a link leads to a parent folder', async () => {
      folder.write('x/a.yaml', '');
      folder.link('x/y/up', '..');
      expect(await find('x')).to.deep.equal({
        files: ['x/a.yaml'],
        problems: ['x/y/up: is a symbolic link to one of its parent folders'],
      });
    });

    it('have a problem if a link leads to itself', async () => {
      folder.link('x/self', 'self');
      expect((await find('x')).problems).to.deep.equal(['x/self: is in a loop of symbolic links']);
    });

    it('have a problem if a link with the name of a manifest is dangling', async () => {
      folder.write('x/a.yaml', '');
      folder.link('x/gone.yaml', 'nowhere');
      folder.link('x/gone', 'nowhere');
      expect((await find('x')).problems).to.deep.equal(['x/gone.yaml: is a dangling symbolic link']);
    });

    it('include each file once if many links have the same target', async () => {
      folder.write('level0/a.yaml', '');
      for (let level = 1; level <= 30; level += 1) {
        for (const name of ['b', 'a', 'c']) folder.link(`level${level}/${name}`, `../level${level - 1}`);
      }
      expect(await find('level30')).to.deep.equal({ files: [`level30/${'a/'.repeat(30)}a.yaml`], problems: [] });
    });
  });

  describe('a problem is reported for an invalid PATH:', () => {
    const url = 'is a URL, not a path: nothing is downloaded; save the objects to a file first';
    for (const [path, message] of [
      ['https://example.org/uplinks.yaml', url],
      ['HTTP://example.org', url],
      ['', 'an empty PATH names no file'],
    ] as const) {
      it(JSON.stringify(path), async () => {
        expect(await findFiles([path])).to.deep.equal({ files: [], problems: [{ origin: inFile(path), message }] });
      });
    }
  });

  it('accept a path that contains a URL', async () => {
    expect((await findFiles(['./https://example.org'])).problems).to.deep.equal([
      { origin: inFile('./https://example.org'), message: 'does not exist' },
    ]);
  });

  describe('a problem is reported for', () => {
    it('a missing path', async () => {
      expect((await find('missing')).problems).to.deep.equal(['missing: does not exist']);
    });

    it('a path through a file', async () => {
      folder.write('a.yaml', '');
      expect((await find('a.yaml/b')).problems).to.deep.equal([
        'a.yaml/b: does not exist: a part of its path is not a folder',
      ]);
    });

    it('a name that is too long', async () => {
      const name = 'x'.repeat(300);
      expect((await find(name)).problems).to.deep.equal([`${name}: has a name that is too long for the file system`]);
    });

    it('a folder without permission', async () => {
      folder.write('x/secret/a.yaml', '');
      chmodSync(folder.path(''), 0o755);
      chmodSync(folder.path('x/secret'), 0);
      const problems = await asNobody(async () => (await find('x')).problems);
      expect(problems).to.deep.equal(['x/secret: cannot be read: permission denied']);
    });

    it('a folder without manifests in it or its subfolders', async () => {
      mkdirSync(folder.path('x/y/z'), { recursive: true });
      folder.write('x/README.md', '');
      expect((await find('x')).problems).to.deep.equal([
        'x: contains no .yaml, .yml or .json file, nor do its subfolders',
      ]);
    });
  });

  describe('a problem is reported, and nothing opened, for', () => {
    it('a named pipe', async () => {
      execFileSync('mkfifo', [folder.path('pipe.yaml'), folder.path('pipe')]);
      const message = 'is a named pipe and is not read; use - to read from standard input';
      expect((await find('pipe')).problems).to.deep.equal([`pipe: ${message}`]);
      expect((await find('')).problems).to.deep.equal([`pipe.yaml: ${message}`]);
    });

    it('a device', async () => {
      expect((await findFiles(['/dev/null'])).problems).to.deep.equal([
        { origin: inFile('/dev/null'), message: 'is a device and is not read' },
      ]);
    });

    it('a socket', async () => {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(folder.path('socket.yaml'), resolve));
      const { problems } = await find('');
      await new Promise((resolve) => server.close(resolve));
      expect(problems).to.deep.equal(['socket.yaml: is a socket and is not read']);
    });
  });
});
