import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { relative } from 'node:path';
import { expect } from 'chai';
import { findFiles } from '../../../../src/adapters/manifests/find-files.ts';
import { asNobody } from './as-nobody.ts';
import { useTemporaryFolder } from './temporary-folder.ts';
import { inFile } from '../../../../src/ports/input-problem.ts';

describe('finding the files that PATHs name', () => {
  const folder = useTemporaryFolder();

  /** What is found, told relative to the test's folder. */
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

  it('takes a file that is named, whatever it is called', async () => {
    folder.write('objects.txt', '');
    expect(await find('objects.txt')).to.deep.equal({ files: ['objects.txt'], problems: [] });
  });

  it('takes the manifests of a folder and of every folder below it, in name order', async () => {
    for (const name of ['b.yml', 'a/z.yaml', 'a/b/y.json', 'c.yaml']) folder.write(name, '');
    expect((await find('')).files).to.deep.equal(['a/b/y.json', 'a/z.yaml', 'b.yml', 'c.yaml']);
  });

  it('passes by files of a folder that bear no name of a manifest', async () => {
    for (const name of ['a.yaml', 'a.yaml~', 'README.md', 'yaml', 'A.YAML']) folder.write(name, '');
    expect(await find('')).to.deep.equal({ files: ['a.yaml'], problems: [] });
  });

  it('keeps the order in which PATHs are given', async () => {
    for (const name of ['x/b.yaml', 'x/a.yaml', 'c.yaml']) folder.write(name, '');
    expect((await find('x', 'c.yaml')).files).to.deep.equal(['x/a.yaml', 'x/b.yaml', 'c.yaml']);
    expect((await find('c.yaml', 'x')).files).to.deep.equal(['c.yaml', 'x/a.yaml', 'x/b.yaml']);
  });

  it('takes a file once that several PATHs lead to', async () => {
    for (const name of ['x/a.yaml', 'x/b.yaml']) folder.write(name, '');
    expect((await find('x/b.yaml', 'x', 'x/a.yaml')).files).to.deep.equal(['x/b.yaml', 'x/a.yaml']);
  });

  it('calls a file that several PATHs lead to by the first', async () => {
    folder.write('x/a.yaml', '');
    folder.link('link.yaml', 'x/a.yaml');
    expect((await find('link.yaml', 'x')).files).to.deep.equal(['link.yaml']);
    expect((await find('x', 'link.yaml')).files).to.deep.equal(['x/a.yaml']);
  });

  it('tells standard input apart, and takes it once', async () => {
    expect(await findFiles(['-', '-'])).to.deep.equal({ files: ['-'], problems: [] });
  });

  describe('links', () => {
    it('are followed, to files and to folders', async () => {
      folder.write('elsewhere/a.yaml', '');
      folder.write('elsewhere/more/b.yaml', '');
      folder.link('x/file.yaml', '../elsewhere/a.yaml');
      folder.link('x/folder', '../elsewhere/more');
      expect(await find('x')).to.deep.equal({ files: ['x/file.yaml', 'x/folder/b.yaml'], problems: [] });
    });

    it('of the volume of a ConfigMap lead to each file once, by its plain name', async () => {
      folder.write('volume/..2026_11_20/uplinks.yaml', '');
      folder.link('volume/..data', '..2026_11_20');
      folder.link('volume/uplinks.yaml', '..data/uplinks.yaml');
      expect(await find('volume')).to.deep.equal({ files: ['volume/uplinks.yaml'], problems: [] });
    });

    it('to files that are in the folder anyway add nothing: the plainest way names the file, then the first', async () => {
      folder.write('x/b.yaml', '');
      folder.link('x/c.yaml', 'b.yaml');
      folder.link('x/d/a.yaml', '../b.yaml');
      expect(await find('x')).to.deep.equal({ files: ['x/b.yaml'], problems: [] });
    });

    it('do not change that files are in the order of their names', async () => {
      folder.write('volume/..data/b.yaml', '');
      folder.link('volume/b.yaml', '..data/b.yaml');
      folder.write('volume/a.yaml', '');
      expect((await find('volume')).files).to.deep.equal(['volume/a.yaml', 'volume/b.yaml']);
    });

    it('to a folder above are a loop', async () => {
      folder.write('x/a.yaml', '');
      folder.link('x/y/up', '..');
      expect(await find('x')).to.deep.equal({
        files: ['x/a.yaml'],
        problems: ['x/y/up: is a symbolic link to a folder that it lies in, a loop'],
      });
    });

    it('to themselves are a loop', async () => {
      folder.link('x/self', 'self');
      expect((await find('x')).problems).to.deep.equal(['x/self: is a symbolic link that leads back to itself']);
    });

    it('to nothing are a problem where a manifest should be', async () => {
      folder.write('x/a.yaml', '');
      folder.link('x/gone.yaml', 'nowhere');
      folder.link('x/gone', 'nowhere');
      expect((await find('x')).problems).to.deep.equal(['x/gone.yaml: is a symbolic link to nothing']);
    });

    it('that share their targets do not multiply them: the first by name is the way', async () => {
      folder.write('level0/a.yaml', '');
      for (let level = 1; level <= 30; level += 1) {
        for (const name of ['b', 'a', 'c']) folder.link(`level${level}/${name}`, `../level${level - 1}`);
      }
      expect(await find('level30')).to.deep.equal({ files: [`level30/${'a/'.repeat(30)}a.yaml`], problems: [] });
    });
  });

  describe('what is no PATH', () => {
    const address = 'is an address, not a path: nothing is fetched; save the objects to a file first';
    for (const [path, message] of [
      ['https://example.org/uplinks.yaml', address],
      ['HTTP://example.org', address],
      ['', 'an empty PATH names no file'],
    ] as const) {
      it(`${JSON.stringify(path)} is refused`, async () => {
        expect(await findFiles([path])).to.deep.equal({ files: [], problems: [{ origin: inFile(path), message }] });
      });
    }
  });

  it('a path with an address in it is a path', async () => {
    expect((await findFiles(['./https://example.org'])).problems).to.deep.equal([
      { origin: inFile('./https://example.org'), message: 'does not exist' },
    ]);
  });

  describe('what cannot be reached', () => {
    it('a missing path', async () => {
      expect((await find('missing')).problems).to.deep.equal(['missing: does not exist']);
    });

    it('a path through a file', async () => {
      folder.write('a.yaml', '');
      expect((await find('a.yaml/b')).problems).to.deep.equal([
        'a.yaml/b: does not exist: a part of its path is no folder',
      ]);
    });

    it('a name that no file system takes', async () => {
      const name = 'x'.repeat(300);
      expect((await find(name)).problems).to.deep.equal([`${name}: has a name that is too long for the file system`]);
    });

    it('a folder that may not be read', async () => {
      folder.write('x/secret/a.yaml', '');
      chmodSync(folder.path(''), 0o755);
      chmodSync(folder.path('x/secret'), 0);
      const problems = await asNobody(async () => (await find('x')).problems);
      expect(problems).to.deep.equal(['x/secret: may not be read: permission denied']);
    });

    it('a folder without a manifest, however many folders it has', async () => {
      mkdirSync(folder.path('x/y/z'), { recursive: true });
      folder.write('x/README.md', '');
      expect((await find('x')).problems).to.deep.equal([
        'x: holds no file whose name ends in .yaml, .yml or .json, nor does any folder in it',
      ]);
    });
  });

  describe('what is no file is not opened', () => {
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
