import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FolderApi } from '../../src/adapters/folder-api/folder-api.ts';
import { FakeResourceStore } from '../fakes/resource-store.ts';
import { temporaryFolders } from '../unit/adapters/temporary-folders.ts';
import { describeResourceStore, type ResourceStoreUnderTest } from './resource-store.ts';

describeResourceStore('the fake', () => {
  const store = new FakeResourceStore();
  return {
    store,
    put: (object) => store.put({ ...object }),
    remove: (kind, name) => store.remove(kind, name),
    writeOtherState: (state) => store.writeOtherState(state),
    deleteOtherState: (name) => store.deleteOtherState(name),
    fail: () => store.fail(),
    recover: () => store.recover(),
  };
});

describe('a store with files', () => {
  const newFolder = temporaryFolders();

  describeResourceStore('a folder of files', (): ResourceStoreUnderTest => {
    const root = newFolder();
    const folder = join(root, 'objects');
    const states = join(folder, 'status', 'UplinkState');
    mkdirSync(folder);
    writeFileSync(join(folder, 'cluster.yaml'), '# the objects of a cluster\n');
    const replace = (path: string, content: object) => {
      writeFileSync(join(root, 'new'), JSON.stringify(content));
      renameSync(join(root, 'new'), path);
    };
    const fileOf = (kind: string, name: string) => join(folder, `${kind}-${name}.yaml`);
    return {
      store: new FolderApi(folder, 200),
      put: (object) => {
        const { kind, metadata } = object as { kind: string; metadata: { name: string } };
        replace(fileOf(kind, metadata.name), object);
      },
      remove: (kind, name) => rmSync(fileOf(kind, name)),
      writeOtherState: (state) => {
        mkdirSync(states, { recursive: true });
        replace(join(states, `${state.metadata.name}.yaml`), state);
      },
      deleteOtherState: (name) => rmSync(join(states, `${name}.yaml`)),
      fail: () => renameSync(folder, join(root, 'away')),
      recover: () => renameSync(join(root, 'away'), folder),
    };
  });
});
