import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { CapturedNode } from '../../../../src/adapters/capture/captured-node.ts';
import { valueOf } from '../readings.ts';
import { temporaryFolders } from '../temporary-folders.ts';

const workerA = fileURLToPath(new URL('../../../../fixtures/captures/worker-a', import.meta.url));

describe('chains of other programs in a captured node', () => {
  const newFolder = temporaryFolders();

  /** Those of the captured worker-a with more files. */
  async function chainsWith(files: Readonly<Record<string, string>>) {
    const directory = join(newFolder(), 'worker-a');
    cpSync(workerA, directory, { recursive: true });
    for (const [file, text] of Object.entries(files)) writeFileSync(join(directory, file), text);
    return valueOf(await new CapturedNode('worker-a', directory).read()).forwardDrops;
  }

  it('are none in a capture without their files, as former versions made', async () => {
    expect(await chainsWith({})).to.deep.equal([]);
  });

  it('are those of nftables, and those of iptables-legacy if it has the table filter', async () => {
    const chain = { family: 'ip', table: 'filter', name: 'FORWARD', hook: 'forward', policy: 'drop' };
    const found = await chainsWith({
      'nft-chains.json': JSON.stringify({ nftables: [{ chain }] }),
      'ip-tables-names.txt': 'nat\n',
      'ip6-tables-names.txt': 'mangle\nfilter\n',
    });
    expect(found).to.deep.equal([
      { family: 'ip', table: 'filter', chain: 'FORWARD' },
      { family: 'ip6', table: 'filter', chain: 'FORWARD', isLegacy: true },
    ]);
  });
});
