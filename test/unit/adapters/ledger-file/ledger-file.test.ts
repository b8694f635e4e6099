import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { LedgerFile } from '../../../../src/adapters/ledger-file/ledger-file.ts';
import { emptyLedger } from '../../../../src/domain/snapshot/ledger.ts';
import { writeLedger } from '../../../../src/domain/entities/ownership/ledger-text.ts';
import { describeLedgerStore, ledger } from '../../../contract/ledger-store.ts';
import { FakeLedgerStore } from '../../../fakes/ledger-store.ts';
import { asNobody } from '../manifests/as-nobody.ts';
import { problemLines, valueOf } from '../readings.ts';
import { temporaryFolders } from '../temporary-folders.ts';

const writer = join(import.meta.dirname, 'write-ledger.ts');

/** The output of a shell script, in which `write FOLDER COUNT` writes a ledger. */
function shell(script: string, program: readonly [string, ...string[]] = ['sh']): string {
  const [name, ...words] = program;
  const write = `write() { '${process.execPath}' '${writer}' "$@"; }`;
  const { stdout, stderr } = spawnSync(name, [...words, '-c', `${write}\n${script}`], { encoding: 'utf8' });
  return stdout + stderr;
}

/** A shell with a mount namespace of its own. Containers often cannot have one. */
const mountingShell = ['unshare', '--user', '--map-root-user', '--mount', 'sh'] as const;
const canMount = spawnSync(mountingShell[0], [...mountingShell.slice(1), '-c', 'mount -t tmpfs x /tmp']).status === 0;

function refusal(folder: string, why: string): string {
  const error = `the ledger ${folder}/ledger.json cannot be written: ${why}; nothing is changed on the node without it`;
  return JSON.stringify({ done: false, error });
}

