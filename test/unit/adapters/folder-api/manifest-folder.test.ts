import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ManifestFolder } from '../../../../src/adapters/folder-api/manifest-folder.ts';
import { temporaryFolders } from '../temporary-folders.ts';
import { manifest } from './agent.ts';

describe('a file that is removed between the listing and the read', () => {
  const newFolder = temporaryFolders();

  /** A folder in which `old/a.yaml` is removed as soon as the listing is beyond it. */
  function folderInChange() {
    const path = newFolder();
    mkdirSync(join(path, 'old'));
    writeFileSync(join(path, 'old', 'a.yaml'), manifest('blue'));
    writeFileSync(join(path, 'one.yaml'), manifest('red'));
    symlinkSync('one.yaml', join(path, 'two.yaml'));
    let isRemoving = false;
    const onLink = () => {
      if (isRemoving) rmSync(join(path, 'old', 'a.yaml'));
      return Promise.resolve();
    };
    const folder = new ManifestFolder(path, { onLink, onFolder: () => undefined, isSkipped: () => false }, 1000);
    return {
      readWithRemoval: async () => {
        // A file that has not changed would not be read again.
        writeFileSync(join(path, 'old', 'a.yaml'), manifest('blue', 'br-new'));
        isRemoving = true;
        return await folder.read();
      },
      read: () => folder.read(),
    };
  }

  it('counts as removed before: no problem, and its objects stay for the grace period', async () => {
    const folder = folderInChange();
    await folder.read();
    const content = await folder.readWithRemoval();
    if (!content.known) throw new Error(JSON.stringify(content.problems));
    expect(content.warnings).to.deep.equal([]);
    expect(content.isComplete).to.equal(true);
    expect([...content.objects.keys()].sort()).to.deep.equal(['Uplink/blue', 'Uplink/red']);
  });

  it('is a problem in the first read, since it may come back with objects that would count as deleted', async () => {
    const content = await folderInChange().readWithRemoval();
    expect(content.known ? [] : content.problems.map(({ message }) => message)).to.deep.equal(['does not exist']);
  });
});
