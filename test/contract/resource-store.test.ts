import { conditionsWrite } from '../../src/domain/objects/writes.ts';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { FolderApi } from '../../src/adapters/folder-api/folder-api.ts';
import { FakeResourceStore } from '../fakes/resource-store.ts';
import { uplink } from '../unit/adapters/manifests/example-objects.ts';
import { temporaryFolders } from '../unit/adapters/temporary-folders.ts';
import {
  describeResourceStore,
  describeUnreadableObjects,
  describeUnreadableStore,
  type FailingResourceStore,
} from './resource-store.ts';

const startFake = (): FailingResourceStore => {
  const store = new FakeResourceStore();
  return {
    store,
    put: (object) => store.put({ ...object }),
    remove: (kind, name) => store.remove(kind, name),
    writeOtherState: (state) => store.writeOtherState(state),
    deleteOtherState: (name) => store.deleteOtherState(name),
    writeOtherConditions: (name, conditions) => store.write(conditionsWrite({ kind: 'Uplink', name, conditions })),
    fail: () => store.fail(),
    recover: () => store.recover(),
  };
};

describeResourceStore('the fake', startFake);
describeUnreadableStore('the fake', startFake);
describeUnreadableObjects('the fake', async (stored) => {
  const fixture = startFake();
  await fixture.put(stored);
  return fixture;
});

describe('a store with files', () => {
  const newFolder = temporaryFolders();

  const startFolder = (): FailingResourceStore => {
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
    const store = new FolderApi(folder, 200);
    return {
      store,
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
      writeOtherConditions: (name, conditions) => store.write(conditionsWrite({ kind: 'Uplink', name, conditions })),
      fail: () => renameSync(folder, join(root, 'away')),
      recover: () => renameSync(join(root, 'away'), folder),
    };
  };

  describeResourceStore('a folder of files', startFolder);
  describeUnreadableStore('a folder of files', startFolder);
  describeUnreadableObjects('a folder of files', async (stored) => {
    const fixture = startFolder();
    await fixture.put(stored);
    return fixture;
  });

  it('names the file of each object', async () => {
    const fixture = startFolder();
    const { store } = fixture;
    await fixture.put(uplink('blue'));
    const reading = await store.read();
    expect(reading.read && [...reading.value.origins].map(([object, file]) => [object, basename(file)])).to.deep.equal([
      ['Uplink/blue', 'Uplink-blue.yaml'],
    ]);
    await store.close();
  });
});