function textIn(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

describe('the ledger', () => {
  const folder = temporaryFolders();

  describe('in memory', () => {
    describeLedgerStore(() => {
      const store = new FakeLedgerStore();
      return {
        store,
        reopen: () => store,
        overwrite: (text) => (store.text = text),
        text: () => store.text,
        unusableCopy: () => store.unusableCopy,
        failWrites: () => {
          store.failWrites('ENOSPC: no space left on device');
          return () => store.recover();
        },
      };
    });

    it('cannot be read until it recovers', async () => {
      const store = new FakeLedgerStore();
      store.fail('EIO: i/o error');
      expect(problemLines(await store.read(undefined))).to.deep.equal(['ledger.json: EIO: i/o error']);
      expect(await store.write(ledger, undefined)).to.have.property('done', false);
      store.recover();
      expect(valueOf(await store.read(undefined))).to.deep.equal(emptyLedger);
    });
  });

  describe('in a file', () => {
    describeLedgerStore(() => {
      const place = join(folder(), 'run/ovn-uplinks');
      const file = join(place, 'ledger.json');
      return {
        store: new LedgerFile(place),
        reopen: () => new LedgerFile(place),
        overwrite: (text) => {
          mkdirSync(place, { recursive: true });
          writeFileSync(file, text);
        },
        text: () => textIn(file),
        unusableCopy: () => textIn(`${file}.unusable`),
        failWrites: () => {
          mkdirSync(`${file}.new`);
          return () => rmdirSync(`${file}.new`);
        },
      };
    });

    it('is readable by the agent only', async () => {
      const place = join(folder(), 'ovn-uplinks');
      await new LedgerFile(place).write(ledger, undefined);
      expect(statSync(place).mode & 0o777).to.equal(0o700);
      expect(statSync(join(place, 'ledger.json')).mode & 0o777).to.equal(0o600);
    });

    it('overwrites the temporary file of a crash', async () => {
      const place = folder();
      writeFileSync(join(place, 'ledger.json.new'), 'x'.repeat(10_000));
      expect(valueOf(await new LedgerFile(place).read(undefined))).to.deep.equal(emptyLedger);
      await new LedgerFile(place).write(ledger, undefined);
      expect(readdirSync(place)).to.deep.equal(['ledger.json']);
      expect(valueOf(await new LedgerFile(place).read(undefined))).to.deep.equal(ledger);
    });

    it('is the same object as long as the file has not changed', async () => {
      const store = new LedgerFile(folder());
      await store.write(ledger, 'boot-1');
      const first = valueOf(await store.read('boot-1'));
      expect(valueOf(await store.read('boot-1'))).to.equal(first);
      await store.write(emptyLedger, 'boot-1');
      expect(valueOf(await store.read('boot-1'))).to.deep.equal(emptyLedger);
      expect(valueOf(await store.read('boot-2')).problem).to.match(/^is of boot boot-1/);
    });

    it('is unusable if it is truncated anywhere', async () => {
      const place = folder();
      const file = join(place, 'ledger.json');
      const bytes = Buffer.from(writeLedger(ledger, undefined));
      const store = new LedgerFile(place);
      const whole: number[] = [];
      for (let length = 0; length <= bytes.length; length += 1) {
        writeFileSync(file, bytes.subarray(0, length));
        const read = valueOf(await store.read(undefined));
        if (read.problem === undefined) {
          expect(read).to.deep.equal(ledger);
          whole.push(length);
        } else {
          expect(read).to.deep.include(emptyLedger);
        }
      }
      // It is complete without the last byte, the line end.
      expect(whole).to.deep.equal([bytes.length - 1, bytes.length]);
    });

    it('is a problem if it is a folder', async () => {
      const place = folder();
      mkdirSync(join(place, 'ledger.json'));
      const store = new LedgerFile(place);
      expect(problemLines(await store.read(undefined))).to.deep.equal([
        `${place}/ledger.json: cannot be read: EISDIR: illegal operation on a directory`,
      ]);
      expect(JSON.stringify(await store.write(ledger, undefined))).to.equal(
        refusal(place, 'EISDIR: illegal operation on a directory'),
      );
      expect(readdirSync(place)).to.deep.equal(['ledger.json']);
    });

    it('reports the first error, not that of the clean-up', async () => {
      const place = folder();
      mkdirSync(join(place, 'ledger.json.new'));
      expect(JSON.stringify(await new LedgerFile(place).write(ledger, undefined))).to.equal(
        refusal(place, 'EISDIR: illegal operation on a directory'),
      );
    });

    it('is a problem if its folder is a file', async () => {
      const place = join(folder(), 'ovn-uplinks');
      writeFileSync(place, '');
      expect(problemLines(await new LedgerFile(place).read(undefined))).to.deep.equal([
        `${place}/ledger.json: cannot be read: ENOTDIR: not a directory`,
      ]);
      expect(JSON.stringify(await new LedgerFile(place).write(ledger, undefined))).to.equal(
        refusal(place, 'EEXIST: file already exists'),
      );
    });

    it('is a problem without permission', async () => {
      const place = folder();
      await new LedgerFile(place).write(ledger, undefined);
      chmodSync(place, 0o755);
      expect(problemLines(await asNobody(() => new LedgerFile(place).read(undefined)))).to.deep.equal([
        `${place}/ledger.json: cannot be read: EACCES: permission denied`,
      ]);
      chmodSync(join(place, 'ledger.json'), 0o644);
      expect(JSON.stringify(await asNobody(() => new LedgerFile(place).write(emptyLedger, undefined)))).to.equal(
        refusal(place, 'EACCES: permission denied'),
      );
      expect(valueOf(await new LedgerFile(place).read(undefined))).to.deep.equal(ledger);
    });

    it('is not overwritten if it is unusable and cannot be copied', async () => {
      const place = folder();
      const file = join(place, 'ledger.json');
      const corrupted = '{ "vers'.padEnd(100_000);
      writeFileSync(file, corrupted);
      mkdirSync(`${file}.unusable`);
      expect(await new LedgerFile(place).write(ledger, undefined))
        .to.have.property('error')
        .which.includes('EISDIR');
      expect(readFileSync(file, 'utf8')).to.equal(corrupted);
    });

    it('keeps its content if a write is interrupted', async () => {
      const place = folder();
      await new LedgerFile(place).write(ledger, undefined);
      // Without the signal, which would end the process, a write beyond the limit fails.
      expect(shell(`trap '' XFSZ; ulimit -f 8; write '${place}' 1000`)).to.equal(
        `${refusal(place, 'EFBIG: file too large')}\n`,
      );
      expect(readdirSync(place)).to.deep.equal(['ledger.json']);
      expect(valueOf(await new LedgerFile(place).read(undefined))).to.deep.equal(ledger);
    });

    if (canMount) {
      it('keeps its content on a full or read-only disk, and can be written once there is space', () => {
        const place = folder();
        const lines = shell(
          [
            `mount -t tmpfs -o size=64k x '${place}'; cd '${place}'`,
            `printf '{ "vers' > ledger.json; head -c 1M /dev/zero > ballast 2> /dev/null`,
            `write '${place}' 1; ls; rm ballast`,
            `write '${place}' 1; cat ledger.json.unusable; echo; md5sum < ledger.json > before`,
            `write '${place}' 1000; md5sum < ledger.json | cmp - before && ls; write '${place}' 2`,
            `md5sum < ledger.json > before; mount -o remount,ro x '${place}'`,
            `write '${place}' 3; md5sum < ledger.json | cmp - before && ls`,
          ].join('\n'),
          mountingShell,
        );
        const full = refusal(place, 'ENOSPC: no space left on device');
        const done = '{"done":true}';
        const files = ['before', 'ledger.json', 'ledger.json.unusable'];
        expect(lines.trim().split('\n')).to.deep.equal([
          ...[full, 'ballast', 'ledger.json', 'ledger.json.unusable'],
          ...[done, '{ "vers'],
          ...[full, ...files, done],
          ...[refusal(place, 'EROFS: read-only file system'), ...files],
        ]);
      });
    }

    it('is replaced atomically', async () => {
      const place = folder();
      const store = new LedgerFile(place);
      const other = new LedgerFile(place);
      await store.write(ledger, undefined);
      const writing = Promise.all(Array.from({ length: 30 }, () => store.write(ledger, undefined)));
      const reading = Array.from({ length: 300 }, () => other.read(undefined));
      for (const read of await Promise.all(reading)) expect(valueOf(read)).to.deep.equal(ledger);
      await writing;
    });
  });
});
