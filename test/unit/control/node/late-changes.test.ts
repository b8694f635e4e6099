import { expect } from 'chai';
import { NodeLoop } from '../../../../src/control/node/node-loop.ts';
import { defaultSettings } from '../../../../src/domain/index.ts';
import type { NodeReport } from '../../../../src/ports/node/node-report.ts';
import { FakeHostNetwork } from '../../../fakes/host-network.ts';
import { FakeKernelSettings } from '../../../fakes/kernel-settings.ts';
import { FakeLedgerStore } from '../../../fakes/ledger-store.ts';
import { FakeResourceStore } from '../../../fakes/resource-store.ts';
import { FakeSwitchDatabase } from '../../../fakes/switch-database.ts';

describe('the loop of a node on which changes may be noticed late', () => {
  it('warns of it', async () => {
    const hostNetwork = new FakeHostNetwork();
    const ports = {
      hostNetwork,
      switchDatabase: new FakeSwitchDatabase(),
      kernelSettings: new FakeKernelSettings({ sysctls: {} }),
      ledgerStore: new FakeLedgerStore(),
      resourceStore: new FakeResourceStore(),
    };
    const reports: NodeReport[] = [];
    const options = { settings: defaultSettings, once: false };
    const loop = new NodeLoop('worker-a', ports, options, (report) => reports.push(report));
    const ended = loop.run();
    hostNetwork.reportProblem('the program ip monitor exited with status 1');
    loop.stop();
    await ended;
    expect(reports).to.deep.include({ kind: 'warning', text: 'the program ip monitor exited with status 1' });
  });
});
