import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, truncateSync } from 'node:fs';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { MAX_INPUT_BYTES, readFileText, readStandardInput } from '../../../../src/adapters/manifests/read-text.ts';
import { asNobody } from './as-nobody.ts';
import { useTemporaryFolder } from './temporary-folder.ts';
import { inFile } from '../../../../src/ports/input-problem.ts';

describe('the text of a file', () => {
  const folder = useTemporaryFolder();

  async function messageFor(file: string): Promise<string> {
    const reading = await readFileText(file);
    return reading.read ? 'read' : reading.problems.map(({ message }) => message).join();
  }

  it('is returned unchanged', async () => {
    expect(await readFileText(folder.write('a.yaml', 'name: blåbær\r\n'))).to.deep.equal({
      read: true,
      value: 'name: blåbær\r\n',
    });
  });

  it('has no byte order mark', async () => {
    expect(await readFileText(folder.write('a.yaml', '\ufeffa: 1'))).to.deep.equal({ read: true, value: 'a: 1' });
  });

  describe('cannot be read from bytes', () => {
    for (const { name, bytes, message } of [
      {
        name: 'in another encoding',
        bytes: Buffer.from('a: 1\n# bl\xe5b\xe6r\nb: 2\n', 'latin1'),
        message: 'is not UTF-8 text: line 2 contains invalid bytes',
      },
      {
        name: 'truncated inside a character',
        bytes: Buffer.from('a: é').subarray(0, -1),
        message: 'is not UTF-8 text: line 1 contains invalid bytes',
      },
      ...[
        [0xff, 0xff],
        [0xfe, 0xfe],
        [0x61, 0xfe],
        [0x61, 0xff],
      ].map((bytes) => ({
        name: `that are similar to UTF-16: ${bytes.join(' ')}`,
        bytes: Uint8Array.from(bytes),
        message: 'is not UTF-8 text: line 1 contains invalid bytes',
      })),
      {
        name: 'of an archive',
        bytes: gzipSync('a: 1'),
        message: 'is not UTF-8 text: line 1 contains invalid bytes',
      },
      {
        name: 'in UTF-16, as written by a Windows shell',
        bytes: Buffer.from('\ufeffa: 1', 'utf16le'),
        message: 'is UTF-16 text; save it as UTF-8',
      },
      {
        name: 'in big-endian UTF-16',
        bytes: Uint8Array.of(0xfe, 0xff, 0, 0x61),
        message: 'is UTF-16 text; save it as UTF-8',
      },
    ]) {
      it(name, async () => {
        expect(await messageFor(folder.write('a.yaml', bytes))).to.equal(message);
      });
    }
  });

  describe('is limited to 64 MiB:', () => {
    it('a larger file is not read', async () => {
      const file = folder.write('a.yaml', '');
      truncateSync(file, MAX_INPUT_BYTES + 1);
      expect(await messageFor(file)).to.equal(
        'has 67108865 bytes, more than the limit of 64 MiB; split it into several files',
      );
    });

    it('a file of that size is read', async () => {
      const file = folder.write('a.yaml', '');
      truncateSync(file, MAX_INPUT_BYTES);
      expect(await messageFor(file)).to.equal('read');
    });

    it('standard input is not read any further', async () => {
      let reads = 0;
      async function* endless() {
        for (;;) {
          reads += 1;
          yield await Promise.resolve(new Uint8Array(MAX_INPUT_BYTES / 2));
        }
      }
      expect(await readStandardInput(endless())).to.deep.equal({
        read: false,
        problems: [
          {
            origin: inFile('-'),
            message: 'is more than the limit of 64 MiB; split it into several files',
          },
        ],
      });
      expect(reads).to.equal(3);
    });
  });

  describe('cannot be read, without blocking, from', () => {
    it('a named pipe that has replaced the file', async () => {
      execFileSync('mkfifo', [folder.path('pipe')]);
      expect(await messageFor(folder.path('pipe'))).to.equal(
        'is a named pipe and is not read; use - to read from standard input',
      );
    });

    it('a folder that has replaced the file', async () => {
      mkdirSync(folder.path('x'));
      expect(await messageFor(folder.path('x'))).to.equal('is a folder, not a file');
    });
  });

  it('is read without leaving a file open', async () => {
    const openFiles = () => readdirSync('/proc/self/fd').length;
    const file = folder.write('a.yaml', '');
    const before = openFiles();
    await readFileText(file);
    expect(openFiles()).to.equal(before);
  });

  it('cannot be read from a file that does not exist', async () => {
    expect(await readFileText(folder.path('gone.yaml'))).to.deep.equal({
      read: false,
      problems: [{ origin: inFile(folder.path('gone.yaml')), message: 'does not exist' }],
    });
  });

  it('cannot be read without permission', async () => {
    const file = folder.write('a.yaml', '');
    chmodSync(folder.path(''), 0o755);
    chmodSync(file, 0);
    expect(await asNobody(() => messageFor(file))).to.equal('cannot be read: permission denied');
  });

  describe('on standard input', () => {
    it('may come in chunks that end anywhere', async () => {
      const chunks = Readable.from(Array.from(Buffer.from('name: blåbær'), (byte) => Uint8Array.of(byte)));
      expect(await readStandardInput(chunks)).to.deep.equal({ read: true, value: 'name: blåbær' });
    });

    for (const [error, message] of [
      [Object.assign(new Error('read EIO'), { code: 'EIO' }), 'cannot be read: EIO'],
      [new Error('connection lost'), 'cannot be read: connection lost'],
      [Object.assign(new Error('broken'), { code: 5 }), 'cannot be read: broken'],
    ] as const) {
      it(`may fail: ${message}`, async () => {
        const broken = new Readable({ read: () => undefined });
        broken.destroy(error);
        expect(await readStandardInput(broken)).to.deep.equal({
          read: false,
          problems: [{ origin: inFile('-'), message }],
        });
      });
    }
  });
});
