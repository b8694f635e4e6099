import type { HostNetwork } from '../../ports/host-network.ts';
import type { KernelSettings } from '../../ports/kernel-settings.ts';
import type { LedgerStore } from '../../ports/ledger-store.ts';
import type { ResourceStore } from '../../ports/resource-store.ts';
import type { SwitchDatabase } from '../../ports/switch-database.ts';

/** The ports of a node's loop. */
export interface NodePorts {
  readonly hostNetwork: HostNetwork;
  readonly switchDatabase: SwitchDatabase;
  readonly kernelSettings: KernelSettings;
  readonly ledgerStore: LedgerStore;
  readonly resourceStore: ResourceStore;
}
