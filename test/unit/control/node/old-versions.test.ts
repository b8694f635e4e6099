import { expect } from 'chai';
import { NodeLoop } from '../../../../src/control/node/node-loop.ts';
import { defaultSettings } from '../../../../src/domain/index.ts';
import type { NodeReport } from '../../../../src/ports/node/node-report.ts';
import { KernelSettingFiles } from '../../../../src/adapters/sysctl/kernel-setting-files.ts';
import { FakeHostNetwork } from '../../../fakes/host-network.ts';
import { FakeLedgerStore } from '../../../fakes/ledger-store.ts';
import { FakeResourceStore } from '../../../fakes/resource-store.ts';
import { FakeSwitchDatabase } from '../../../fakes/switch-database.ts';
import { writeLine, writeProcTree } from '../../adapters/sysctl/proc-tree.ts';
import { temporaryFolders } from '../../adapters/temporary-folders.ts';

describe('the loop of a node with an old kernel and an old Open vSwitch', () => {
  const newFolder = temporaryFolders();

  /** The warnings of an agent. */
  async function warningsWith(kernelRelease: string, openVSwitchVersion: string): Promise<readonly string[]> {
    const proc = newFolder();
    const bootId = '5a1ff1fe-7a3c-4c3f-8f0a-3c3c1f6f0b3e';
    writeProcTree(proc, { sysctls: {}, kernelRelease, bootId, uptimeSeconds: 12.5 });
    writeLine(`${proc}/sys/net/ipv4/conf/all/rp_filter`, '0');
    const resourceStore = new FakeResourceStore();
    resourceStore.put({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'worker-a' } });
    const ports = {
      hostNetwork: new FakeHostNetwork(),
      switchDatabase: new FakeSwitchDatabase({ switchExternalIds: {}, bridges: [], openVSwitchVersion }),
      kernelSettings: new KernelSettingFiles(proc),
      ledgerStore: new FakeLedgerStore(),
      resourceStore,
    };
    const reports: NodeReport[] = [];
    const loop = new NodeLoop('worker-a', ports, { settings: defaultSettings, once: true }, (report) => {
      reports.push(report);
    });
    await loop.run();
    await ports.kernelSettings.close();
    return reports.flatMap((report) => (report.kind === 'warning' ? [report.text.split(':', 2).join(':')] : []));
  }

  it('warns of both, as a plan of a captured node does', async () => {
    expect(await warningsWith('5.10.0-23-amd64', '2.17.0')).to.have.members([
      'Node/worker-a: Linux is 5.10.0-23-amd64, expected 5.16 or newer',
      'Node/worker-a: Open vSwitch is 2.17.0, expected 3.1 or newer',
    ]);
  });

  it('warns of none of the oldest that are supported', async () => {
    expect(await warningsWith('5.16.0', '3.1.0')).to.deep.equal([]);
  });
});
