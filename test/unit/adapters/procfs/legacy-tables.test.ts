import { expect } from 'chai';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LegacyTables } from '../../../../src/adapters/procfs/legacy-tables.ts';
import { problemLines, valueOf } from '../readings.ts';
import { temporaryFolders } from '../temporary-folders.ts';

describe('tables of iptables-legacy', () => {
  const newFolder = temporaryFolders();

  /** The chains that may drop what passes a node with these files. */
  async function chains(files: Readonly<Record<string, string>>) {
    const folder = newFolder();
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    return valueOf(await new LegacyTables(folder).read());
  }

  const forward = (family: string) => ({ family, table: 'filter', chain: 'FORWARD', isLegacy: true });

  it('have a chain for packets that pass the node if filter is one of them', async () => {
    expect(await chains({ ip_tables_names: 'nat\nfilter\n' })).to.deep.equal([forward('ip')]);
    expect(await chains({ ip6_tables_names: 'filter\n' })).to.deep.equal([forward('ip6')]);
    expect(await chains({ ip_tables_names: 'filter\n', ip6_tables_names: 'filter\nmangle\n' })).to.deep.equal([
      forward('ip'),
      forward('ip6'),
    ]);
  });

  it('have none if there are others only, or none yet', async () => {
    expect(await chains({ ip_tables_names: 'nat\nmangle\nfilters\n', ip6_tables_names: '' })).to.deep.equal([]);
  });

  it('are not there where the kernel has no module for them', async () => {
    expect(await chains({})).to.deep.equal([]);
  });

  it('are a problem where a file cannot be read', async () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'ip6_tables_names'));
    expect(problemLines(await new LegacyTables(folder).read())).to.deep.equal([
      `${folder}/ip6_tables_names: cannot be read: EISDIR: illegal operation on a directory`,
    ]);
  });
});
