import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readConnectionCounts } from '../../../../src/adapters/procfs/connection-counts.ts';
import { temporaryFolders } from '../temporary-folders.ts';

describe('the counts of tracked connections', () => {
  const temporaryFolder = temporaryFolders();

  it('are read from the settings of the kernel', () => {
    const folder = temporaryFolder();
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
    write('nf_conntrack_count', '123\n');
    write('nf_conntrack_max', '262144\n');
    expect(readConnectionCounts(folder)).to.deep.equal({ entries: 123, limit: 262_144 });
    for (const text of ['', '12', 'many\n']) {
      write('nf_conntrack_count', text);
      expect(readConnectionCounts(folder)).to.equal(undefined);
    }
  });

  it('are none where the kernel tracks nothing', () => {
    expect(readConnectionCounts(temporaryFolder())).to.equal(undefined);
  });
});
