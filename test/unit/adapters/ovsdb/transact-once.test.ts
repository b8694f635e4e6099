import { join } from 'node:path';
import { expect } from 'chai';
import { unixAddress, unixServer } from '../../../../src/adapters/ovsdb/server.ts';
import { transactOnce } from '../../../../src/adapters/ovsdb/transact-once.ts';
import { temporaryFolders } from '../temporary-folders.ts';
import { FakeServer } from './fake-server.ts';

describe('a transaction by a connection of its own', () => {
  const newFolder = temporaryFolders();

  it('is made by the first address that can be reached', async () => {
    const folder = newFolder();
    const [absent, present, unused] = ['1', '2', '3'].map((name) => join(folder, name)) as [string, string, string];
    const servers = await Promise.all(
      [present, unused].map((path) => FakeServer.start(path, () => ({ result: [{ count: 1 }] }))),
    );
    const server = { ...unixServer(absent, 'OVN'), addresses: [absent, present, unused].map(unixAddress) };
    expect(await transactOnce(server, 'Example', [{ op: 'delete' }])).to.deep.equal({
      outcome: 'done',
      results: [{ count: 1 }],
    });
    expect(servers.map((each) => each.requests('transact'))).to.deep.equal([[['Example', { op: 'delete' }]], []]);
    for (const each of servers) await each.stop();
  });

  it('is not made, for the reason of each address, if none can be reached', async () => {
    const folder = newFolder();
    const server = { ...unixServer('', 'OVN'), addresses: ['1', '2'].map((name) => unixAddress(join(folder, name))) };
    const result = await transactOnce(server, 'Example', []);
    expect(result).to.include({ outcome: 'unknown' });
    expect(result)
      .to.have.property('reason')
      .that.matches(/^cannot be reached: .*\/1.*; .*\/2/);
  });
});
