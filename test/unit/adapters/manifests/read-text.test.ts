import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, truncateSync } from 'node:fs';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { MAX_INPUT_BYTES, readFileText, readStandardInput } from '../../../../src/adapters/manifests/read-text.ts';
import { asNobody } from './as-nobody.ts';
import { useTemporaryFolder } from './temporary-folder.ts';
import { inFile } from '../../../../src/ports/input-problem.ts';

describe('reading text', () => {
  const folder = useTemporaryFolder();

  async function messageFor(file: string): Promise<string> {
    const reading = await readFileText(file);
    return reading.read ? 'read' : reading.problems.map(({ message }) => message).join();
  }

  it('gives a file as it stands', async () => {
    expect(await readFileText(folder.write('a.yaml', 'name: blåbær\r\n'))).to.deep.equal({
      read: true,
      value: 'name: blåbær\r\n',
    });
  });

  it('leaves out a byte order mark', async () => {
    expect(await readFileText(folder.write('a.yaml', '\ufeffa: 1'))).to.deep.equal({ read: true, value: 'a: 1' });
  });

  describe('refuses bytes that are no text', () => {
    for (const { name, bytes, message } of [
      {
        name: 'of another encoding, naming the line',
        bytes: Buffer.from('a: 1\n# bl\xe5b\xe6r\nb: 2\n', 'latin1'),
        message: 'is no text in UTF-8: line 2 holds bytes that are none',
      },
      {
        name: 'cut off inside a character',
        bytes: Buffer.from('a: é').subarray(0, -1),
        message: 'is no text in UTF-8: line 1 holds bytes that are none',
      },
      ...[
        [0xff, 0xff],
        [0xfe, 0xfe],
        [0x61, 0xfe],
        [0x61, 0xff],
      ].map((bytes) => ({
        name: `that only look like UTF-16: ${bytes.join(' ')}`,
        bytes: Uint8Array.from(bytes),
        message: 'is no text in UTF-8: line 1 holds bytes that are none',
      })),
      {
        name: 'of an archive',
        bytes: gzipSync('a: 1'),
        message: 'is no text in UTF-8: line 1 holds bytes that are none',
      },
      {
        name: 'that a Windows shell wrote',
        bytes: Buffer.from('\ufeffa: 1', 'utf16le'),
        message: 'is text in UTF-16; save it as UTF-8',
      },
      {
        name: 'in UTF-16 the other way round',
        bytes: Uint8Array.of(0xfe, 0xff, 0, 0x61),
        message: 'is text in UTF-16; save it as UTF-8',
      },
    ]) {
      it(name, async () => {
        expect(await messageFor(folder.write('a.yaml', bytes))).to.equal(message);
      });
    }
  });

  describe('goes up to 64 MiB', () => {
    it('and not a byte further, which it sees before it reads', async () => {
      const file = folder.write('a.yaml', '');
      truncateSync(file, MAX_INPUT_BYTES + 1);
      expect(await messageFor(file)).to.equal(
        'has 67108865 bytes, more than the 64 MiB that are read at once; split it into several files',
      );
    });

    it('but up to there', async () => {
      const file = folder.write('a.yaml', '');
      truncateSync(file, MAX_INPUT_BYTES);
      expect(await messageFor(file)).to.equal('read');
    });

    it('from standard input too, where it stops listening', async () => {
      let asked = 0;
      async function* endless() {
        for (;;) {
          asked += 1;
          yield await Promise.resolve(new Uint8Array(MAX_INPUT_BYTES / 2));
        }
      }
      expect(await readStandardInput(endless())).to.deep.equal({
        read: false,
        problems: [
          {
            origin: inFile('-'),
            message: 'is more than the 64 MiB that are read at once; split it into several files',
          },
        ],
      });
      expect(asked).to.equal(3);
    });
  });

  describe('does not wait for what is no file', () => {
    it('a named pipe that came in its place', async () => {
      execFileSync('mkfifo', [folder.path('pipe')]);
      expect(await messageFor(folder.path('pipe'))).to.equal(
        'is a named pipe and is not read; use - to read from standard input',
      );
    });

    it('a folder that came in its place', async () => {
      mkdirSync(folder.path('x'));
      expect(await messageFor(folder.path('x'))).to.equal('is a folder, not a file');
    });
  });

  it('closes what it opened', async () => {
    const openFiles = () => readdirSync('/proc/self/fd').length;
    const file = folder.write('a.yaml', '');
    const before = openFiles();
    await readFileText(file);
    expect(openFiles()).to.equal(before);
  });

  it('tells why a file cannot be opened', async () => {
    expect(await readFileText(folder.path('gone.yaml'))).to.deep.equal({
      read: false,
      problems: [{ origin: inFile(folder.path('gone.yaml')), message: 'does not exist' }],
    });
  });

  it('tells why a file may not be opened', async () => {
    const file = folder.write('a.yaml', '');
    chmodSync(folder.path(''), 0o755);
    chmodSync(file, 0);
    expect(await asNobody(() => messageFor(file))).to.equal('may not be read: permission denied');
  });

  describe('from standard input', () => {
    it('puts the pieces together, wherever they are cut', async () => {
      const pieces = Readable.from(Array.from(Buffer.from('name: blåbær'), (byte) => Uint8Array.of(byte)));
      expect(await readStandardInput(pieces)).to.deep.equal({ read: true, value: 'name: blåbær' });
    });

    for (const [error, message] of [
      [Object.assign(new Error('read EIO'), { code: 'EIO' }), 'cannot be read: EIO'],
      [new Error('the other side is gone'), 'cannot be read: the other side is gone'],
      [Object.assign(new Error('broken'), { code: 5 }), 'cannot be read: broken'],
    ] as const) {
      it(`tells why it broke: ${message}`, async () => {
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
