import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { execaNode } from 'execa';
import { type Part, shortParts, usualParts } from '../../bench/parts.ts';
import { runBench } from '../../bench/run-bench.ts';
import { temporaryFolders } from '../unit/adapters/temporary-folders.ts';

const BENCH = `${import.meta.dirname}/../../bench`;
const newFolder = temporaryFolders();

interface Document {
  readonly figures: readonly { readonly name: string; readonly value: number }[];
  readonly failures?: readonly { readonly part: string; readonly error: string }[];
}

/** Runs parts. @returns exit code, the document, and the lines that were printed meanwhile */
async function bench(...parts: readonly Part[]) {
  const [out, err] = [new PassThrough(), new PassThrough()];
  const exitCode = await runBench(parts, out.setEncoding('utf8'), err.setEncoding('utf8'));
  out.end();
  err.end();
  return { exitCode, document: JSON.parse(await text(out)) as Document, lines: (await text(err)).trim().split('\n') };
}

const figure = (name: string) => JSON.stringify({ name, size: { networks: 2 }, value: 1.5, unit: 'ms of CPU' });

/** Scripts that end in different ways. */
function scripts(contents: Readonly<Record<string, string>>): readonly Part[] {
  const folder = newFolder();
  return Object.entries(contents).map(([name, content]) => {
    writeFileSync(join(folder, name), content);
    return { script: join(folder, name), sizes: [2] };
  });
}

describe('npm run bench', () => {
  it('measures everything, and prints each figure on stderr and all of them in one document', async () => {
    const { stdout, stderr, exitCode } = await execaNode(`${BENCH}/bench.ts`, ['--short'], { reject: false });
    const { figures, ...others } = JSON.parse(stdout) as Document;
    const lines = stderr.split('\n');
    expect(exitCode, stderr).to.equal(0);
    expect(others).to.deep.equal({});
    expect(lines).to.have.length(figures.length);
    for (const [index, { name, value }] of figures.entries()) {
      expect(lines[index]).to.satisfy((line: string) => line.startsWith(`${name} (`));
      expect(lines[index]).to.include(`: ${value} `);
      expect(value, name).to.be.finite;
    }
  });

  it('has each script in the long run and in the short one', () => {
    const measuring = readdirSync(BENCH).filter((name) => name.startsWith('measure-'));
    for (const parts of [usualParts, shortParts])
      expect([...new Set(parts.map(({ script }) => script))]).to.have.members(measuring);
  });

  it('goes on after a part that fails, says which, and ends with 1', async () => {
    const parts = scripts({
      'throws.mjs': `console.log('${figure('before')}'); throw new Error('no such bridge')`,
      'says-something-else.mjs': `console.log('ready'); setInterval(() => {}, 1000)`,
      'works.mjs': `console.log('${figure('after')}')`,
    });
    const { exitCode, document, lines } = await bench(...parts, { script: 'missing.ts', sizes: [] });
    const [throws, other] = parts;
    expect(exitCode).to.equal(1);
    expect(document.figures.map(({ name }) => name)).to.deep.equal(['before', 'after']);
    const failures = document.failures ?? [];
    expect(failures.map(({ part }) => part)).to.deep.equal([`${throws!.script} 2`, `${other!.script} 2`, 'missing.ts']);
    expect(failures[0]?.error).to.include('Error: no such bridge');
    expect(failures[1]?.error).to.include('printed what is no figure').and.include('ready');
    expect(failures[2]?.error).to.include('Cannot find module');
    expect(lines[0]).to.equal('before (networks 2): 1.5 ms of CPU');
    expect(lines[1]).to.satisfy((line: string) => line.startsWith(`${throws!.script} 2 failed: `));
  });
});
