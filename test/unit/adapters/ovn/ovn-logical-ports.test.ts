import { join } from 'node:path';
import { expect } from 'chai';
import { OvnLogicalPorts } from '../../../../src/adapters/ovn/ovn-logical-ports.ts';
import { unixServer } from '../../../../src/adapters/ovsdb/server.ts';
import type { LogicalPort } from '../../../../src/domain/pods/leftovers.ts';
import { FakeServer } from '../ovsdb/fake-server.ts';
import { temporaryFolders } from '../temporary-folders.ts';
import { emptyNorthbound } from './northbound-content.ts';

describe('a change of logical switch ports', () => {
  const newFolder = temporaryFolders();

  it('is made even if one before it threw an exception', async () => {
    const server = await FakeServer.start(join(newFolder(), 'db.sock'), emptyNorthbound);
    const logicalPorts = new OvnLogicalPorts(unixServer(server.path, 'OVN'));
    const broken = {
      get switchName(): never {
        throw new Error('a defect');
      },
    } as unknown as LogicalPort;
    expect(await logicalPorts.put(broken).catch(String)).to.equal('Error: a defect');
    const port = { switchName: 'cluster_udn_blue_worker-a' } as LogicalPort;
    expect(await logicalPorts.put(port)).to.deep.include({ done: false, isUnavailable: true });
    logicalPorts.close();
    await server.stop();
  });
});
