import type { FlowTables } from '../../ports/flow-tables.ts';
import type { HostNetwork } from '../../ports/host-network.ts';
import type { KernelSettings } from '../../ports/kernel-settings.ts';
import type { LedgerStore } from '../../ports/ledger-store.ts';
import type { Northbound } from '../../ports/northbound.ts';
import type { ResourceStore } from '../../ports/resource-store.ts';
import type { Southbound } from '../../ports/southbound.ts';
import type { SwitchDatabase } from '../../ports/switch-database.ts';

/** The ports to what forwards packets. */
export interface DatapathPorts {
  readonly flowTables: FlowTables;
  readonly northbound: Northbound;
  /** Absent where no networks are provided. */
  readonly southbound?: Southbound;
}

/** The ports of a node's loop. */
export interface NodePorts {
  readonly hostNetwork: HostNetwork;
  readonly switchDatabase: SwitchDatabase;
  readonly kernelSettings: KernelSettings;
  /** Absent where only the host's half of networks is programmed. */
  readonly datapath?: DatapathPorts;
  readonly ledgerStore: LedgerStore;
  readonly resourceStore: ResourceStore;
}
