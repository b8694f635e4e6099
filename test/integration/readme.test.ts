import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { execa } from 'execa';

const root = join(import.meta.dirname, '../..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** The contents of the fenced block that follows a text. */
function blockAfter(text: string): string {
  const [, after = ''] = readme.split(text);
  return /```\w*\n([^]*?)```/.exec(after)?.[1] ?? '';
}

describe('README', () => {
  it('shows the output of scripts/demo', async () => {
    const { stdout } = await execa(join(root, 'scripts/demo'), { env: { NO_COLOR: '1' } });
    expect(`${stdout}\n`).to.equal(blockAfter('`scripts/demo` prints:'));
  });
});
